//! Missions of recruitment: robots that need help, and robots that may give it.

use muster_core::rng::Stream;

use super::interventions::{self, Known, Scope};
use super::{Text, Texts, quoted, undisturbed};

const PERCEPTS: [&str; 3] = ["ground", "air", "metal"];

/// Any mission: callers that stand or scan, helpers of several kinds, any radio, any faults, either configuration, by a
/// strategy or a script, undisturbed or not.
pub fn any(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    let (width, height) = (text.number(20.0, 400.0), text.number(20.0, 400.0));
    text.line("limit_h = 1");
    text.line(format!("[field]\nwidth_m = {width}\nheight_m = {height}"));
    let (mut robots, mut callers) = (Vec::new(), Vec::new());
    for index in 0..text.whole(1, 3) {
        let name = format!("caller-{index}");
        let speed = text.number(0.5, 4.0);
        text.line(format!("[robots.{name}]\nspeed_mps = {speed}"));
        if text.chance(0.5) {
            let (stops, pause, spacing) = (text.whole(0, 3), text.number(0.0, 30.0), text.number(5.0, 20.0));
            text.line(format!(
                "scan = {{ from = [0, 0], to = [{width}, {height}], spacing_m = {spacing}, pause_s = {pause}, stops = {stops}, needs = [\"ground\"] }}"
            ));
        } else {
            let place = text.place(width, height);
            text.line(format!("place = {place}"));
        }
        callers.push(name.clone());
        robots.push(name);
    }
    for kind in 0..text.whole(1, 3) {
        let (count, speed) = (text.whole(1, 6), text.number(0.2, 5.0));
        // The first kind can do everything, so that whatever a task needs is somebody's percept.
        let known = if kind == 0 { 3 } else { text.whole(0, 2) as usize };
        let percepts: Vec<String> = PERCEPTS[..known].iter().map(|percept| (*percept).to_owned()).collect();
        let percepts = quoted(&percepts);
        text.line(format!("[robots.helper-{kind}]\ncount = {count}\nspeed_mps = {speed}\npercepts = [{percepts}]"));
        if text.chance(0.2) {
            let joins = text.number(0.0, 300.0);
            text.line(format!("joins_s = {joins}"));
        }
        robots.extend((1..=count).map(|number| match count {
            1 => format!("helper-{kind}"),
            _ => format!("helper-{kind}-{number}"),
        }));
    }
    let at_once = text.chance(0.3);
    let tasks = text.whole(1, 5);
    for index in 0..tasks {
        let caller = callers[text.whole(0, callers.len() as u32 - 1) as usize].clone();
        let at = if at_once { 10.0 } else { text.number(0.0, 300.0) };
        let needs = text.one_of(&PERCEPTS);
        text.line(format!("[tasks.task-{index}]\nseen_by = \"{caller}\"\nat_s = {at}\nneeds = [\"{needs}\"]"));
        if text.chance(0.5) {
            let place = text.place(width, height);
            text.line(format!("place = {place}"));
        }
    }
    text.radio(&robots, (width, height), 600.0, 700.0);
    text.faults(&robots, &[], 6, 600.0);
    let config = text.one_of(&["safe", "gage_2004"]);
    let strategy = text.one_of(&["affective", "greedy", "random", "script"]);
    let messaging = text.one_of(&["broadcast", "broadcast", "unicast"]);
    let (lease, threshold) = (text.number(1.0, 60.0), text.number(-0.1, 0.95));
    text.line(format!(
        "[recruitment]\nconfig = \"{config}\"\nstrategy = \"{strategy}\"\nmessaging = \"{messaging}\"\nlease_s = {lease}\nthreshold = {threshold}"
    ));
    if strategy == "script" {
        let script = text.one_of(&["affective", "near_first"]);
        text.line(format!("script = \"{script}.rhai\""));
    }
    let scenario = text.finish();
    let known = |index| Known { name: format!("task-{index}"), from_s: 0.0, stays: false };
    let scope = Scope {
        robots: &robots,
        field: (width, height),
        until_s: 400.0,
        tasks: (0..tasks).map(known).collect(),
        moves: false,
        priorities: false,
    };
    let interventions = interventions::draw(stream, scope, |text, _| {
        let (caller, needs) = (text.whole(0, callers.len() as u32 - 1) as usize, text.one_of(&PERCEPTS));
        let mut said = format!("seen_by = \"{}\", needs = [\"{needs}\"]", callers[caller]);
        if text.chance(0.5) {
            said += &format!(", place = {}", text.place(width, height));
        }
        said
    });
    Texts { scenario, interventions }
}

/// Two robots that scan, each with stops at which it needs what only the other can perceive. In `safe`: by the paper's
/// configuration each waits for the other for ever.
pub fn mutual(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    wait_for_each_other(&mut text, &[1, 0]);
    undisturbed(text.finish())
}

/// Two to five robots that scan, each with stops at which it needs what one other can perceive: in a cycle through all of
/// them, in any order of their numbers, or each whom it likes, which makes chains into smaller cycles; over a radio that
/// loses, doubles and delays.
pub fn cycles(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    let team = text.whole(2, 5) as usize;
    let needed = if text.chance(0.6) {
        let mut order: Vec<usize> = (0..team).collect();
        for index in (1..team).rev() {
            order.swap(index, text.whole(0, index as u32) as usize);
        }
        let mut next = vec![0; team];
        for (index, &robot) in order.iter().enumerate() {
            next[robot] = order[(index + 1) % team];
        }
        next
    } else {
        // Anybody but itself.
        (0..team).map(|robot| (robot + text.whole(1, team as u32 - 1) as usize) % team).collect()
    };
    wait_for_each_other(&mut text, &needed);
    let (loss, doubling) = (text.number(0.0, 0.3), text.number(0.0, 0.2));
    text.line(format!("[radio]\nloss = {loss}\nduplication = {doubling}\nstraggle_s = 5"));
    undisturbed(text.finish())
}

/// Robots that call, and robots that may come, with work that may outlast its lease, and leases that requesters shorten,
/// over a radio that loses, doubles and holds back. In `safe`, which promises one robot at one task for these, too. No work is
/// of more than five leases: another robot than the one that went begins anew, and at 30 % loss long work changes hands often.
pub fn renewed(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    let side = text.number(20.0, 150.0);
    text.line("limit_h = 72");
    text.line(format!("[field]\nwidth_m = {side}\nheight_m = {side}"));
    let callers = text.whole(1, 2);
    for caller in 0..callers {
        let place = text.place(side, side);
        text.line(format!("[robots.caller-{caller}]\nspeed_mps = 1\nplace = {place}"));
        if text.chance(0.5) {
            let lease = text.number(20.0, 60.0);
            text.line(format!("lease_s = {lease}"));
        }
    }
    for kind in 0..text.whole(1, 2) {
        let (count, speed) = (text.whole(1, 4), text.number(1.0, 8.0));
        text.line(format!("[robots.helper-{kind}]\ncount = {count}\nspeed_mps = {speed}\npercepts = [\"ground\"]"));
        if text.chance(0.5) {
            let lease = text.number(20.0, 60.0);
            text.line(format!("lease_s = {lease}"));
        }
    }
    for task in 0..text.whole(1, 4) {
        let (caller, at) = (text.whole(0, callers - 1), text.number(0.0, 100.0));
        text.line(format!("[tasks.task-{task}]\nseen_by = \"caller-{caller}\"\nat_s = {at}\nneeds = [\"ground\"]"));
    }
    let (loss, doubling, overtaking) = (text.number(0.0, 0.3), text.number(0.0, 0.6), text.number(0.0, 0.3));
    let straggle = text.number(0.0, 15.0);
    text.line(format!(
        "[radio]\nloss = {loss}\nduplication = {doubling}\nreordering = {overtaking}\nstraggle_s = {straggle}"
    ));
    let (lease, analysis) = (text.number(20.0, 60.0), text.number(5.0, 100.0));
    let strategy = text.one_of(&["affective", "greedy", "random"]);
    text.line(format!(
        "[recruitment]\nconfig = \"safe\"\nstrategy = \"{strategy}\"\nlease_s = {lease}\nanalysis_s = {analysis}"
    ));
    undisturbed(text.finish())
}

/// Robots that scan a strip each; what the stops of one need, only the robot of that index in `needed` can perceive.
fn wait_for_each_other(text: &mut Text<'_>, needed: &[usize]) {
    let side = text.number(30.0, 200.0);
    text.line("limit_h = 24");
    text.line(format!("[field]\nwidth_m = {side}\nheight_m = {side}"));
    let strip = side / needed.len() as f64;
    for (robot, other) in needed.iter().enumerate() {
        let (speed, stops, spacing) = (text.number(0.5, 3.0), text.whole(1, 3), strip / 4.0);
        let (from, to) = (strip * robot as f64, (strip * (robot + 1) as f64).min(side));
        text.line(format!(
            "[robots.r{robot}]\nspeed_mps = {speed}\npercepts = [\"p{robot}\"]\nscan = {{ from = [{from}, 0], to = [{to}, {side}], spacing_m = {spacing}, pause_s = 20, stops = {stops}, needs = [\"p{other}\"] }}"
        ));
    }
    let strategy = text.one_of(&["affective", "greedy", "random"]);
    text.line(format!("[recruitment]\nconfig = \"safe\"\nstrategy = \"{strategy}\""));
}
