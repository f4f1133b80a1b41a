//! Explanations as JSON.

use muster_core::telling::{Award, Line, Nobody, Offer, Quiet, Reason, Value};
use serde_json::{Value as Json, json};

use super::Explainer;

impl Explainer<'_> {
    /// A line: of a robot, or by an author that is none, who may have done something to a robot.
    pub fn line_to_json(&self, line: &Line) -> Json {
        let task = line.gist.task.map(|task| self.task(task).to_string());
        json!({
            "at_s": line.at.as_secs_f64(),
            "robot": line.subject().map(|robot| self.robot(robot).to_string()),
            "author": line.author,
            "task": task,
            "text": line.text,
            "kind": line.gist.kind.word(),
        })
    }

    /// An award. What an offer is worth has the key of what it is measured in.
    pub fn award_to_json(&self, award: &Award) -> Json {
        let offer = |offer: &Offer| {
            let mut json = json!({"robot": &*self.robot(offer.robot)});
            let value = offer.value.or(award.chosen.value);
            if let Some(value) = value {
                json[value.key()] = json!(offer.value.map(Value::number));
            }
            json
        };
        let quiet = |quiet: &Quiet| {
            let mut json = json!({"robot": &*self.robot(quiet.robot), "why": quiet.word});
            json[quiet.weighed_key] = json!(quiet.weighed);
            json
        };
        let mut json = json!({
            "at_s": award.at.as_secs_f64(),
            "requester": &*self.robot(award.by),
            "task": &*self.task(award.task),
            "chosen": offer(&award.chosen),
            "others": award.heard().map(offer).collect::<Vec<_>>(),
            "unheard": award.unheard().map(offer).collect::<Vec<_>>(),
            "silent": award.silent.iter().map(quiet).collect::<Vec<_>>(),
        });
        if let Some(key) = award.round_key {
            json[key] = award.round.into();
        }
        if let Some(robot) = award.taken_from {
            json["taken_from"] = json!(&*self.robot(robot));
        }
        json
    }

    /// Why nobody took a task.
    pub fn nobody_to_json(&self, nobody: &Nobody) -> Json {
        let reason = |reason: &Reason| json!({"why": reason.why, "count": reason.count, "text": reason.text});
        json!({
            "task": &*self.task(nobody.task),
            "under_way": nobody.under_way,
            "reasons": nobody.reasons.iter().map(reason).collect::<Vec<_>>(),
        })
    }
}
