//! What is done to a mission while it goes on: orders, faults and disturbances of the radio.

use muster_core::rng::Stream;

use super::{Text, quoted};

/// What can be done to a mission.
pub struct Scope<'a> {
    /// Everybody.
    pub robots: &'a [String],
    /// Metres from west to east and from south to north.
    pub field: (f64, f64),
    /// Nothing is done after so many seconds.
    pub until_s: f64,
    /// The tasks that there are.
    pub tasks: Vec<Known>,
    /// Tasks can be moved.
    pub moves: bool,
    /// Tasks have priorities.
    pub priorities: bool,
}

/// A task that somebody may change his mind about.
pub struct Known {
    /// What it is called.
    pub name: String,
    /// It cannot be changed before.
    pub from_s: f64,
    /// It is there for good: it recurs, or others wait for it.
    pub stays: bool,
}

/// Draws what is done; nothing as often as not. `new` says what a new task is, but for its name.
pub fn draw(
    stream: &mut Stream,
    mut scope: Scope<'_>,
    mut new: impl FnMut(&mut Text<'_>, &mut [Known]) -> String,
) -> String {
    let mut text = Text::new(stream);
    if text.chance(0.5) {
        return text.finish();
    }
    let at_once = text.chance(0.2);
    let mut times: Vec<f64> = (0..text.whole(1, 8)).map(|_| text.number(0.0, scope.until_s)).collect();
    times.sort_by(f64::total_cmp);
    for (index, at_s) in times.iter().map(|at_s| if at_once { times[0] } else { *at_s }).enumerate() {
        let author = text.one_of(&["ops", "ann"]);
        text.line(format!("[[interventions]]\nat_s = {at_s}\nauthor = \"{author}\""));
        let done = match text.whole(0, 9) {
            0 | 1 => {
                let name = format!("new-{index}");
                let rest = new(&mut text, &mut scope.tasks);
                scope.tasks.push(Known { name: name.clone(), from_s: at_s, stays: rest.contains("recurs = true") });
                Some(format!("order = {{ name = \"{name}\", {rest} }}"))
            }
            2 | 3 => change(&mut text, &mut scope, at_s),
            4 | 5 => Some(disturb(&mut text, &scope)),
            _ => None,
        };
        // What cannot be done is replaced by what can always be done.
        let done = done.unwrap_or_else(|| fault(&mut text, &scope));
        text.line(done);
    }
    text.finish()
}

fn change(text: &mut Text<'_>, scope: &mut Scope<'_>, at_s: f64) -> Option<String> {
    let changeable: Vec<usize> = (0..scope.tasks.len())
        .filter(|index| !scope.tasks[*index].stays && scope.tasks[*index].from_s <= at_s)
        .collect();
    if changeable.is_empty() {
        return None;
    }
    let index = text.one_of(&changeable);
    let name = scope.tasks[index].name.clone();
    let place = text.place(scope.field.0, scope.field.1);
    Some(match text.whole(0, 2) {
        0 if scope.moves => format!("order = {{ task = \"{name}\", place = {place} }}"),
        1 if scope.priorities => format!("order = {{ task = \"{name}\", priority = {} }}", text.whole(0, 9)),
        _ => {
            scope.tasks.remove(index);
            format!("order = {{ task = \"{name}\", cancel = true }}")
        }
    })
}

fn fault(text: &mut Text<'_>, scope: &Scope<'_>) -> String {
    let robot = text.one_of(&scope.robots.iter().map(String::as_str).collect::<Vec<_>>());
    let kind = text.one_of(&["stop", "pause", "mute", "deaf", "offline", "restart", "restart", "back", "back"]);
    let mut said = format!("robot = \"{robot}\", kind = \"{kind}\"");
    if !matches!(kind, "stop" | "back") {
        said += &format!(", for_s = {}", text.number(0.01, 60.0));
    }
    if matches!(kind, "restart" | "back") && text.chance(0.5) {
        said += ", memory = false";
    }
    format!("fault = {{ {said} }}")
}

fn disturb(text: &mut Text<'_>, scope: &Scope<'_>) -> String {
    let lasts = if text.chance(0.8) { format!("for_s = {}", text.number(0.1, 120.0)) } else { String::new() };
    let with = |said: String| if lasts.is_empty() { said } else { format!("{said}, {lasts}") };
    let team = scope.robots.len() as u32;
    match text.whole(0, 2) {
        0 if team > 1 => {
            let (one, step) = (text.whole(0, team - 1), text.whole(1, team - 1));
            let pair = [one, (one + step) % team].map(|index| scope.robots[index as usize].clone());
            format!("radio = {{ {} }}", with(format!("cut = [{}]", quoted(&pair))))
        }
        1 if team > 1 => {
            let part = quoted(&scope.robots[..text.whole(1, team - 1) as usize]);
            format!("radio = {{ partition = {{ {} }} }}", with(format!("parts = [[{part}]]")))
        }
        _ => {
            let (place, radius) = (text.place(scope.field.0, scope.field.1), text.number(1.0, scope.field.0));
            format!("radio = {{ jam = {{ {} }} }}", with(format!("at = {place}, radius_m = {radius}")))
        }
    }
}
