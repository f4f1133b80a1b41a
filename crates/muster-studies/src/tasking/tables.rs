//! The study's tables, for the terminal and for the page.

use muster_core::tasking::Variant;

use super::Study;
use super::claims::{Claim, names, verdict_of};
use super::elections::Elections;
use super::growth::Load;
use super::load::Term;
use super::normal::NORMAL;
use super::spare::Parts;
use super::weaknesses::{Shown, Toll};
use crate::table::{Table, Value, number, text};
use crate::verdict::{Ground, Source, Verdict};

/// The verdict of the claims with these names; a dash for a row of which nothing is claimed.
fn verdict(study: &Study, names: &[String]) -> Value {
    verdict_of(&study.claims, names).map_or_else(|| text("–"), Verdict::cell)
}

fn count(number: usize) -> Value {
    Value::Number(number.to_string())
}

/// A share in whole percent.
fn percent(share: f64) -> Value {
    Value::Number(format!("{:.0} %", 100.0 * share))
}

/// What works without loss, under every variant.
pub fn normal(study: &Study) -> Table {
    let head = ["§", "variant", "runs", "as it says", "verdict", "what"];
    let mut table = Table::new("What works without loss and with everybody in range", &head);
    for normal in NORMAL {
        for row in study.normal.iter().filter(|row| row.id == normal.id) {
            table.row([
                text(normal.section),
                text(row.variant),
                count(row.runs),
                count(row.right),
                verdict(study, &[names::normal(row)]),
                text(normal.what),
            ]);
        }
    }
    table
}

/// Claim 3 over T, V and t_dur.
pub fn growth(loads: &[Load]) -> Table {
    let variants: Vec<&str> =
        loads.first().map_or_else(Vec::new, |load| load.counted.iter().map(|it| it.variant).collect());
    let mut head = vec![
        "varied".to_owned(),
        "T".to_owned(),
        "V".to_owned(),
        "runs".to_owned(),
        "t_dur, s".to_owned(),
        "formula".to_owned(),
    ];
    head.extend(variants.iter().map(|variant| (*variant).to_owned()));
    head.extend(variants.iter().map(|variant| format!("{variant}, injection")));
    head.extend(variants.iter().map(|variant| format!("{variant}, 900 s on")));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new("Claim 3 over tasks, vehicles and time: messages without loss, means", &head);
    for load in loads {
        let mut row = vec![
            text(format!("{:?}", load.along).to_lowercase()),
            number(f64::from(load.tasks), 0),
            number(f64::from(load.vehicles), 0),
            number(load.runs as f64, 0),
            number(load.pending_s, 1),
            number(load.formula, 1),
        ];
        row.extend(load.counted.iter().map(|it| number(it.messages, 1)));
        row.extend(load.counted.iter().map(|it| number(it.injection, 1)));
        row.extend(load.counted.iter().map(|it| number(it.settled, 0)));
        table.row(row);
    }
    table.with_note(
        "Formula: L = T(2V + 3) + t_dur T / t_status + T as printed, V being the number of vehicles and t_dur that of the \
         protocol as drawn. Counted from the solicitation until \
         t_status after the last deed; the injection, which the formula leaves out, stands apart; 900 s on: all of them until \
         900 s after the last deed.",
    )
}

/// Claim 3: messages, term by term, and why they differ.
pub fn load(terms: &[Term]) -> Table {
    let head = ["term", "formula", "as drawn", "counted as drawn", "counted as written", "counted fenced", "remark"];
    let mut table = Table::new("Claim 3, term by term: messages for one task, five vehicles, no loss", &head);
    for term in terms {
        table.row([
            text(term.term),
            number(term.paper.unwrap_or(f64::NAN), 1),
            number(term.drawn, 1),
            number(term.measured as f64, 0),
            number(term.written as f64, 0),
            number(term.fenced as f64, 0),
            text(term.remark),
        ]);
    }
    table.with_note(
        "Formula: what the paper counts, V being the number of vehicles, a dash where it counts nothing. As drawn: what its \
         Figure 1 comes to.",
    )
}

/// W1 to W16 under every variant; with the fixes marked by what was promised.
pub fn weaknesses(study: &Study) -> Table {
    let (shown, claims) = (&study.weaknesses, &study.claims);
    let runs = shown.first().map_or(0, |it| it.drawn.runs);
    let caption = format!("Weaknesses: of {runs} runs, never done / done once / done again");
    let mut head = vec!["weakness".to_owned()];
    head.extend(Variant::ALL.map(|variant| variant.name().to_owned()));
    head.extend(Variant::ALL.map(|variant| format!("mean, {}", variant.name())));
    head.push("of what".to_owned());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(caption, &head);
    for it in shown {
        let tolls = Variant::ALL.map(|variant| it.under(variant));
        let mut row = vec![text(it.id)];
        row.extend(tolls.map(|toll| outcome(claims, it, toll)));
        row.extend(tolls.map(|toll| number(toll.mean, 1)));
        row.push(text(it.drawn.counted));
        table.row(row);
    }
    table.with_note("A storm is a run that was broken off after 6,000 messages.")
}

fn outcome(claims: &[Claim], shown: &Shown, it: &Toll) -> Value {
    let promised = Some(names::weakness(shown)).filter(|_| it.variant == Variant::Fenced.name());
    match verdict_of(claims, promised.as_slice()) {
        Some(verdict) => Value::Verdict(verdict.mark(), counts(it)),
        None => text(counts(it)),
    }
}

/// Never, once, again.
pub fn counts(it: &Toll) -> String {
    let storms = match it.storms {
        0 => String::new(),
        1 => ", 1 storm".to_owned(),
        storms => format!(", {storms} storms"),
    };
    format!("{} / {} / {}{storms}", it.never, it.once, it.more)
}

/// W6: elections that end with several LEADs, by network.
pub fn elections(rows: &[Elections]) -> Table {
    let head = ["network", "elections", "drawn", "written", "fenced"];
    let mut table = Table::new("Elections that end with several LEADs (W6)", &head);
    let of = |variant: &'static str| rows.iter().filter(move |row| row.variant == variant);
    let share = |value: Option<f64>| {
        Value::Number(value.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", 100.0 * share)))
    };
    for row in of("drawn") {
        table.row([
            text(row.network.as_str()),
            count(row.runs),
            share(Some(row.share())),
            share(of("written").find(|it| it.network == row.network).map(Elections::share)),
            share(of("fenced").find(|it| it.network == row.network).map(Elections::share)),
        ]);
    }
    table
}

/// Crashes of any role at any moment.
pub fn crashes(study: &Study) -> Table {
    let head = [
        "variant",
        "crashes",
        "radio",
        "loss",
        "runs",
        "at deed",
        "tasks",
        "once",
        "executor crashed",
        "knowers crashed",
        "forgotten",
        "again",
        "lost",
        "messages",
        "verdict",
    ];
    let mut table = Table::new("Crashes of any role at any moment: tasks by what came of them", &head);
    for row in study.faults.iter().filter(|row| row.delivery == "at-least-once") {
        let of = |number: u32| Value::Number(number.to_string());
        table.row([
            text(row.variant),
            text(row.crashes),
            text(row.air),
            percent(row.loss),
            count(row.runs),
            count(row.at_deed as usize),
            count(row.tasks),
            count(row.once),
            of(row.verdict.executor_crashed),
            of(row.verdict.knowers_crashed),
            of(row.verdict.forgotten),
            of(row.verdict.duplicates),
            of(row.verdict.lost),
            number(row.messages, 0),
            verdict(study, &names::of_crashes(row)),
        ]);
    }
    table.with_note(
        "A single task and a group of three in each run; messages are those of a run. Reordered: a quarter of the messages is \
         doubled, a quarter held back by up to 2 s. At deed: crashes between a deed and its second Done. No protocol can \
         help it: done again because the executor crashed, or all who knew that it was done; forgotten because all who knew of it crashed. A \
         failure of the protocol: done again, or lost, for another reason. As drawn and as written there are fewer runs, \
         at one loss: as drawn it fails in most.",
    )
}

/// Tasks that must not be done twice, whatever crashes.
pub fn at_most_once(study: &Study) -> Table {
    let head = [
        "crashes",
        "radio",
        "loss",
        "runs",
        "at deed",
        "tasks",
        "once",
        "twice",
        "executor crashed",
        "no quorum",
        "forgotten",
        "expired",
        "lost",
        "messages",
        "verdict",
    ];
    let mut table = Table::new("The same with tasks to be done at most once: done, and why not", &head);
    for row in study.faults.iter().filter(|row| row.delivery == "at-most-once") {
        let of = |number: u32| Value::Number(number.to_string());
        table.row([
            text(row.crashes),
            text(row.air),
            percent(row.loss),
            count(row.runs),
            count(row.at_deed as usize),
            count(row.tasks),
            count(row.once),
            of(row.verdict.duplicates),
            of(row.verdict.barred),
            of(row.verdict.no_quorum),
            of(row.verdict.forgotten),
            of(row.verdict.expired),
            of(row.verdict.lost),
            number(row.messages, 0),
            verdict(study, &names::of_crashes(row)),
        ]);
    }
    table.with_note(
        "Not done: a vehicle crashed that had leave to do it, or to do one before it in its group, and may have done so; or less than a quorum was left; or all \
         who knew of it crashed; or it expired, after 240 s, while somebody was still at it. A failure of the protocol: done \
         twice, or given up for another reason.",
    )
}

/// W4: loss alone.
pub fn losses(study: &Study) -> Table {
    let head = ["variant", "loss", "runs", "once", "again", "never", "verdict"];
    let mut table = Table::new("Loss alone (W4): a single task and five vehicles", &head);
    for row in &study.losses {
        let once = row.runs - row.twice - row.never;
        table.row([
            text(row.variant),
            percent(row.loss),
            count(row.runs),
            count(once),
            count(row.twice),
            count(row.never),
            verdict(study, names::losses(row).as_slice()),
        ]);
    }
    table
}

/// Claim 1: chains of vehicles.
pub fn chains(study: &Study) -> Table {
    let head = ["case", "variant", "t_sync, s", "loss", "runs", "carried out", "verdict"];
    let mut table = Table::new("Claim 1: a task passed on along a chain of four vehicles", &head);
    for row in &study.chains {
        table.row([
            text(row.case.words()),
            text(row.variant),
            number(row.overlap_s, 0),
            percent(row.loss),
            count(row.runs),
            count(row.carried_out),
            verdict(study, names::chain(row).as_slice()),
        ]);
    }
    table
}

/// Teams that are split for a while.
pub fn partitions(study: &Study) -> Table {
    let head = [
        "variant",
        "promised",
        "loss",
        "runs",
        "in time",
        "once",
        "between",
        "once",
        "outlasted",
        "in 2",
        "in 10",
        "twice",
        "never",
        "verdict",
    ];
    let mut table = Table::new("A team that is split in two for 2 to 80 s: runs by when it healed", &head);
    for row in &study.partitions {
        table.row([
            text(row.variant),
            text(row.delivery),
            percent(row.loss),
            count(row.runs),
            count(row.healed_in_time),
            count(row.once),
            count(row.healed_between),
            count(row.between_once),
            count(row.outlasted),
            count(row.noticed_in_2),
            count(row.noticed_in_10),
            count(row.twice),
            count(row.never),
            verdict(study, &names::of_partitions(row)),
        ]);
    }
    table.with_note(
        "In time: it healed before the task was first done. Between: it healed later, but not \
         after the task was done a second time. Once: of these, done exactly once. Outlasted: done twice before it \
         healed; in 2, in 10: of these, noticed by a vehicle within so many t_status of healing. Twice, never: of all \
         runs.",
    )
}

/// What the paper claims, or what we promise: what fails first, what is no evidence last.
pub fn claims(source: Source, claims: &[Claim]) -> Table {
    let (caption, first, what) = match source {
        Source::Paper => ("The paper's claims about the paper's protocol", "§", "claim"),
        Source::Ours => ("Ours: our promises about our protocol", "by", "promise"),
    };
    let mut of: Vec<&Claim> = claims.iter().filter(|claim| claim.source == source).collect();
    of.sort_by_key(|claim| match (claim.verdict, claim.ground) {
        (Verdict::Fails, _) => 0,
        (Verdict::KnownMismatch, _) => 1,
        (Verdict::Depends | Verdict::Undecided, _) => 2,
        (Verdict::Holds, Ground::Measured) => 3,
        (Verdict::Holds, _) => 4,
    });
    let mut table = Table::new(caption, &[first, "verdict", "measured", "expected", "reading", what]);
    for claim in of {
        let remark = match claim.remark() {
            remark if remark.is_empty() => remark,
            remark => format!(" [{remark}]"),
        };
        table.row([
            text(if source == Source::Paper { claim.section } else { source.name() }),
            claim.verdict.cell(),
            Value::Number(claim.measured()),
            Value::Number(claim.expected()),
            text(claim.reading),
            text(format!("{}{remark}", claim.statement)),
        ]);
    }
    table
}

/// A group that loses its dropper, by when it does.
pub fn spare(study: &Study) -> Table {
    let head = ["dropper stops at, s", "runs", "windows kept", "could be", "delay, median s"];
    let mut table = Table::new("A spare vehicle, and the dropper stops: beside a planner that knows everything", &head);
    for moment in study.spare.iter().flat_map(|spare| &spare.moments) {
        table.row([
            number(moment.at_s, 1),
            count(moment.runs),
            count(moment.kept),
            count(moment.possible),
            number(moment.delay_s, 1),
        ]);
    }
    table.with_note(
        "Could be: runs in which the planner, which knows all positions one t_status after the stop, keeps every window; it may \
         have verify flown again when it is older than 30 s.",
    )
}

/// Where the time goes when the dropper stops.
pub fn spare_parts(study: &Study) -> Table {
    let head =
        ["runs", "in order", "finished", "noticing", "electing", "auctioning", "flying", "planner in all", "delay"];
    let mut table = Table::new("The same by part: medians in seconds from the stop on", &head);
    for spare in &study.spare {
        let Parts { noticing, electing, auctioning, flying, planner } = spare.parts;
        let counts = [spare.runs, spare.in_order, spare.finished].map(count);
        let medians = [noticing, electing, auctioning, flying, planner, spare.delay_s[0]].map(|part| number(part, 1));
        table.row(counts.into_iter().chain(medians));
    }
    table.with_note("Delay: of the last deed, against the planner's.")
}

/// Orders at one instant.
pub fn simultaneous(study: &Study) -> Table {
    let head =
        ["geometry", "arrangements", "tasks", "undone", "beside", "mean", "interval", "worst", "beyond the bound"];
    let mut table = Table::new("Two to five orders at one instant: cost as flown, as a multiple", &head);
    for row in &study.simultaneous {
        for (beside, ratio) in [("planner", &row.to_planner), ("0.2 s apart", &row.to_apart)] {
            table.row([
                text(row.geometry.name()),
                count(row.arrangements),
                count(row.tasks.0),
                count(row.tasks.1),
                text(beside),
                number(ratio.mean, 3),
                text(format!("{:.3} to {:.3}", ratio.from, ratio.to)),
                number(ratio.worst, 2),
                percent(ratio.beyond),
            ]);
        }
    }
    table.with_note(
        "The planner assigns one order after the other exactly, at the first auction's t0 (what does not fit the horizon, half a \
         horizon later, and so on), in the best of all orders. Costs count from there; what is not flown costs the horizon, 200, and what is flown later than that what it does. The bounds are on the means: 1.15 \
         beside the planner, 1.10 beside orders 0.2 s apart.",
    )
}

/// What groups gave up.
pub fn given_up(study: &Study) -> Table {
    let head =
        ["loss", "vehicles fail", "missions", "orders", "given up", "though possible", "short of vehicles", "strict"];
    let mut table = Table::new("What groups gave up, and whether they had to (1 to 4 vehicles, 1 to 3 orders)", &head);
    for row in &study.given_up {
        table.row([
            percent(row.loss),
            text(if row.faults { "yes" } else { "no" }),
            count(row.missions),
            count(row.orders),
            count(row.given_up),
            count(row.though_possible),
            count(row.short_of_vehicles),
            count(row.strict),
        ]);
    }
    table.with_note(
        "Given up: an order of which some was never flown, or whose couplings its LEAD gave up and that was not flown as tied. \
         Possible: by exhaustive search at t0 of an auction that came to nothing, from where vehicles are then and besides what \
         they had agreed to, or if there was no such auction. Short of vehicles, strict: of those that were possible.",
    )
}
