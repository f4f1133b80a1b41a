//! The engine that scripts run in: arithmetic, texts, lists and maps, and what this crate adds.

use std::sync::LazyLock;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{Engine, Module, OptimizationLevel, Shared, def_package};

use crate::{Limits, maths, meter, sorting, words};

def_package! {
    /// What the language itself brings. Left out: the packages of mathematics, time and debugging, and that of the language's
    /// core, which can sleep. One module, since each is searched for every function in every call.
    pub Language(_module) :
        ArithmeticPackage,
        LogicPackage,
        BasicStringPackage,
        MoreStringPackage,
        BasicIteratorPackage,
        BasicFnPackage,
        BasicArrayPackage,
        BasicMapPackage {}
}

static LANGUAGE: LazyLock<Shared<Module>> = LazyLock::new(|| {
    // What is hashed is the same in every build.
    let _ = rhai::config::hashing::set_hashing_seed(Some([1, 2, 3, 4]));
    Language::new().as_shared_module()
});

/// An engine within these limits. What a robot or a policy may call beside the language is registered by its owner.
pub fn engine(limits: &Limits) -> Engine {
    let language = &*LANGUAGE;
    let mut engine = Engine::new_raw();
    engine.register_global_module(Shared::clone(language));
    limits.set(&mut engine);
    // A slip of the keyboard in a name is an error, not nothing.
    engine.set_strict_variables(true).set_fail_on_invalid_map_property(true);
    // Powers of reals are the platform's: `pow` is not. Values that are bound to a function are not counted by any limit, so
    // nothing can be bound; anonymous functions need neither word.
    for symbol in ["eval", "import", "export", "**", "**=", "Fn", "curry"] {
        engine.disable_symbol(symbol);
    }
    engine.set_optimization_level(OptimizationLevel::Simple);
    engine.on_progress(|_| if meter::spend() { None } else { Some(rhai::Dynamic::UNIT) });
    maths::register(&mut engine);
    sorting::register(&mut engine);
    words::register(&mut engine);
    engine
}
