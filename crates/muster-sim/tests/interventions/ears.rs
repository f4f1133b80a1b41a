//! What robots hear and are told of what somebody does, and a small mission to hear it in.

use std::sync::Arc;

use muster_core::recruitment::Recruitment;
use muster_core::{Mechanism, Order, Recipient, RobotId, TaskId, Time};
use muster_sim::radio::Fate;
use muster_sim::scenario::{self, Loaded};
use muster_sim::scheme::{Visit, staff};
use muster_sim::{Ledger, Observer, Origin, Sim};

use crate::origin;

/// Hears what is sent, and who hears it.
#[derive(Clone, Default)]
pub struct Ears {
    pub sent: Vec<(Time, RobotId, bool)>,
    pub heard: Vec<(Time, RobotId, RobotId)>,
    pub ordered: Vec<(Time, RobotId, Order)>,
    pub linked: Vec<(Time, RobotId, bool)>,
}

impl<M: Mechanism> Observer<M> for Ears {
    fn on_input(&mut self, now: Time, body: &muster_core::Body, input: &muster_core::Input<'_, M>, _: Option<u64>) {
        match input {
            muster_core::Input::Received { from, .. } => self.heard.push((now, *from, body.id)),
            muster_core::Input::Ordered(order) => self.ordered.push((now, body.id, *order)),
            muster_core::Input::Perceived(muster_core::Percept::Link(up)) => self.linked.push((now, body.id, *up)),
            _ => {}
        }
    }

    fn on_transmission(&mut self, now: Time, from: RobotId, _to: Recipient, _message: &M::Message, fate: Fate) {
        self.sent.push((now, from, fate == Fate::Lost));
    }
}

pub fn listen(loaded: &Arc<Loaded>, text: &str, until_s: f64) -> (Ears, Ledger) {
    let scheme = loaded.schemes()[0];
    let origin = origin(loaded, scheme, 1, text);
    let config = loaded.recruitment(scheme);
    let mut sim = Sim::of(&origin, |_| Recruitment::new(config.clone()), Ears::default());
    sim.start();
    sim.advance(Time::from_secs_f64(until_s));
    let ledger = sim.ledger().clone();
    (sim.into_observer(), ledger)
}

/// A caller and three helpers in a row; the caller is at 10 m, the helpers at 20, 30 and 40 m.
pub const ROW: &str = "limit_h = 1\n[field]\nwidth_m = 100\nheight_m = 50\n\
    [robots.caller]\nspeed_mps = 1\nplace = [10, 10]\n\
    [robots.a]\nspeed_mps = 1\nplace = [20, 10]\npercepts = [\"camera\"]\n\
    [robots.b]\nspeed_mps = 1\nplace = [30, 10]\npercepts = [\"camera\"]\n\
    [robots.c]\nspeed_mps = 1\nplace = [40, 10]\n\
    [tasks.never]\nseen_by = \"caller\"\nat_s = 3000\nneeds = [\"camera\"]\n\
    [recruitment]\nstrategy = \"greedy\"\n";

pub fn row() -> Arc<Loaded> {
    Arc::new(scenario::parse("row", "row.toml", ROW, &[]).unwrap())
}

/// Runs it to its end and hands back what was heard, and the ledger.
struct Heard<'a>(&'a Origin);

impl Visit for Heard<'_> {
    type Result = (Ears, Ledger, usize);

    fn visit<M: Mechanism>(self, machine: impl Fn(RobotId) -> M) -> Self::Result {
        let mut sim = Sim::of(self.0, machine, Ears::default());
        sim.run();
        let (ledger, without_effect) = (sim.ledger().clone(), sim.interventions_without_effect());
        (sim.into_observer(), ledger, without_effect)
    }
}

pub fn hear(loaded: &Arc<Loaded>, interventions: &[(f64, &str)]) -> (Ears, Ledger, usize) {
    let entry = |(at_s, what): &(f64, &str)| format!("[[interventions]]\nat_s = {at_s}\nauthor = \"x\"\n{what}\n");
    let text: String = interventions.iter().map(entry).collect();
    let origin = origin(loaded, loaded.schemes()[0], 1, &text);
    staff(&origin, Heard(&origin))
}

pub fn place(ledger: &Ledger, task: u32) -> (f64, f64) {
    let place = ledger.records()[task as usize].task.place;
    (place.x, place.y)
}

pub const SMOKE: &str =
    "order = { name = \"smoke\", place = [1500, 2500], order = { by = \"outpost\", priority = 1 } }";

/// Place, priority and number of what a console was told last of a task.
pub fn told_last(ears: &Ears, task: u32) -> ((f64, f64), u8) {
    let of_it = |(.., order): &(Time, RobotId, Order)| match *order {
        Order::Inject(brief) | Order::Modify(brief) => (brief.task.id == TaskId(task)).then_some(brief),
        Order::Cancel(_) => None,
    };
    let brief = ears.ordered.iter().filter_map(of_it).next_back().unwrap();
    ((brief.task.place.x, brief.task.place.y), brief.priority)
}
