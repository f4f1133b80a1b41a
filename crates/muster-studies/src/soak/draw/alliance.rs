//! Missions of L-ALLIANCE: tasks, and how long each robot that can do them takes.

use muster_core::rng::Stream;

use super::Text;

const STRATEGIES: [&str; 8] = ["preferred", "i", "ii", "iii", "fixed", "regret", "replan", "replan-broadcast"];

/// Any mission: robots of any speed, tasks in any order, any radio, any faults, any strategy.
pub fn any(stream: &mut Stream) -> String {
    let mut text = Text::new(stream);
    let (width, height) = (text.number(10.0, 100.0), text.number(10.0, 100.0));
    text.line("limit_h = 1");
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
    let tasks = text.whole(1, 8);
    for index in 0..tasks {
        let place = text.place(width, height);
        let mut able: Vec<String> = Vec::new();
        for robot in &robots {
            if text.chance(0.6) || (able.is_empty() && *robot == robots[robots.len() - 1]) {
                let seconds = text.number(1.0, 300.0);
                able.push(format!("{robot} = {seconds}"));
            }
        }
        text.line(format!("[tasks.t{index}]\nplace = {place}\nwork_s = {{ {} }}", able.join(", ")));
        if index > 0 && text.chance(0.3) {
            let before = text.whole(0, index - 1);
            text.line(format!("after = [\"t{before}\"]"));
        } else if text.chance(0.5) {
            let at = text.number(0.0, 300.0);
            text.line(format!("at_s = {at}"));
        }
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
    text.finish()
}

fn alliance(text: &mut Text<'_>, strategy: &str) {
    text.line(format!("[alliance]\nstrategy = \"{strategy}\""));
    if strategy == "fixed" {
        text.line("fixed = { fast_s = 10, patience_s = 60, yielding_s = 120, giving_up_s = 180 }");
    }
}

/// Robots that believe they can do a task which they never will, beside tasks that they can do in a minute or two.
pub fn never(stream: &mut Stream) -> String {
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
    text.finish()
}

/// One robot at its task, another one far away that would need no longer for it, but for the way.
pub fn far(stream: &mut Stream) -> String {
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
    text.finish()
}
