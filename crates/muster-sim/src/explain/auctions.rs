//! Why vehicles were chosen, challenged and replaced: the steps of the Collaborative Tasking Protocol in words.

use muster_core::TaskId;
use muster_core::tasking::Step;
use muster_core::tasking::lead::Leeway;

use super::Names;

/// What a step says.
pub(super) fn sentence(names: Names<'_>, task: TaskId, step: Step) -> String {
    let robot = |id| names.robot(id);
    let task = names.task(task);
    let cost = |hundredths: u16| format!("{:.2}", f64::from(hundredths) / 100.0);
    let count = |bids: u32| if bids == 1 { "1 bid".to_owned() } else { format!("{bids} bids") };
    let degrees = |thousandths: u32| f64::from(thousandths) / 1_000.0;
    match step {
        Step::Injected => format!("asks for {task}"),
        Step::Leads { epoch } => format!("leads {task} (attempt {epoch})"),
        Step::Solicited { epoch, t0 } => {
            format!("solicits bids for {task} (attempt {epoch}); times count from {:.1} s", t0.as_secs_f64())
        }
        Step::Bids { lead, least: Some(least) } => {
            format!("bids for {task} to {}: {} at best", robot(lead), cost(least))
        }
        Step::Bids { lead, least: None } => format!("tells {} that it cannot do {task}", robot(lead)),
        Step::BidHeard { from, least: Some(least) } => {
            format!("has the bid of {} for {task}: {} at best", robot(from), cost(least))
        }
        Step::BidHeard { from, least: None } => format!("hears that {} cannot do {task}", robot(from)),
        Step::NoGoodBids { bids, relaxed } => {
            let next = match relaxed {
                Leeway::None => "waits to retry",
                Leeway::Others => "auctions the whole group anew",
                Leeway::Done => "gives up couplings to what is done already",
                Leeway::OneByOne => "gives up what ties them together and auctions its tasks one by one",
            };
            format!("finds nobody for {task} among {}: {next}", count(bids))
        }
        Step::Assigned { holder, cost: own, cheapest: (other, least), bids } => {
            // Of bids that are equal the first counts as the cheapest, which is no reason against it.
            let why = if other == holder.robot || least >= own {
                format!("no bid for it is below {}", cost(least))
            } else {
                format!("{} would do it for {}, but the group costs least so", robot(other), cost(least))
            };
            format!(
                "assigns {task} to {}: over the target at {:.1} s on heading {}, cost {} of {}; {why}",
                robot(holder.robot),
                holder.at.as_secs_f64(),
                degrees(holder.heading),
                cost(own),
                count(bids),
            )
        }
        Step::Deleted { robot: failed } => format!("gives {} up for {task}: it did not accept in time", robot(failed)),
        Step::Holds { holder, epoch } => format!(
            "has {task} in its queue (attempt {epoch}): over the target at {:.1} s on heading {}",
            holder.at.as_secs_f64(),
            degrees(holder.heading)
        ),
        Step::Yielded { to } => {
            format!("yields {task}: attempt {} led by {} counts more", to.epoch, robot(to.by()))
        }
        Step::HandedBack => format!("gives {task} back"),
        Step::Challenged { double: true, .. } => format!("challenges {task}: two vehicles say that they do it"),
        Step::Challenged { silent, double: false } => format!("challenges {task}: nothing heard for {silent:.1}"),
        Step::Claimed { epoch } => format!("claims the lead of {task} (attempt {epoch})"),
        Step::Elected { epoch, winner } => {
            format!("takes {} to be elected for {task} (attempt {epoch})", robot(winner))
        }
        Step::NoQuorum { claims } => {
            format!("does not lead {task}: only {claims} took part, and it must not be done twice")
        }
        // Its own leave is the first that it counts: without it, that is for another, or for an earlier life.
        Step::Refrained { grants: 0 } => {
            format!("does not do {task}: its own leave is promised or given elsewhere, and it must not be done twice")
        }
        Step::Refrained { grants } => {
            format!("does not do {task}: only {grants} gave leave, and it must not be done twice")
        }
        Step::Executed { late, .. } => {
            let late = late as f64 / 1e6;
            format!("has done {task}, {:.1} s {}", late.abs(), if late < 0.0 { "early" } else { "late" })
        }
        Step::HeardDone { by } => format!("hears that {} has done {task}", robot(by)),
        Step::Duplicate { one, other } => {
            format!("finds that {task} was done twice: by {} and by {}", robot(one), robot(other))
        }
        Step::Cancelled => format!("drops {task}: it was cancelled"),
        Step::Expired => format!("drops {task}: it is too late for it"),
    }
}
