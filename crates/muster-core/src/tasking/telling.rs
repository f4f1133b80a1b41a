//! Why vehicles were chosen, challenged and replaced: the steps of the protocol in words, and what was bid.

use std::collections::BTreeMap;

use super::cost::{Grid, Surface};
use super::lead::Leeway;
use super::step::{Break, Means};
use super::untaken::{End, Verdict, Want, hitch};
use super::{Holder, Sharing, Step};
use crate::event::Event;
use crate::robot::RobotId;
use crate::task::TaskId;
use crate::telling::{Award, Fact, Gist, Kind, Mark, Noted, Offer, Reason, Telling, Value, Weight, Wording, counted};
use crate::time::Time;

/// The auctions of a run so far: of each task that is not done the last one.
#[derive(Clone, Debug, Default)]
pub struct Auctions {
    open: BTreeMap<TaskId, Bidding>,
    wants: BTreeMap<TaskId, Want>,
}

/// The bids of one auction for one task.
#[derive(Clone, Debug)]
struct Bidding {
    lead: RobotId,
    epoch: u32,
    t0: Time,
    grid: Grid,
    /// What each vehicle would do it for; `None` if it cannot.
    bids: BTreeMap<RobotId, Option<Surface>>,
}

/// A task that was auctioned, and what was bid for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lot {
    /// The task.
    pub task: TaskId,
    /// The vehicle that led the auction.
    pub lead: RobotId,
    /// When it was assigned.
    pub at: Time,
    /// When times begin to count.
    pub t0: Time,
    /// The winner, with time and heading.
    pub holder: Holder,
    /// The cost of that, in hundredths.
    pub cost: u32,
    /// The bids, cheapest first; the winner's is among them.
    pub bids: Vec<(RobotId, Surface)>,
    /// Times and headings of all bids.
    pub grid: Grid,
}

impl Auctions {
    /// What was bid, if a step assigns its task. To be asked when the step was kept.
    pub fn lot(&self, noted: Noted, task: TaskId, step: &Step) -> Option<Lot> {
        let Step::Assigned { holder, cost, .. } = *step else { return None };
        let Bidding { lead, t0, grid, bids, .. } = self.open.get(&task).filter(|it| it.lead == noted.robot)?;
        let mut bids: Vec<(RobotId, Surface)> =
            bids.iter().filter_map(|(robot, surface)| Some((*robot, surface.clone()?))).collect();
        bids.sort_by_key(|(robot, surface)| (surface.least(), *robot));
        Some(Lot { task, lead: *lead, at: noted.at, t0: *t0, holder, cost, bids, grid: *grid })
    }

    fn want(&mut self, task: TaskId) -> &mut Want {
        self.wants.entry(task).or_default()
    }

    fn bid(&mut self, lead: RobotId, task: TaskId, of: RobotId, surface: &Option<Surface>) {
        if let Some(bidding) = self.open.get_mut(&task).filter(|bidding| bidding.lead == lead) {
            bidding.bids.insert(of, surface.clone());
        }
    }
}

impl Telling for Auctions {
    type Step<'s> = (TaskId, &'s Step);

    fn gist(noted: Noted, (task, step): (TaskId, &Step)) -> Gist {
        let own = noted.robot;
        let of = |kind| Gist::of(kind, Some(task));
        match step {
            Step::Injected => of(Kind::Call),
            Step::Leads { epoch } => of(Kind::Auction).fact(Fact::Leads(*epoch)),
            Step::Solicited { epoch, .. } => of(Kind::Call).fact(Fact::Leads(*epoch)),
            Step::Bids { lead, .. } => of(Kind::Offer).about(*lead),
            Step::BidHeard { from, .. } => of(Kind::Offer).about(*from),
            Step::OwnBid { .. } => of(Kind::Offer).weighs(Weight::Detail),
            Step::NoGoodBids { .. } => of(Kind::Trouble).weighs(Weight::Decision),
            Step::Assigned { holder, cheapest: (cheapest, _), .. } => {
                let gist = of(Kind::Award).fact(Fact::Has(holder.robot)).weighs(Weight::Decision);
                gist.about(*cheapest).about(holder.robot)
            }
            Step::Shares { robot, .. } => of(Kind::Award).about(*robot),
            Step::Deleted { robot } => {
                of(Kind::Trouble).about(*robot).fact(Fact::GivesUp(*robot)).weighs(Weight::Decision)
            }
            Step::Refuses { lead } => of(Kind::Offer).about(*lead).fact(Fact::GivesUp(own)).weighs(Weight::Decision),
            Step::Refused { robot } => of(Kind::Offer).about(*robot).fact(Fact::GivesUp(*robot)),
            Step::Holds { .. } => of(Kind::Work).fact(Fact::Has(own)),
            Step::Yielded { to } => of(Kind::Auction).about(to.by()).fact(Fact::GivesUp(own)).weighs(Weight::Decision),
            Step::HandedBack => of(Kind::Auction).fact(Fact::GivesUp(own)).weighs(Weight::Decision),
            Step::GoesRound { .. } => of(Kind::Trouble).weighs(Weight::Decision),
            Step::Missed => of(Kind::Trouble).fact(Fact::GivesUp(own)).weighs(Weight::Decision),
            Step::Challenged { .. } => of(Kind::Trouble).weighs(Weight::Decision),
            Step::Claimed { .. } => of(Kind::Auction),
            Step::Elected { winner, .. } => of(Kind::Auction).about(*winner),
            Step::NoQuorum { .. } => of(Kind::Trouble).weighs(Weight::Decision),
            Step::Refrained { .. } => of(Kind::Trouble).fact(Fact::GivesUp(own)).weighs(Weight::Decision),
            Step::Executed { .. } => of(Kind::Done),
            Step::HeardDone { by } => of(Kind::Done).about(*by),
            Step::Duplicate { one, other } => of(Kind::Trouble).about(*one).about(*other).weighs(Weight::Decision),
            Step::Cancelled => of(Kind::Auction).fact(Fact::Nobody),
            Step::Renewed => of(Kind::Trouble),
            Step::Expired | Step::BrokenOff { .. } => of(Kind::Trouble).fact(Fact::Nobody),
        }
    }

    fn mark(_step: (TaskId, &Step)) -> Option<Mark> {
        // A vehicle that cannot do a task says so.
        None
    }

    fn keep(&mut self, noted: Noted, (task, step): (TaskId, &Step)) {
        let robot = noted.robot;
        match step {
            Step::Injected => self.want(task).was_asked_for(robot),
            Step::Solicited { epoch, t0, grid, .. } => {
                let bidding = Bidding { lead: robot, epoch: *epoch, t0: *t0, grid: *grid, bids: BTreeMap::new() };
                self.open.insert(task, bidding);
                self.want(task).was_auctioned(grid.horizon());
            }
            Step::Bids { least, means, .. } => self.want(task).was_bid_for(robot, Verdict::own(*means, *least)),
            Step::OwnBid { surface, means } => {
                self.bid(robot, task, robot, surface);
                let least = surface.as_ref().and_then(Surface::least);
                self.want(task).was_bid_for(robot, Verdict::own(*means, least));
            }
            Step::BidHeard { from, least, surface } => {
                self.bid(robot, task, *from, surface);
                self.want(task).bid_was_heard(*from, *least);
            }
            Step::NoGoodBids { bids, why, .. } => self.want(task).went_to_nobody(*bids, *why),
            Step::Assigned { holder, .. } => self.want(task).was_assigned(holder.robot),
            Step::Deleted { robot } => {
                // The LEAD counts its bid no more.
                if let Some(bidding) = self.open.get_mut(&task) {
                    bidding.bids.remove(robot);
                }
                self.want(task).was_not_accepted(*robot);
            }
            Step::Refuses { .. } => self.want(task).was_refused_by(robot),
            Step::Refused { robot } => self.want(task).is_let_go_by(*robot),
            Step::Holds { .. } => self.want(task).is_held_by(robot),
            Step::Yielded { .. } => self.want(task).is_let_go_by(robot),
            Step::HandedBack | Step::Missed => self.want(task).was_handed_back(robot),
            Step::GoesRound { .. } => {}
            Step::NoQuorum { .. } => self.want(task).had_no_quorum(),
            Step::Refrained { .. } => self.want(task).was_refrained_from(robot),
            Step::Executed { .. } | Step::HeardDone { .. } => {
                self.open.remove(&task);
                self.want(task).was_done();
            }
            Step::Cancelled => self.want(task).ended(End::Cancelled),
            Step::Expired => self.want(task).ended(End::Expired),
            Step::BrokenOff { .. } => self.want(task).ended(End::BrokenOff),
            Step::Renewed => self.want(task).ended(End::Open),
            Step::Leads { .. } => self.want(task).is_led_by(robot),
            // Somebody knows of it, whatever becomes of that.
            Step::Challenged { .. } | Step::Claimed { .. } | Step::Elected { .. } => _ = self.want(task),
            Step::Duplicate { .. } | Step::Shares { .. } => {}
        }
    }

    fn keep_common(&mut self, noted: Noted, event: &Event) {
        if event.happening().is_some_and(|happening| happening.is_down()) {
            for want in self.wants.values_mut() {
                want.lost_its_holder(noted.robot);
            }
        }
    }

    fn sentence(&self, wording: Wording<'_>, _noted: Noted, (task, step): (TaskId, &Step)) -> String {
        let robot = |id| wording.names.robot(id);
        let horizon = self.open.get(&task).map(|bidding| bidding.grid.horizon());
        let horizon = horizon.map_or_else(String::new, |horizon| format!(", {horizon:.0} after t0"));
        let horizon = format!(" before the horizon{horizon}");
        let late = self.wants.get(&task).map_or(0, Want::too_late);
        let task = wording.names.task(task);
        let cost = |hundredths: u32| format!("{:.2}", f64::from(hundredths) / 100.0);
        let degrees = |thousandths: u32| f64::from(thousandths) / 1_000.0;
        match step {
            Step::Injected => format!("asks for {task}"),
            Step::Leads { epoch } => format!("leads {task} (attempt {epoch})"),
            Step::Solicited { epoch, t0, index, member, .. } => {
                let line = member.solicited(usize::from(*index), &task);
                let t0 = t0.as_secs_f64();
                format!("solicits bids for {task} (attempt {epoch}); times count from {t0:.1} s: {line}")
            }
            Step::Bids { lead, least: Some(least), .. } => {
                format!("bids for {task} to {}: {} at best", robot(*lead), cost(*least))
            }
            Step::Bids { lead, least: None, means, .. } => {
                format!("tells {} that it cannot do {task}{}", robot(*lead), cannot(*means, &horizon))
            }
            Step::BidHeard { from, least: Some(least), .. } => {
                format!("has the bid of {} for {task}: {} at best", robot(*from), cost(*least))
            }
            Step::BidHeard { from, least: None, .. } => format!("hears that {} cannot do {task}", robot(*from)),
            Step::OwnBid { surface, means } => match surface.as_ref().and_then(Surface::least) {
                Some(least) => format!("would do {task} itself: {} at best", cost(least)),
                None => format!("cannot do {task} itself{}", cannot(*means, &horizon)),
            },
            Step::NoGoodBids { bids, relaxed, why, put_off } => {
                let next = match (put_off, relaxed) {
                    (Some(from), _) => {
                        format!(
                            "auctions it for {:.0} s and later, when vehicles are done with other orders",
                            from.as_secs_f64()
                        )
                    }
                    (None, Leeway::None) => "waits to retry".to_owned(),
                    (None, Leeway::Others) => "auctions the whole group anew".to_owned(),
                    (None, Leeway::Done) => "gives up couplings to what is done already".to_owned(),
                    (None, Leeway::OneByOne) => {
                        "gives up what ties them together and auctions its tasks one by one".to_owned()
                    }
                };
                let why = hitch(*why, wording).map_or_else(String::new, |why| format!(", {why}"));
                let late = match late {
                    0 => String::new(),
                    _ => format!(", {} not{horizon}", counted(late, "vehicle")),
                };
                format!("finds nobody for {task} among {}{why}{late}: {next}", counted(*bids, "bid"))
            }
            Step::Assigned { holder, cost: own, cheapest: (other, least), bids } => {
                // Of bids that are equal the first counts as the cheapest, which is no reason against it.
                let why = if least > own {
                    format!("no bid for it alone is below {}", cost(*least))
                } else if *other == holder.robot || least >= own {
                    format!("no bid for it is below {}", cost(*least))
                } else {
                    format!("{} would do it for {}, but the group costs least so", robot(*other), cost(*least))
                };
                format!(
                    "assigns {task} to {}: over the target at {:.1} s on heading {}, cost {} of {}; {why}",
                    robot(holder.robot),
                    holder.at.as_secs_f64(),
                    degrees(holder.heading),
                    cost(*own),
                    counted(*bids, "bid"),
                )
            }
            Step::Shares { robot: shared, other, apart, why } => {
                let why = match why {
                    Sharing::Allowed => "its template lets one vehicle do several".to_owned(),
                    Sharing::TooFew { vehicles, phases } => {
                        let can = if *vehicles == 1 { "vehicle can" } else { "vehicles can" };
                        format!("only {vehicles} {can} do these {phases} phases")
                    }
                    Sharing::NoOtherPlan => {
                        "no plan with a vehicle for each phase keeps to what ties them together".to_owned()
                    }
                };
                let other = wording.names.task(*other);
                format!("has {} fly {other} and {task}, {apart:.1} apart: {why}", robot(*shared))
            }
            Step::Deleted { robot: failed } => {
                format!("gives {} up for {task}: it did not accept in time", robot(*failed))
            }
            Step::Refuses { lead } => {
                format!("refuses {task} of {}: it has agreed to something else", robot(*lead))
            }
            Step::Refused { robot: other } => format!("hears that {} refuses {task}", robot(*other)),
            Step::Holds { holder, epoch } => format!(
                "has {task} in its queue (attempt {epoch}): over the target at {:.1} s on heading {}",
                holder.at.as_secs_f64(),
                degrees(holder.heading)
            ),
            Step::Yielded { to } => {
                format!("yields {task}: attempt {} led by {} counts more", to.epoch, robot(to.by()))
            }
            Step::HandedBack => format!("gives {task} back"),
            Step::GoesRound { task: other } => {
                format!(
                    "breaks off before {task} and goes round again: {} is not known to be seen to",
                    wording.names.task(*other)
                )
            }
            Step::Missed => format!("gives {task} back: its turn has come too late for what ties it to its group"),
            Step::Challenged { double: true, .. } => format!("challenges {task}: two vehicles say that they do it"),
            Step::Challenged { silent, double: false } => format!("challenges {task}: nothing heard for {silent:.1}"),
            Step::Claimed { epoch } => format!("claims the lead of {task} (attempt {epoch})"),
            Step::Elected { epoch, winner } => {
                format!("takes {} to be elected for {task} (attempt {epoch})", robot(*winner))
            }
            Step::NoQuorum { claims } => {
                format!("does not lead {task}: only {claims} took part, and it must not be done twice")
            }
            // 0 grants: even its own vote went to another vehicle, or to its own earlier life.
            Step::Refrained { grants: 0 } => {
                format!(
                    "does not do {task}: its own leave is promised or given elsewhere, and it must not be done twice"
                )
            }
            Step::Refrained { grants } => {
                format!("does not do {task}: only {grants} gave leave, and it must not be done twice")
            }
            Step::Executed { late, .. } => {
                let late = *late as f64 / 1e6;
                format!("has done {task}, {:.1} s {}", late.abs(), if late < 0.0 { "early" } else { "late" })
            }
            Step::HeardDone { by } => format!("hears that {} has done {task}", robot(*by)),
            Step::Duplicate { one, other } => {
                format!("finds that {task} was done twice: by {} and by {}", robot(*one), robot(*other))
            }
            Step::Cancelled => format!("drops {task}: it was cancelled"),
            Step::Expired => format!("drops {task}: it is too late for it"),
            Step::Renewed => {
                format!("holds that {task} was done too long ago for what can come after it: it is to be done again")
            }
            Step::BrokenOff { why: Break::Windows } => {
                format!("drops {task}: it can no longer be flown as it is tied to what was flown of its strict group")
            }
            Step::BrokenOff { why: Break::Unknown(before) } => {
                let before = wording.names.task(*before);
                format!("drops {task}: nobody knows whether {before} was done, which must not be done twice")
            }
        }
    }

    fn award(&self, noted: Noted, (task, step): (TaskId, &Step)) -> Option<Award> {
        let Step::Assigned { holder, cost, cheapest: (cheapest, least), .. } = *step else { return None };
        let offer = |robot, hundredths: Option<u32>| Offer { robot, value: hundredths.map(Value::Cost), heard: true };
        let bidding = self.open.get(&task).filter(|bidding| bidding.lead == noted.robot);
        let mut bids: BTreeMap<RobotId, Option<u32>> = BTreeMap::new();
        if let Some(bidding) = bidding {
            let of =
                |(robot, surface): (&RobotId, &Option<Surface>)| (*robot, surface.as_ref().and_then(Surface::least));
            bids.extend(bidding.bids.iter().map(of));
        }
        // Notes that begin in the midst of an auction have at least these.
        bids.entry(cheapest).or_insert(Some(least));
        bids.remove(&holder.robot);
        let mut others: Vec<Offer> = bids.into_iter().map(|(robot, least)| offer(robot, least)).collect();
        let rank = |offer: &Offer| offer.value.map_or(f64::INFINITY, Value::number);
        others.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
        Some(Award {
            at: noted.at,
            by: noted.robot,
            task,
            round: bidding.map_or(0, |bidding| bidding.epoch),
            round_key: Some("attempt"),
            taken_from: None,
            // What was assigned: where a group costs least, that is not the least that the winner bid.
            chosen: offer(holder.robot, Some(cost)),
            others,
            silent: Vec::new(),
            threshold: None,
        })
    }

    fn untaken(&self) -> Vec<TaskId> {
        self.wants.iter().filter(|(_, want)| want.is_open()).map(|(task, _)| *task).collect()
    }

    fn nobody(&self, wording: Wording<'_>, task: TaskId) -> Vec<Reason> {
        self.wants.get(&task).map_or_else(Vec::new, |want| want.reasons(wording))
    }

    fn is_under_way(&self, task: TaskId) -> bool {
        self.wants.get(&task).is_some_and(Want::is_under_way)
    }
}

/// Why a vehicle cannot do a task, as its sentence goes on.
fn cannot(means: Means, horizon: &str) -> &str {
    match means {
        Means::Enough => horizon,
        Means::Endurance => ": its endurance does not last for it",
        Means::Lacking => ": it lacks what is needed",
    }
}

#[cfg(test)]
mod tests;
