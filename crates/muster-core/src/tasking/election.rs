//! PEERs elect a LEAD: claims are tabulated, then perceived winners are exchanged. [MacKenzie Figure 1 e]

use std::collections::BTreeMap;

use super::after::After;
use super::desk::{Desk, Watch};
use super::group::Phases;
use super::{Context, Message, Step};
use crate::mechanism::Recipient;
use crate::robot::RobotId;
use crate::time::Time;

/// An election, as one of those who take part in it sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Election {
    /// The tasks that are to be led.
    pub phases: Phases,
    /// The attempt that the winner begins.
    pub epoch: u32,
    /// "Our perceived winner".
    pub winner: RobotId,
    /// The nodes that have claimed, and which of the tasks.
    pub claims: BTreeMap<RobotId, Phases>,
}

impl Election {
    /// This node claims, and so does `other` if that is somebody.
    pub(super) fn new(desk: Desk<'_>, cx: &Context<'_>, phases: Phases, epoch: u32, other: Option<RobotId>) -> Self {
        let claims = other.into_iter().chain([cx.me()]).map(|claimed| (claimed, phases)).collect();
        let mut election = Self { phases, epoch, winner: cx.me(), claims };
        if let Some(other) = other {
            election.tabulate(desk, cx.now(), other);
        }
        election
    }

    /// Takes part in an election: grants the tasks to no earlier attempt from here on. At most once only.
    pub(super) fn promise(at: &mut Watch<'_>, phases: Phases, epoch: u32) -> After {
        if !at.known.at_most_once() {
            return After::nothing();
        }
        for index in phases.iter() {
            at.known.promises(index, epoch);
        }
        After::remember()
    }

    /// Another's vote belongs to the same election, or to a later one that this node joins. A node that votes has
    /// claimed, whether its claim was heard or not.
    pub(super) fn merge(
        &mut self,
        at: &mut Watch<'_>,
        cx: &Context<'_>,
        from: RobotId,
        phases: Phases,
        epoch: u32,
        candidate: RobotId,
    ) -> After {
        let fair = at.craft.config.fixes.fair;
        self.phases = self.phases.with(phases);
        for claimed in [from, cx.me()] {
            let claims = self.claims.entry(claimed).or_default();
            *claims = claims.with(phases);
        }
        let after = Self::promise(at, phases, epoch.max(self.epoch));
        if fair && epoch < self.epoch {
            return after;
        }
        if fair && epoch > self.epoch {
            self.epoch = epoch;
            at.known.has_come_to(epoch);
            self.winner = cx.me();
            for claimed in self.claims.keys().copied().collect::<Vec<_>>() {
                self.tabulate(at.desk(), cx.now(), claimed);
            }
        }
        self.tabulate(at.desk(), cx.now(), candidate);
        after
    }

    /// "Update winner if neighbor has higher GUID winner".
    fn tabulate(&mut self, desk: Desk<'_>, now: Time, other: RobotId) {
        if rank(desk, now, other, self.epoch) > rank(desk, now, self.winner, self.epoch) {
            self.winner = other;
        }
    }

    pub(super) fn say_winner(&self, desk: Desk<'_>, cx: &mut Context<'_>, round: u32) {
        let Self { phases, epoch, winner, .. } = *self;
        let about = desk.known.about(desk.craft);
        desk.say(cx, Recipient::All, Message::PerceivedWinner { about, phases, epoch, winner, round });
    }

    /// It is over. The tasks that this node has to lead: those of which enough have claimed the lead, if it has won.
    pub(super) fn conclude(&self, desk: Desk<'_>, cx: &mut Context<'_>) -> Phases {
        let Self { phases, epoch, winner, .. } = *self;
        desk.known.note_all(cx, phases, Step::Elected { epoch, winner });
        if winner != cx.me() {
            return Phases::NONE;
        }
        let claims = |index: usize| self.claims.values().filter(|phases| phases.has(index)).count();
        let enough = |index: usize| !desk.known.at_most_once() || claims(index) >= desk.craft.config.quorum();
        let mine = desk.known.those(phases, enough);
        for index in phases.without(mine).iter() {
            desk.known.note(cx, index, Step::NoQuorum { claims: claims(index) as u32 });
        }
        mine
    }
}

/// How a node ranks in an election: by the highest GUID as drawn, else by a lot that differs for every task and epoch.
fn rank(desk: Desk<'_>, now: Time, robot: RobotId, epoch: u32) -> (bool, u64, u32) {
    if !desk.craft.config.fixes.fair {
        return (true, 0, robot.0);
    }
    let out = desk.known.slots().iter().any(|slot| slot.passes_over(robot, now));
    (!out, lot(robot.0, desk.known.first().0, epoch), robot.0)
}

/// A number that is different for every robot, task and epoch, and the same for every node that asks.
fn lot(robot: u32, task: u32, epoch: u32) -> u64 {
    // The finaliser of SplitMix64 over the three: cheap, and every bit depends on all of them.
    let mut z = u64::from(robot) << 32 ^ u64::from(task) ^ u64::from(epoch).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
