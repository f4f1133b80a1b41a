//! What fits: without it no run would get past its first wait.

use muster_core::tasking::BidderStage;
use muster_core::tasking::OrderState;
use muster_core::tasking::cost::Quote;
use muster_core::tasking::group::Phases;
use muster_core::tasking::turnaround::Turnaround;
use muster_core::tasking::{Ballot, Deed, Holder, Message};
use muster_core::tasking::{LeadStage, Notice};
use muster_core::{Duration, RobotId, Time};

use super::ME;
use crate::world::{LIFE, V1, V2, V4, V5, about, template};

/// Something that a well-behaved team mate might say to `entry` now.
pub fn fitting(entry: &OrderState, now: Time, how: u8) -> (RobotId, Message) {
    let group = entry.group().clone();
    let apart = group.decomposed(Some(&template())).or(group.decomposed(None)).unwrap_or(group.clone());
    let apart = if group.is_decomposed() { group.clone() } else { apart };
    let (about, full) = (about(&group), about(&apart));
    let all = Phases::first(group.len());
    let slot = &entry.slots()[0];
    let other = [V1, V2, V4, V5][usize::from(how / 8) % 4];
    let next = Ballot::new(slot.ballot.epoch + 1, other);
    let soon = now + Duration::from_secs(30);
    let lead = slot.ballot.by();
    if let Some(bidder) = entry.bidder() {
        let ballot = bidder.ballot;
        let index = bidder.phases.iter().next().unwrap_or(0) as u8;
        let at = match how {
            255 => Time::NEVER,
            254 => Time::from_micros(1 << 63),
            _ => now + Duration::from_secs(25),
        };
        let plan = vec![(index, Holder { robot: ME, at, heading: 180_000 })];
        let message = match &bidder.stage {
            BidderStage::BidAck { .. } if !how.is_multiple_of(4) => Message::BidAck { about, ballot },
            BidderStage::AcceptAck { won, .. } if !how.is_multiple_of(4) => {
                Message::AcceptAck { about, ballot, index: won[0].index }
            }
            _ => Message::Assignment { about, ballot, plan, t0: now },
        };
        return (ballot.by(), message);
    }
    if let Some(lead) = entry.lead()
        && !how.is_multiple_of(8)
    {
        let ballot = lead.ballot;
        return match &lead.stage {
            LeadStage::Notifying(Notice { plan, .. }) => {
                let (index, holder) = plan[usize::from(how) % plan.len()];
                (holder.robot, Message::Accept { about, ballot, index })
            }
            _ => {
                let flat = |n: usize| Quote::Sampled((0..168).map(|at| (at * 3 + n * 100) as u16 + 100).collect());
                let costs = lead.phases.iter().map(|n| flat(n + usize::from(how))).collect();
                // Every other one would do several.
                let turnaround = Turnaround {
                    speed_mmps: 1_000 * u32::from(how),
                    most: how % 5,
                    loads: u16::from(how),
                    saves: 20 * u16::from(how),
                    turn: 100,
                    more: vec![i32::from(how) * 100 - 9_000; 8],
                };
                match how % 2 {
                    0 => (other, Message::Bid { about, ballot, costs }),
                    _ => (other, Message::BidForSeveral { about, ballot, costs, turnaround }),
                }
            }
        };
    }
    match how % 8 {
        0 => (
            other,
            Message::Solicitation {
                about: full,
                ballot: next,
                phases: all,
                t0: soon,
                closes: now + Duration::from_secs(3),
            },
        ),
        1 => (group.user, Message::AckLead { about, lead: ME, epoch: slot.ballot.epoch + 1 }),
        2 => (other, Message::ClaimLead { about }),
        3 => {
            let holder = Holder { robot: other, at: soon, heading: 0 };
            let (index, number) = (how / 32 % 3, u32::from(how));
            let index = index.min(group.len() as u8 - 1);
            (
                other,
                Message::Status {
                    about: full,
                    ballot: next,
                    index,
                    holder,
                    patience: Duration::ZERO,
                    number,
                    asks: (how > 127).then_some(LIFE),
                },
            )
        }
        4 => (other, Message::Claim { about, phases: all, epoch: slot.ballot.epoch + 1 }),
        5 => (other, Message::Challenge { about, phases: all, double: false }),
        6 => {
            let deed = Deed { first: group.first(), index: how / 64, version: group.version, by: other, at: now };
            (other, Message::Done { deeds: vec![deed] })
        }
        _ => (other, Message::Grant { about, ballot: Ballot::new(slot.ballot.epoch, lead), life: LIFE, index: 0 }),
    }
}
