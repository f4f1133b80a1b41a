//! Recruitment policies as scripts: when to answer a HELP, and whom to choose of those who did.
//!
//! A policy defines `answers(help)`, `chooses(offers)`, or both; what it does not define is as in the paper. It keeps nothing
//! from one call to the next, so it may be asked by any robot on any thread. If it fails, the paper's policy decides that
//! once, and it is noted (`Event::PolicyFailed`).

use std::cell::RefCell;
use std::path::Path;
use std::sync::OnceLock;

use muster_core::recruitment::{Heard, Offer, Policy, Undecided};
use rhai::{Array, Dynamic, Map};

use crate::script::{Script, read};
use crate::trouble::Trouble;
use crate::{Limits, ScriptError, sandbox};

/// A policy whose rules are a script.
pub struct ScriptPolicy {
    script: Script,
    answers: bool,
    chooses: bool,
    first_trouble: OnceLock<String>,
}

thread_local! {
    static LATELY: RefCell<Option<String>> = const { RefCell::new(None) };
}

const ANSWERS: &str = "answers";
const CHOOSES: &str = "chooses";

impl ScriptPolicy {
    /// The policy that a text defines; `origin` is what messages call it.
    pub fn new(origin: &str, text: &str, limits: Limits) -> Result<Self, ScriptError> {
        let script = Script::new(origin, text, sandbox::engine(&limits), limits)?;
        let (answers, chooses) = (script.has(ANSWERS, 1), script.has(CHOOSES, 1));
        if !answers && !chooses {
            return Err(ScriptError::Lacks {
                origin: origin.to_owned(),
                message:
                    "a policy has to define `answers(help)`, `chooses(offers)`, or both, and this script does neither"
                        .to_owned(),
                help: "docs/scripts.md says what they are given".to_owned(),
            });
        }
        Ok(Self { script, answers, chooses, first_trouble: OnceLock::new() })
    }

    /// The policy that a file defines.
    pub fn read(path: &Path, limits: Limits) -> Result<Self, ScriptError> {
        let (origin, text) = read(path)?;
        Self::new(&origin, &text, limits)
    }

    /// What messages call it.
    pub fn origin(&self) -> &str {
        &self.script.origin
    }

    /// From here on nothing has gone wrong on this thread.
    pub fn forget_troubles() {
        LATELY.set(None);
    }

    /// What went wrong first on this thread since [`Self::forget_troubles`], if anything has. A run stays on its thread, so
    /// this is its own, whatever other runs do at the same time.
    pub fn first_trouble_of_run() -> Option<String> {
        LATELY.with_borrow(Clone::clone)
    }

    /// What went wrong first, if anything has: notes give only the line.
    pub fn first_trouble(&self) -> Option<&str> {
        self.first_trouble.get().map(String::as_str)
    }

    fn decided<T>(
        &self,
        function: &str,
        given: Dynamic,
        read: impl FnOnce(&Dynamic) -> Option<T>,
        wanted: &str,
    ) -> Result<T, Undecided> {
        let line = || self.script.line_of(function);
        let mut nothing = Dynamic::UNIT;
        let answer = self.script.call(&mut nothing, function, (given,)).and_then(|answer| {
            let what = || format!("{function} gives {answer} (of type {})", answer.type_name());
            read(&answer).ok_or_else(|| Trouble::new(line(), what(), wanted))
        });
        answer.map_err(|trouble| {
            let Trouble { line, what, help, .. } = trouble.at(line());
            let line = line.unwrap_or_default();
            LATELY.with_borrow_mut(|lately| _ = lately.get_or_insert_with(|| what.clone()));
            let told = format!("{}:{line}: {what}; the paper's policy decides instead: {help}", self.origin());
            self.first_trouble.get_or_init(|| told);
            Undecided { line: line as u32 }
        })
    }
}

impl std::fmt::Debug for ScriptPolicy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ScriptPolicy").field(&self.script.origin).finish()
    }
}

impl Policy for ScriptPolicy {
    fn answers(&self, help: &Heard) -> Result<bool, Undecided> {
        if !self.answers {
            return Ok(help.shame > help.threshold);
        }
        let mut map = Map::new();
        let mut set = |name: &str, value: Dynamic| {
            map.insert(name.into(), value);
        };
        set("robot", i64::from(help.robot.0).into());
        set("requester", i64::from(help.requester.0).into());
        set("task", i64::from(help.need.0).into());
        set("round", i64::from(help.round).into());
        set("t", help.now.as_secs_f64().into());
        set("shame", help.shame.into());
        set("threshold", help.threshold.into());
        set("distance_m", help.distance_m.into());
        set("eta_s", help.eta.as_secs_f64().into());
        set("since_help_s", help.since_help.as_secs_f64().into());
        self.decided(ANSWERS, map.into(), |answer| answer.as_bool().ok(), "give true or false")
    }

    fn chooses(&self, offers: &[Offer]) -> Result<usize, Undecided> {
        if !self.chooses {
            let least = offers.iter().enumerate().min_by_key(|(_, offer)| (offer.eta, offer.from));
            return least.map(|(index, _)| index).ok_or(Undecided { line: 0 });
        }
        let given = offers.iter().map(|offer| {
            let eta_s: Dynamic = offer.eta.as_secs_f64().into();
            Dynamic::from(Map::from([("robot".into(), i64::from(offer.from.0).into()), ("eta_s".into(), eta_s)]))
        });
        let index = |answer: &Dynamic| {
            let index = usize::try_from(answer.as_int().ok()?).ok()?;
            (index < offers.len()).then_some(index)
        };
        let wanted = "give the place of an offer in the list, from 0";
        self.decided(CHOOSES, given.collect::<Array>().into(), index, wanted)
    }
}
