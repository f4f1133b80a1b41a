//! What goes wrong in a soak, and what must hold all the same.

/// A plan.
#[derive(Debug)]
pub struct Plan {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub about: &'static str,
    /// How it changes the minefield.
    pub changes: &'static [&'static str],
    /// Faults.
    pub sabotage: Sabotage,
    /// The share of runs in which every task must be handed over.
    pub required: f64,
    /// With `gage_2004`, two robots at one task must be met.
    pub overlaps_expected: bool,
}

/// The plans, each a promise: five recruitments over a radio this bad, with faults such as these.
pub const PLANS: [Plan; 6] = [
    Plan {
        name: "loss-25",
        about: "a quarter of all messages lost: every task is handed over within 24 hours",
        changes: &["radio.loss=0.25", "limit_h=24"],
        sabotage: Sabotage::None,
        required: 1.0,
        overlaps_expected: true,
    },
    Plan {
        name: "loss-50",
        about: "half of all messages lost: 99.9 % of missions are complete within 24 hours",
        changes: &["radio.loss=0.5", "limit_h=24"],
        sabotage: Sabotage::None,
        required: 0.999,
        overlaps_expected: true,
    },
    Plan {
        name: "loss-75",
        about: "three quarters of all messages lost: 95 % of missions are complete within 72 hours",
        changes: &["radio.loss=0.75", "limit_h=72"],
        sabotage: Sabotage::None,
        required: 0.95,
        overlaps_expected: true,
    },
    Plan {
        name: "faults",
        about: "25 % loss in bursts, doubled and overtaken messages, robots that die, restart, hang, go deaf or mute",
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
    },
    Plan {
        name: "stragglers",
        about: "doubled messages, held back for seconds, and robots that restart: no AGREE to an earlier ARRIVAL counts",
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
    },
    Plan {
        name: "requester-dies",
        about: "the requester dies for good at any stage: every responder is idle after its time-outs and one lease",
        changes: &["radio.loss=0.25", "limit_h=24"],
        sabotage: Sabotage::RequesterDies,
        required: 0.0,
        overlaps_expected: false,
    },
];

/// Which robots fail, and how.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// None.
    None,
    /// Responders die, restart, hang, go deaf or mute at every stage; requesters do the same but never die.
    /// Ends after twenty minutes of simulated time.
    EveryStage,
    /// Robots restart at every stage, within half a second, with memory and without, above all those that have arrived.
    /// Ends after twenty minutes of simulated time.
    Restarts,
    /// The requester dies for good, at any stage.
    RequesterDies,
}

/// How long robots fail. A mission without faults takes a quarter of an hour at least, so most runs go on after it.
pub const FAULT_PHASE_S: u64 = 1_200;

/// Faults by whom, and the stages at which each has to strike at least once.
type Expected = (&'static [&'static str], &'static [&'static str]);

const RESPONDER_STAGES: &[&str] = &["offered", "travelling", "arrived", "working"];
const RESTARTS: &[&str] = &["restart", "restart without memory"];
// Pausing is left out: greedy hardly ever does, since somebody answers every call that is heard.
const REQUESTER_STAGES: &[&str] = &["collecting", "awaiting arrival", "awaiting ackack"];

impl Sabotage {
    /// What has to strike at least once in a soak that is long enough.
    pub fn expected(self) -> impl Iterator<Item = String> {
        let all: &[Expected] = match self {
            Self::None => &[],
            Self::EveryStage => {
                &[(&["stop"], RESPONDER_STAGES), (RESTARTS, RESPONDER_STAGES), (RESTARTS, REQUESTER_STAGES)]
            }
            Self::Restarts => &[(RESTARTS, RESPONDER_STAGES), (RESTARTS, REQUESTER_STAGES)],
            Self::RequesterDies => &[(&["stop"], REQUESTER_STAGES)],
        };
        all.iter().flat_map(|(faults, stages)| {
            faults.iter().flat_map(move |fault| stages.iter().map(move |stage| format!("{fault} while {stage}")))
        })
    }
}
