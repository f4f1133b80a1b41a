//! What is soaked: which missions, what goes wrong in them, and what must hold all the same.

use muster_core::rng::Stream;

use super::draw;
use super::minefield::{Minefield, Sabotage};

/// A plan: a promise, and the missions on which it is tried.
#[derive(Debug)]
pub struct Plan {
    /// Its name on the command line.
    pub name: &'static str,
    /// The mechanism that it is about, or `reception`.
    pub mechanism: &'static str,
    /// What it shows, in a sentence.
    pub about: &'static str,
    /// On which missions.
    pub missions: Missions,
    /// The promise is known to be broken, and by which finding: it must fail until that is mended.
    pub expected_to_fail: Option<&'static str>,
}

/// The missions of a plan.
#[derive(Debug)]
pub enum Missions {
    /// The minefield, with changes and a saboteur, under each configuration and strategy of recruitment.
    Minefield(Minefield),
    /// One for each run, drawn from the seed of the run, with the promises that are looked at beside the invariants of
    /// every run of that mechanism.
    Drawn(fn(&mut Stream) -> String, Promise),
}

/// A promise that not every mission of a mechanism gives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Nothing beyond the invariants.
    Invariants,
    /// Every task that comes up is handed over before the mission ends.
    EverythingHandedOver,
    /// L-ALLIANCE: what a robot can do gets done, although there is something that it cannot do.
    DoableIsDone,
    /// L-ALLIANCE: a robot at work yields only to one that has got there.
    YieldsToWhoIsThere,
    /// Tasking: a vehicle can fly all that it has accepted.
    NobodyBookedTwice,
    /// Tasking: phases are flown in their order.
    PhasesInOrder,
    /// Tasking: a strict group is done as a whole or not at all.
    AllOrNothing,
}

const fn drawn(
    name: &'static str,
    mechanism: &'static str,
    about: &'static str,
    draw: fn(&mut Stream) -> String,
) -> Plan {
    let missions = Missions::Drawn(draw, Promise::Invariants);
    Plan { name, mechanism, about, missions, expected_to_fail: None }
}

/// The plans.
pub const PLANS: [Plan; 16] = [
    Plan {
        name: "loss-25",
        mechanism: "recruitment",
        about: "a quarter of all messages lost: every task is handed over within 24 hours",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.25", "limit_h=24"],
            sabotage: Sabotage::None,
            required: 1.0,
            overlaps_expected: true,
        }),
        expected_to_fail: None,
    },
    Plan {
        name: "loss-50",
        mechanism: "recruitment",
        about: "half of all messages lost: 99.9 % of missions are complete within 24 hours",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.5", "limit_h=24"],
            sabotage: Sabotage::None,
            required: 0.999,
            overlaps_expected: true,
        }),
        expected_to_fail: None,
    },
    Plan {
        name: "loss-75",
        mechanism: "recruitment",
        about: "three quarters of all messages lost: 95 % of missions are complete within 72 hours",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.75", "limit_h=72"],
            sabotage: Sabotage::None,
            required: 0.95,
            overlaps_expected: true,
        }),
        expected_to_fail: None,
    },
    Plan {
        name: "faults",
        mechanism: "recruitment",
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
        expected_to_fail: None,
    },
    Plan {
        name: "stragglers",
        mechanism: "recruitment",
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
        expected_to_fail: None,
    },
    Plan {
        name: "requester-dies",
        mechanism: "recruitment",
        about: "the requester dies for good at any stage: every responder is idle after its time-outs and one lease",
        missions: Missions::Minefield(Minefield {
            changes: &["radio.loss=0.25", "limit_h=24"],
            sabotage: Sabotage::RequesterDies,
            required: 0.0,
            overlaps_expected: false,
        }),
        expected_to_fail: None,
    },
    drawn(
        "recruitment",
        "recruitment",
        "any mission of recruitment, any radio, any faults: its invariants, rows that equal the ledger, recordings that verify",
        draw::recruitment::any,
    ),
    drawn(
        "alliance",
        "alliance",
        "any mission of L-ALLIANCE, any radio, any faults: its invariants, rows that equal the ledger, recordings that verify",
        draw::alliance::any,
    ),
    drawn(
        "tasking",
        "tasking",
        "any orders, any radio, any faults: no deed twice in one attempt, rows that equal the ledger, recordings that verify",
        draw::tasking::any,
    ),
    drawn(
        "reception",
        "reception",
        "any hall, any guests, any radio: nobody overlaps or leaves, no robot fails, a restored run goes on as it would have",
        draw::reception::any,
    ),
    Plan {
        name: "mutual-needs",
        mechanism: "recruitment",
        about: "two scanning robots that need each other: every task is handed over",
        missions: Missions::Drawn(draw::recruitment::mutual, Promise::EverythingHandedOver),
        expected_to_fail: Some("a robot at its stop counts as engaged, so each waits for the other for ever"),
    },
    Plan {
        name: "impossible-task",
        mechanism: "alliance",
        about: "a task that nobody can do beside tasks that anybody can: those are done",
        missions: Missions::Drawn(draw::alliance::never, Promise::DoableIsDone),
        expected_to_fail: Some("a robot goes back to what it has failed at, under every strategy"),
    },
    Plan {
        name: "taken-over-from-afar",
        mechanism: "alliance",
        about: "one robot at work, another far away: work goes on until the other is there",
        missions: Missions::Drawn(draw::alliance::far, Promise::YieldsToWhoIsThere),
        expected_to_fail: Some("who is at work yields to a statement, while the other is still on its way"),
    },
    Plan {
        name: "orders-at-once",
        mechanism: "tasking",
        about: "several orders at one instant: every vehicle can fly what it has accepted",
        missions: Missions::Drawn(draw::tasking::at_once, Promise::NobodyBookedTwice),
        expected_to_fail: Some("what is accepted but not acknowledged yet does not count as pending"),
    },
    Plan {
        name: "group-loses-one",
        mechanism: "tasking",
        about: "a vehicle of a group stops: no phase is flown before those that come before it",
        missions: Missions::Drawn(draw::tasking::stops, Promise::PhasesInOrder),
        expected_to_fail: Some("holders fly a phase whose predecessor is not done"),
    },
    Plan {
        name: "strict-group-loses-one",
        mechanism: "tasking",
        about: "the same with a strict template: all phases as coupled, or none",
        missions: Missions::Drawn(draw::tasking::strict, Promise::AllOrNothing),
        expected_to_fail: Some("a strict group goes on without the phase that was lost"),
    },
];
