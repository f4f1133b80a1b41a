//! A text that was compiled: what policies and robots have in common.

use std::path::Path;

use rhai::{AST, CallFnOptions, Dynamic, Engine, FuncArgs, Module, Scope};

use crate::error::ScriptError;
use crate::trouble::Trouble;
use crate::{Limits, maths, meter};

/// A compiled text with its engine. Who calls it may bind any value to `this`.
pub struct Script {
    /// What messages call it.
    pub origin: String,
    /// The text as it was read.
    pub text: String,
    engine: Engine,
    ast: AST,
    /// What each of its calls may use.
    pub limits: Limits,
}

impl Script {
    /// Compiles a text. Constants at its top are known in its functions, unlike in plain Rhai.
    pub fn new(origin: &str, text: &str, mut engine: Engine, limits: Limits) -> Result<Self, ScriptError> {
        let wrong = |trouble| ScriptError::at(origin, text, trouble);
        let compile = |engine: &Engine, known: &Scope| {
            engine.compile_with_scope(known, text).map_err(|error| wrong(Trouble::of_parsing(&error)))
        };
        engine.set_strict_variables(false);
        let mut known = maths::constants();
        let ast = compile(&engine, &known)?;
        let mut scope = Scope::new();
        meter::refill(limits.operations);
        engine
            .run_ast_with_scope(&mut scope, &ast)
            .map_err(|error| wrong(Trouble::of(*error, &limits, &names(&ast))))?;
        for (name, is_constant, value) in scope.iter() {
            if !is_constant {
                let line = text.lines().position(|line| line.trim_start().starts_with(&format!("let {name}")));
                return Err(wrong(Trouble::new(
                    line.map(|line| line + 1),
                    format!("`{name}` is a variable outside of functions, and no function can see it"),
                    format!(
                        "write `const {name}` if it stays the same, or keep it in `this.{name}` from init_robot on"
                    ),
                )));
            }
            known.push_constant_dynamic(name, value.clone());
        }
        // Most constants are put in place of their names when the text is compiled. Lists and maps are not.
        let mut constants = Module::new();
        known.iter().for_each(|(name, _, value)| {
            constants.set_var(name, value);
        });
        engine.register_global_module(constants.into());
        engine.set_strict_variables(true);
        let ast = compile(&engine, &known)?;
        Ok(Self { origin: origin.to_owned(), text: text.to_owned(), engine, ast, limits })
    }

    /// Defines a function of ours beside those of the text.
    pub fn add(&mut self, text: &str) {
        let ours = self.engine.compile(text).expect("it is a fixed text");
        self.ast.combine(ours);
    }

    /// The names of its functions.
    pub fn functions(&self) -> Vec<&str> {
        names(&self.ast)
    }

    /// It defines this function, with that many arguments.
    pub fn has(&self, name: &str, values: usize) -> bool {
        self.ast.iter_functions().any(|function| function.name == name && function.params.len() == values)
    }

    /// An error that shows where in the text the trouble is.
    pub fn error(&self, trouble: Trouble) -> ScriptError {
        ScriptError::at(&self.origin, &self.text, trouble)
    }

    /// The line in which a function begins.
    pub fn line_of(&self, function: &str) -> Option<usize> {
        // Several may stand in one line.
        let defines = |line: &str| {
            line.match_indices("fn ").any(|(at, word)| {
                let alone = !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
                let rest = line[at + word.len()..].trim_start().strip_prefix(function);
                alone && rest.is_some_and(|rest| rest.trim_start().starts_with('('))
            })
        };
        let code = |line: &str| line.split("//").next().unwrap_or_default().to_owned();
        self.text.lines().position(|line| defines(&code(line))).map(|line| line + 1)
    }

    /// Calls a function with `this` bound.
    pub fn call(&self, this: &mut Dynamic, function: &str, values: impl FuncArgs) -> Result<Dynamic, Trouble> {
        meter::refill(self.limits.operations);
        let options = CallFnOptions::new().eval_ast(false).rewind_scope(false).bind_this_ptr(this);
        let given =
            self.engine.call_fn_with_options::<Dynamic>(options, &mut Scope::new(), &self.ast, function, values);
        match given {
            Ok(_) if meter::is_overdrawn() => Err(Trouble::without_end(&self.limits).at(self.line_of(function))),
            Ok(given) => Ok(given),
            Err(error) => Err(Trouble::of(*error, &self.limits, &names(&self.ast))),
        }
    }
}

fn names(ast: &AST) -> Vec<&str> {
    ast.iter_functions().map(|function| function.name).collect()
}

/// The text of a file, and what it is called.
pub fn read(path: &Path) -> Result<(String, String), ScriptError> {
    let origin = path.display().to_string();
    match muster_files::text(path) {
        Ok(text) => Ok((origin, text)),
        Err(error) => Err(ScriptError::unreadable(&origin, &error)),
    }
}
