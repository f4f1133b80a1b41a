//! What is soaked: which missions, what goes wrong in them, and what must hold all the same.

use muster_core::alliance::Alliance;
use muster_core::recruitment::Recruitment;
use muster_core::rng::Stream;
use muster_core::tasking::Tasking;
use muster_core::{Check, Mechanism};
use muster_reception::Reception;
use muster_reception::scenario::Party;
use muster_sim::Mission;
use muster_sim::checks::{self, TeamCheck};

use super::draw::{self, Texts};
use super::minefield::{Minefield, Sabotage};
use super::mission;

/// A plan: a promise, and the missions on which it is tried.
#[derive(Debug)]
pub struct Plan {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub about: &'static str,
    /// On which missions.
    pub missions: Missions,
    /// What is known to be broken in it: it must fail until that is mended.
    pub broken: Option<Broken>,
}

/// A promise that is known to be broken. No other failure counts as this one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The name of the check that fails.
    pub check: &'static str,
    /// Why it does.
    pub why: &'static str,
}

/// The missions of a plan. A promise is a check of the mechanism that the plan is about: with another one it has no type.
#[derive(Debug)]
pub enum Missions {
    /// The minefield, with changes and a saboteur, under each configuration and strategy of recruitment.
    Minefield(Minefield),
    /// Robots that recruit each other, in missions drawn from the seed.
    Recruitment(Drawn<Recruitment>),
    /// Robots that grow impatient, in missions drawn from the seed.
    Alliance(Drawn<Alliance>),
    /// Nodes that auction tasks, in missions drawn from the seed.
    Tasking(Drawn<Tasking>),
    /// Receptions drawn from the seed.
    Reception(DrawnReception),
}

/// What is promised of missions of `M` beyond the invariants of every run.
pub type Promise<M> = fn(&Mission) -> TeamCheck<M>;

/// What is promised of receptions beyond the invariants of every run.
pub type ReceptionPromise = fn(&Party) -> Box<dyn Check<Reception>>;

/// Missions that are drawn from the seed of each run.
#[derive(Debug)]
pub struct Drawn<M: Mechanism> {
    /// Draws one.
    pub draw: fn(&mut Stream) -> Texts,
    /// What is promised of it, if it is more than the invariants.
    pub promise: Option<Promise<M>>,
    /// What a soak that is long enough must have met, in the words of `mission::met`.
    pub meets: &'static [&'static str],
}

/// Receptions that are drawn from the seed of each run.
#[derive(Debug)]
pub struct DrawnReception {
    /// Draws one.
    pub draw: fn(&mut Stream) -> Texts,
    /// What is promised of it, if it is more than the invariants.
    pub promise: Option<ReceptionPromise>,
}

impl Missions {
    /// What draws the mission of a run, if it is drawn.
    pub fn draw(&self) -> Option<fn(&mut Stream) -> Texts> {
        match self {
            Self::Minefield(_) => None,
            Self::Recruitment(drawn) => Some(drawn.draw),
            Self::Alliance(drawn) => Some(drawn.draw),
            Self::Tasking(drawn) => Some(drawn.draw),
            Self::Reception(drawn) => Some(drawn.draw),
        }
    }

    /// What a soak on missions that are drawn must have met.
    pub fn meets(&self) -> &'static [&'static str] {
        match self {
            Self::Minefield(_) | Self::Reception(_) => &[],
            Self::Recruitment(drawn) => drawn.meets,
            Self::Alliance(drawn) => drawn.meets,
            Self::Tasking(drawn) => drawn.meets,
        }
    }
}

impl Plan {
    /// The mechanism that it is about, or `reception`.
    pub fn mechanism(&self) -> &'static str {
        match self.missions {
            Missions::Minefield(_) | Missions::Recruitment(_) => "recruitment",
            Missions::Alliance(_) => "alliance",
            Missions::Tasking(_) => "tasking",
            Missions::Reception(_) => "reception",
        }
    }
}

/// What missions of groups have to have met: each promise was put to the test.
const GROUPS: [&str; 7] =
    [mission::ALL_DONE, mission::AT_ONCE, mission::JOINED, mission::WHOLE, mission::PREFIX, "stop", "restart"];

/// The plans.
pub const PLANS: [Plan; 22] = [
    Plan {
        name: "loss-25",
        about: "a quarter of all messages lost: every task is handed over within 24 hours",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.25", "limit_h=24"],
            sabotage: Sabotage::None,
            required: 1.0,
            overlaps_expected: true,
        }),
        broken: None,
    },
    Plan {
        name: "loss-50",
        about: "half of all messages lost: 99.9 % of missions are complete within 24 hours",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.5", "limit_h=24"],
            sabotage: Sabotage::None,
            required: 0.999,
            overlaps_expected: true,
        }),
        broken: None,
    },
    Plan {
        name: "loss-75",
        about: "three quarters of all messages lost: 95 % of missions are complete within 72 hours",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.75", "limit_h=72"],
            sabotage: Sabotage::None,
            required: 0.95,
            overlaps_expected: true,
        }),
        broken: None,
    },
    Plan {
        name: "faults",
        about: "25 % loss in bursts, doubled and overtaken messages, robots that die, restart, hang, go deaf or mute",
        missions: Missions::Minefield(Minefield {
            changes: &[
                "radio.loss=0.25",
                "radio.duplication=0.1",
                "radio.reordering=0.1",
                "radio.straggle_s=8",
                "radio.jitter_ms=200",
                "radio.bursts={ good_s = 60, bad_s = 10, loss = 1.0 }",
                "limit_h=24",
            ],
            sabotage: Sabotage::EveryStage,
            required: 1.0,
            overlaps_expected: true,
        }),
        broken: None,
    },
    Plan {
        name: "stragglers",
        about: "doubled messages, held back for seconds, and robots that restart: no AGREE to an earlier ARRIVAL counts",
        missions: Missions::Minefield(Minefield {
            // Ground robots drive fast: what is left of an earlier handshake must still be about when the next one begins.
            changes: &[
                "robots.idle.speed_mps=20",
                "robots.west.speed_mps=20",
                "robots.east.speed_mps=20",
                "radio.loss=0.1",
                "radio.duplication=0.9",
                "radio.reordering=0.3",
                "radio.straggle_s=12",
                "limit_h=24",
            ],
            sabotage: Sabotage::Restarts,
            required: 1.0,
            overlaps_expected: true,
        }),
        broken: None,
    },
    Plan {
        name: "requester-dies",
        about: "the requester dies for good at any stage: every responder is idle after its time-outs and one lease",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.25", "limit_h=24"],
            sabotage: Sabotage::RequesterDies,
            required: 0.0,
            overlaps_expected: false,
        }),
        broken: None,
    },
    Plan {
        name: "recruitment",
        about: "any mission of recruitment, any radio, faults and interventions: its invariants, rows that equal the ledger, recordings that verify",
        missions: Missions::Recruitment(Drawn {
            draw: draw::recruitment::any,
            promise: None,
            meets: &[
                mission::ALL_DONE,
                "a script",
                "a new task",
                "a cancelled task",
                "stop",
                "pause",
                "restart",
                "restart without memory",
                "deaf",
                "mute",
                "offline",
                "back",
                "a jam",
                "a cut",
                "a partition",
            ],
        }),
        broken: None,
    },
    Plan {
        name: "alliance",
        about: "any mission of L-ALLIANCE, any radio, faults and interventions: its invariants, rows that equal the ledger, recordings that verify",
        missions: Missions::Alliance(Drawn {
            draw: draw::alliance::any,
            promise: None,
            meets: &[
                mission::ALL_DONE,
                "a box",
                "a task that recurs",
                "practice",
                "a new task",
                "a cancelled task",
                "a task that is moved",
                "stop",
                "pause",
                "restart",
                "restart without memory",
                "deaf",
                "mute",
                "offline",
                "back",
                "a jam",
                "a cut",
                "a partition",
            ],
        }),
        broken: None,
    },
    Plan {
        name: "tasking",
        about: "any orders, any radio, faults and interventions: no deed twice in one attempt, rows that equal the ledger, recordings that verify",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::any,
            promise: None,
            meets: &[
                mission::ALL_DONE,
                "a change of mind",
                "a new task",
                "a cancelled task",
                "a task that is moved",
                "another priority",
                "stop",
                "pause",
                "restart",
                "restart without memory",
                "deaf",
                "mute",
                "offline",
                "back",
                "a jam",
                "a cut",
                "a partition",
            ],
        }),
        broken: None,
    },
    Plan {
        name: "reception",
        about: "any hall, any guests, any radio: nobody overlaps or leaves, no robot fails, a restored run goes on as it would have, the row is that of the log, the list of entries verifies",
        missions: Missions::Reception(DrawnReception { draw: draw::reception::any, promise: None }),
        broken: None,
    },
    Plan {
        name: "mutual-needs",
        about: "two scanning robots that need each other: every task is handed over",
        missions: Missions::Recruitment(Drawn {
            draw: draw::recruitment::mutual,
            promise: Some(|_| Box::new(checks::EverythingHandedOver)),
            meets: &[mission::ALL_DONE],
        }),
        broken: None,
    },
    Plan {
        name: "cycles",
        about: "two to five robots that scan and wait for each other in cycles and chains, up to 30 % loss: every task is handed over",
        missions: Missions::Recruitment(Drawn {
            draw: draw::recruitment::cycles,
            promise: Some(|_| Box::new(checks::EverythingHandedOver)),
            meets: &[mission::ALL_DONE],
        }),
        broken: None,
    },
    Plan {
        name: "renewed-leases",
        about: "work that outlasts its leases, some of them shortened, 30 % loss and doubled messages: never two at one task, every task is done",
        missions: Missions::Recruitment(Drawn {
            draw: draw::recruitment::renewed,
            promise: Some(|_| Box::new(checks::EverythingHandedOver)),
            meets: &[mission::ALL_DONE, mission::RENEWED],
        }),
        broken: None,
    },
    Plan {
        name: "impossible-task",
        about: "a task that nobody can do beside tasks that anybody can: those are done",
        missions: Missions::Alliance(Drawn {
            draw: draw::alliance::never,
            promise: Some(|mission| {
                let labour = mission.labour.clone().unwrap_or_default();
                Box::new(checks::DoableIsDone::new(&labour, mission.limit))
            }),
            meets: &[mission::ONE_DONE],
        }),
        broken: Some(Broken {
            check: "what can be done is done",
            why: "a robot goes back to what it has failed at, under every strategy",
        }),
    },
    Plan {
        name: "taken-over-from-afar",
        about: "one robot at work, another far away: work goes on until the other is there",
        missions: Missions::Alliance(Drawn {
            draw: draw::alliance::far,
            promise: Some(|_| Box::<checks::YieldsToWhoIsThere>::default()),
            meets: &[mission::ONE_DONE],
        }),
        broken: Some(Broken {
            check: "yields to who is there",
            why: "who is at work yields to a statement, while the other is still on its way",
        }),
    },
    Plan {
        name: "orders-at-once",
        about: "several orders at one instant: every vehicle can fly what it has accepted",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::at_once,
            promise: Some(|_| Box::<checks::NobodyBookedTwice>::default()),
            meets: &[mission::ONE_DONE],
        }),
        broken: None,
    },
    Plan {
        name: "groups",
        about: "any groups of any phases, vehicles that stop, join and restart: nobody is booked twice, phases in order, strict groups whole or as far as they came, no order goes round in circles",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::groups,
            promise: Some(|_| Box::<checks::GroupsHoldTogether>::default()),
            meets: &GROUPS,
        }),
        broken: None,
    },
    Plan {
        name: "groups-20",
        about: "the same where a fifth of all messages is lost to each receiver",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::groups_20,
            promise: Some(|_| Box::<checks::GroupsHoldTogether>::default()),
            meets: &GROUPS,
        }),
        broken: None,
    },
    Plan {
        name: "groups-lossy",
        about: "the same where 10 to 30 % of all messages are lost to each receiver",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::groups_lossy,
            promise: Some(|_| Box::<checks::GroupsHoldTogether>::default()),
            meets: &GROUPS,
        }),
        broken: None,
    },
    Plan {
        name: "sorties",
        about: "vehicles with little endurance and few loads, bases, groups and single tasks: nobody runs out, and all is done",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::sorties,
            promise: Some(|_| Box::new(checks::EverythingHandedOver)),
            meets: &[mission::ALL_DONE, mission::RELOADED],
        }),
        broken: None,
    },
    Plan {
        name: "group-loses-one",
        about: "a vehicle of a group stops: no phase is flown before those that come before it",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::stops,
            promise: Some(|_| Box::<checks::PhasesInOrder>::default()),
            meets: &[mission::ONE_DONE],
        }),
        broken: None,
    },
    Plan {
        name: "strict-group-loses-one",
        about: "the same with a strict template: all phases as coupled, or those before the one that was lost",
        missions: Missions::Tasking(Drawn {
            draw: draw::tasking::strict,
            promise: Some(|_| Box::<checks::AllOrNothing>::default()),
            meets: &[mission::ONE_DONE],
        }),
        broken: None,
    },
];
