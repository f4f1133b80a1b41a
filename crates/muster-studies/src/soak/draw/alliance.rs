//! Missions of L-ALLIANCE: tasks, and how long each robot that can do them takes.

use muster_core::rng::Stream;

use super::interventions::{self, Known, Scope};
use super::{Text, Texts, undisturbed};

const STRATEGIES: [&str; 8] = ["preferred", "i", "ii", "iii", "fixed", "regret", "replan", "replan-broadcast"];

/// Any mission: robots of any speed, tasks in any order, some of them again and again, a box now and then, any radio, any
/// faults, any strategy, undisturbed or not.
pub fn any(stream: &mut Stream) -> Texts {
    if stream.chance(0.1) { boxed(stream) } else { tasks(stream) }
}

fn tasks(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    let (width, height) = (text.number(10.0, 100.0), text.number(10.0, 100.0));
    // What recurs goes on to the end.
    let recurring = text.chance(0.2);
    let limit_s = if recurring { 360.0 } else { 3_600.0 };
    text.line(format!("limit_h = {}", limit_s / 3_600.0));
    text.line(format!("[field]\nwidth_m = {width}\nheight_m = {height}"));
    let team = text.whole(1, 6);
    let robots: Vec<String> = (0..team).map(|index| format!("r{index}")).collect();
    for robot in &robots {
        let (speed, place) = (text.number(0.2, 3.0), text.place(width, height));
        text.line(format!("[robots.{robot}]\nspeed_mps = {speed}\nplace = {place}"));
        if text.chance(0.15) {
            let joins = text.number(0.0, 300.0);
            text.line(format!("joins_s = {joins}"));
        }
    }
    let mut known: Vec<Known> = Vec::new();
    for index in 0..text.whole(1, 8) {
        let place = text.place(width, height);
        let able = able(&mut text, &robots);
        text.line(format!("[tasks.t{index}]\nplace = {place}\nwork_s = {{ {able} }}"));
        let recurs = recurring && (index == 0 || text.chance(0.2));
        let before: Vec<usize> = (0..known.len()).filter(|at| !recurring || !known[*at].stays).collect();
        if recurs {
            text.line("recurs = true");
        } else if !before.is_empty() && text.chance(0.3) {
            let before = text.one_of(&before);
            text.line(format!("after = [\"t{before}\"]"));
            known[before].stays = true;
        } else if text.chance(0.5) {
            let at = text.number(0.0, 300.0);
            text.line(format!("at_s = {at}"));
        }
        known.push(Known { name: format!("t{index}"), from_s: 0.0, stays: recurs });
    }
    let (progress, scatter) = (text.chance(0.5), text.number(0.0, 0.3));
    text.line(format!("[work]\nprogress = {progress}\nscatter = {scatter}"));
    text.radio(&robots, (width, height), 600.0, 700.0);
    text.faults(&robots, &robots[..1], 6, 600.0);
    let strategy = text.one_of(&STRATEGIES);
    alliance(&mut text, strategy);
    if text.chance(0.3) {
        text.line("practice = [{ missions = 2, for_s = 300 }]");
    }
    let scenario = text.finish();
    let scope =
        Scope { robots: &robots, field: (width, height), until_s: 300.0, tasks: known, moves: true, priorities: false };
    let interventions = interventions::draw(stream, scope, |text, known| {
        let (place, able) = (text.place(width, height), able(text, &robots));
        let mut said = format!("place = {place}, work_s = {{ {able} }}");
        let before: Vec<usize> = (0..known.len()).filter(|at| !known[*at].stays).collect();
        if text.chance(0.1) {
            said += ", recurs = true";
        } else if !before.is_empty() && text.chance(0.3) {
            let before = text.one_of(&before);
            said += &format!(", after = [\"{}\"]", known[before].name);
            known[before].stays = true;
        }
        said
    });
    Texts { scenario, interventions }
}

/// Who can do a task, and in how many seconds: somebody at least.
fn able(text: &mut Text<'_>, robots: &[String]) -> String {
    let mut able: Vec<String> = Vec::new();
    for robot in robots {
        if text.chance(0.6) || (able.is_empty() && *robot == robots[robots.len() - 1]) {
            let seconds = text.number(1.0, 300.0);
            able.push(format!("{robot} = {seconds}"));
        }
    }
    able.join(", ")
}

/// A box that is pushed by its ends in turn, by robots that fail.
fn boxed(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 0.1\n[field]\nwidth_m = 12\nheight_m = 12");
    let robots: Vec<String> = (0..text.whole(2, 3)).map(|index| format!("r{index}")).collect();
    for (index, robot) in robots.iter().enumerate() {
        let speed = text.number(0.05, 0.5);
        let end = if index == 0 { "left" } else { "right" };
        text.line(format!("[robots.{robot}]\nspeed_mps = {speed}\nput_at = \"push-{end}\""));
        if index == 2 {
            let joins = text.number(0.0, 200.0);
            text.line(format!("joins_s = {joins}"));
        }
    }
    let (length, push) = (text.number(1.0, 4.0), text.number(0.01, 0.2));
    text.line(format!(
        "[box]\nleft = \"push-left\"\nright = \"push-right\"\nplace = [5, 1]\nlength_m = {length}\npush_m = {push}"
    ));
    for end in ["left", "right"] {
        let able = able(&mut text, &robots[..2]);
        text.line(format!("[tasks.push-{end}]\nrecurs = true\nwork_s = {{ {able} }}"));
    }
    let place = text.place(12.0, 12.0);
    text.line(format!("[tasks.go-home]\nplace = {place}\nwork_s = {{ r1 = 1 }}"));
    let scatter = text.number(0.0, 0.2);
    text.line(format!("[work]\nscatter = {scatter}"));
    text.radio(&robots, (12.0, 12.0), 300.0, 700.0);
    text.faults(&robots, &[], 6, 300.0);
    let strategy = text.one_of(&["i", "ii", "iii"]);
    alliance(&mut text, strategy);
    text.line("min_delay_s = 3\nmax_delay_s = 3\nboredom_s = 3\nperiod_s = 3\nsilence_s = 9");
    text.line("[alliance.feedback]\npush-left = { after = \"push-right\" }\npush-right = { after = \"push-left\" }");
    text.line("go-home = { unless_others_at = \"push-left\" }");
    let scenario = text.finish();
    let tasks = vec![Known { name: "go-home".to_owned(), from_s: 0.0, stays: false }];
    let scope = Scope { robots: &robots, field: (12.0, 12.0), until_s: 300.0, tasks, moves: true, priorities: false };
    let interventions = interventions::draw(stream, scope, |text, _| {
        let (place, able) = (text.place(12.0, 12.0), able(text, &robots));
        format!("place = {place}, work_s = {{ {able} }}")
    });
    Texts { scenario, interventions }
}

fn alliance(text: &mut Text<'_>, strategy: &str) {
    text.line(format!("[alliance]\nstrategy = \"{strategy}\""));
    if strategy == "fixed" {
        text.line("fixed = { fast_s = 10, patience_s = 60, yielding_s = 120, giving_up_s = 180 }");
    }
}

/// Robots that believe they can do a task which they never will, beside tasks that they can do in a minute or two.
pub fn never(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 6\n[field]\nwidth_m = 30\nheight_m = 30");
    let team = text.whole(1, 3);
    let robots: Vec<String> = (0..team).map(|index| format!("r{index}")).collect();
    for robot in &robots {
        let (speed, place) = (text.number(0.5, 2.0), text.place(30.0, 30.0));
        text.line(format!("[robots.{robot}]\nspeed_mps = {speed}\nplace = {place}"));
    }
    for index in 0..text.whole(2, 4) {
        let place = text.place(30.0, 30.0);
        let mut times = Vec::new();
        for robot in &robots {
            let seconds = if index == 0 { 100_000_000.0 } else { text.number(30.0, 120.0) };
            times.push(format!("{robot} = {seconds}"));
        }
        text.line(format!("[tasks.t{index}]\nplace = {place}\nwork_s = {{ {} }}", times.join(", ")));
    }
    let strategy = text.one_of(&STRATEGIES);
    alliance(&mut text, strategy);
    undisturbed(text.finish())
}

/// One robot at its task, another one far away that would need no longer for it, but for the way.
pub fn far(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    let away = text.number(60.0, 190.0);
    text.line("limit_h = 1\n[field]\nwidth_m = 200\nheight_m = 20");
    text.line("[robots.near]\nspeed_mps = 1\nplace = [5, 5]");
    text.line(format!("[robots.far]\nspeed_mps = 1\nplace = [{}, 5]", 5.0 + away));
    let (near, far) = (text.number(20.0, 40.0), text.number(15.0, 40.0));
    text.line(format!("[tasks.x]\nplace = [5, 5]\nwork_s = {{ near = {near}, far = {far} }}"));
    text.line("[work]\nprogress = false\nscatter = 0.2");
    let strategy = text.one_of(&["preferred", "i", "ii", "iii"]);
    alliance(&mut text, strategy);
    text.line("boredom_s = 1\npractice = [{ missions = 2 }]");
    undisturbed(text.finish())
}
