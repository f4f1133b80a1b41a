//! The Collaborative Tasking Protocol as it was published: the state machines of Figure 1, the three claims of §2.1 with
//! their conditions, the example mission of §4. [MacKenzie 2003]
//!
//! Everything here is about `Variant::Drawn` unless a test says otherwise. The paper names no times: those of
//! `Config::mackenzie_2003` are meant. Every time-out is as short as chance allows unless a test is about chance.

mod bidder;
mod claims;
mod lead;
mod mission;
mod panel;
mod peer;
mod user;

use std::collections::BTreeSet;

use muster_core::tasking::LeadStage;
use muster_core::tasking::PeerStage;
use muster_core::tasking::UserStage;
use muster_core::tasking::config::Config;
use muster_core::tasking::cost::Quote;
use muster_core::tasking::group::{Group, Phases};
use muster_core::tasking::{Message, Step, Timer, Variant, Vehicle};
use muster_core::{Action, Brief, Duration, Order, Output, Percept, Percepts, Point, Recipient, RobotId, TaskId, Time};

use crate::world::*;

use Variant::{Drawn, Fenced};

/// A vehicle of a team of five and a console.
fn vehicle(id: RobotId, away_s: f64) -> Node {
    Node::vehicle(id, away_s, config(Drawn, 6))
}

fn user() -> Node {
    Node::console(USER, config(Drawn, 6))
}

/// The order as the USER tells it.
fn asked() -> std::sync::Arc<Group> {
    Group::new(USER, brief(), 0)
}

fn task() -> Message {
    Message::Task { about: about(&asked()) }
}

fn claim_lead() -> Message {
    Message::ClaimLead { about: by_name(&asked()) }
}

fn ack_lead(lead: RobotId, epoch: u32) -> Message {
    Message::AckLead { about: by_name(&asked()), lead, epoch }
}

/// V1, 26.6 s away, has been made the LEAD at 0.1 s.
fn lead() -> Node {
    let mut node = vehicle(V1, 26.6);
    node.give(hears(USER, task()));
    node.give_at(0.1, hears(USER, ack_lead(V1, 1)));
    node
}

/// What `node` would bid for X at 0.1 s.
fn bid_by(mut node: Node) -> Message {
    let outputs = node.give_at(0.1, hears(V1, solicitation(about(&group()), ballot(1, V1), 3.1, 7.3)));
    sent(&outputs).next().expect("it bids").1.clone()
}

/// V5, 14.6 s away, has bid to V1 at 0 s and been acknowledged.
fn bidder() -> Node {
    let mut node = vehicle(V5, 14.6);
    node.give(hears(V1, solicitation(about(&group()), ballot(1, V1), 3.0, 7.0)));
    node.give(hears(V1, Message::BidAck { about: by_name(&group()), ballot: ballot(1, V1) }));
    node
}

/// V5 has X in its queue since 3 s, for 22 s.
fn assigned() -> Node {
    let mut node = bidder();
    node.give_at(3.0, hears(V1, to_v5()));
    node.give(hears(V1, accept_ack()));
    assert!(node.holds(X));
    node
}

fn to_v5() -> Message {
    assignment(by_name(&group()), ballot(1, V1), &[(0, holder(V5, 22.0))], 7.0)
}

fn accept() -> Message {
    Message::Accept { about: by_name(&group()), ballot: ballot(1, V1), index: 0 }
}

fn accept_ack() -> Message {
    Message::AcceptAck { about: by_name(&group()), ballot: ballot(1, V1), index: 0 }
}

/// A report of V5 on X.
fn report(number: u32) -> Message {
    status(about(&group()), ballot(1, V1), holder(V5, 22.0), number)
}

/// A PEER that has heard V5 report at 0 s.
fn peer(id: RobotId) -> Node {
    let mut node = vehicle(id, 20.0);
    node.give(hears(V5, report(1)));
    node
}

/// The three vehicles of §4 where they reproduce its figures (specification, section 5).
fn doug(variant: Variant) -> Team {
    let config = config(variant, 4);
    let vehicle = |id, x, y| Node::new(id, Point::new(x, y), config.clone(), Vehicle::hotspot());
    Team::new([
        Node::console(USER, config.clone()),
        vehicle(V2, 17.94, 14.04),
        vehicle(V3, 25.54, 51.28),
        vehicle(V4, 46.40, 27.90),
    ])
}
