//! Missions of the Collaborative Tasking Protocol: orders at consoles, targets to be flown over.

use muster_core::rng::Stream;

use super::interventions::{self, Known, Scope};
use super::{Text, Texts, undisturbed};

/// The head of a file: field, consoles and vehicles. The names of the nodes, consoles first.
fn team(text: &mut Text<'_>, side: f64, consoles: u32, vehicles: u32) -> Vec<String> {
    text.line(format!("[field]\nwidth_m = {side}\nheight_m = {side}"));
    let mut nodes = Vec::new();
    for index in 0..consoles {
        let place = text.place(side, side);
        text.line(format!("[robots.console-{index}]\nspeed_mps = 1\nplace = {place}"));
        nodes.push(format!("console-{index}"));
    }
    for index in 0..vehicles {
        let (speed, place) = (text.number(20.0, 60.0), text.place(side, side));
        text.line(format!("[robots.v{index}]\nspeed_mps = {speed}\nplace = {place}"));
        nodes.push(format!("v{index}"));
    }
    nodes
}

/// The section of the protocol, with a template of three phases.
fn tasking(text: &mut Text<'_>, consoles: u32, corridor_m: f64, strict: bool) {
    let names: Vec<String> = (0..consoles).map(|index| format!("\"console-{index}\"")).collect();
    text.line(format!("[tasking]\nconsoles = [{}]\ncorridor_m = {corridor_m}", names.join(", ")));
    text.line(format!("[tasking.templates.fire]\nstrict = {strict}"));
    text.line("[tasking.templates.fire.phases]\nverify = {}\ndrop = {}\nassess = {}");
    for (a, b) in [("verify", "drop"), ("drop", "assess")] {
        text.line(format!(
            "[[tasking.templates.fire.couplings]]\na = \"{a}\"\nb = \"{b}\"\ndt_min_s = 5\ndt_max_s = 10\ndh_min_deg = 45"
        ));
    }
}

/// Any mission: single tasks and groups, urgent ones, some that expire, changes of mind, any radio, any faults,
/// undisturbed or not. Fenced: as drawn in the paper the protocol promises less.
pub fn any(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 0.2");
    let (side, consoles, vehicles) = (text.number(800.0, 4_000.0), text.whole(1, 2), text.whole(1, 7));
    let nodes = team(&mut text, side, consoles, vehicles);
    let at_once = text.chance(0.3);
    let mut known = Vec::new();
    for index in 0..text.whole(1, 5) {
        let (console, place) = (text.whole(0, consoles - 1), text.place(side, side));
        let at = if at_once { 1.0 } else { text.number(0.0, 200.0) };
        let mut order = format!("by = \"console-{console}\"");
        if text.chance(0.4) {
            order += ", kind = \"fire\"";
        }
        if text.chance(0.3) {
            order += &format!(", priority = {}", text.whole(0, 9));
        }
        if text.chance(0.3) {
            order += &format!(", expires_s = {}", text.number(20.0, 300.0));
        }
        if text.chance(0.3) {
            order += ", delivery = \"at-most-once\"";
        }
        text.line(format!("[tasks.t{index}]\nat_s = {at}\nplace = {place}\norder = {{ {order} }}"));
        known.push(Known { name: format!("t{index}"), from_s: at, stays: false });
    }
    // The protocol's shortest waits are made for a radio that takes 0.2 s.
    text.radio(&nodes, (side, side), 300.0, 200.0);
    text.faults(&nodes, &nodes[..consoles as usize], 4, 300.0);
    let (corridor, strict) = (text.number(10.0, 300.0), text.chance(0.3));
    tasking(&mut text, consoles, corridor, strict);
    if text.chance(0.3) {
        changes(&mut text, &known, side);
    }
    let scenario = text.finish();
    let scope =
        Scope { robots: &nodes, field: (side, side), until_s: 300.0, tasks: known, moves: true, priorities: true };
    let interventions = interventions::draw(stream, scope, |text, _| {
        let (console, place) = (text.whole(0, consoles - 1), text.place(side, side));
        let mut order = format!("by = \"console-{console}\", priority = {}", text.whole(0, 9));
        if text.chance(0.4) {
            order += ", kind = \"fire\"";
        }
        if text.chance(0.3) {
            order += &format!(", expires_s = {}", text.number(20.0, 300.0));
        }
        format!("place = {place}, order = {{ {order} }}")
    });
    Texts { scenario, interventions }
}

/// Operators change their minds.
fn changes(text: &mut Text<'_>, known: &[Known], side: f64) {
    for _ in 0..text.whole(1, 3) {
        let Known { name, from_s, .. } = &known[text.whole(0, known.len() as u32 - 1) as usize];
        let (at, place) = (from_s + text.number(0.001, 60.0), text.place(side, side));
        text.line(format!("[[tasking.changes]]\nat_s = {at}\ntask = \"{name}\""));
        let change = match text.whole(0, 2) {
            0 => "cancel = true".to_owned(),
            1 => format!("place = {place}"),
            _ => format!("priority = {}", text.whole(0, 9)),
        };
        text.line(change);
    }
}

/// Two or three orders at the same instant, a radio without loss, vehicles enough for each group alone.
pub fn at_once(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 0.1");
    let (side, consoles, vehicles) = (text.number(1_500.0, 3_000.0), text.whole(1, 2), text.whole(3, 5));
    team(&mut text, side, consoles, vehicles);
    for index in 0..text.whole(2, 3) {
        let (console, place) = (text.whole(0, consoles - 1), text.place(side, side));
        let kind = if text.chance(0.7) { ", kind = \"fire\"" } else { "" };
        text.line(format!(
            "[tasks.t{index}]\nat_s = 1\nplace = {place}\norder = {{ by = \"console-{console}\"{kind} }}"
        ));
    }
    tasking(&mut text, consoles, 200.0, false);
    undisturbed(text.finish())
}

/// One group, a vehicle to spare, and one that stops between the auction and the last deed.
pub fn stops(stream: &mut Stream) -> Texts {
    group_with_a_stop(stream, false)
}

/// The same with a strict template.
pub fn strict(stream: &mut Stream) -> Texts {
    group_with_a_stop(stream, true)
}

fn group_with_a_stop(stream: &mut Stream, strict: bool) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 0.1");
    let (side, vehicles) = (text.number(1_000.0, 2_000.0), text.whole(4, 5));
    let nodes = team(&mut text, side, 1, vehicles);
    let place = text.place(side, side);
    text.line(format!("[tasks.hotspot]\nat_s = 1\nplace = {place}\norder = {{ by = \"console-0\", kind = \"fire\" }}"));
    let (who, at) = (text.whole(1, vehicles) as usize, text.number(5.0, 40.0));
    text.line(format!("[[faults]]\nrobot = \"{}\"\nat_s = {at}\nkind = \"stop\"", nodes[who]));
    tasking(&mut text, 1, 200.0, strict);
    undisturbed(text.finish())
}

/// Any groups: 1 to 12 vehicles, 1 to 6 orders of 1 to 5 phases at one instant or at any time, vehicles that stop, join and
/// restart. Nothing is lost.
pub fn groups(stream: &mut Stream) -> Texts {
    any_groups(stream, &[0.0])
}

/// The same with the loss that promises are stated for.
pub fn groups_20(stream: &mut Stream) -> Texts {
    any_groups(stream, &[0.2])
}

/// The same with any loss.
pub fn groups_lossy(stream: &mut Stream) -> Texts {
    any_groups(stream, &[0.1, 0.2, 0.2, 0.3])
}

fn any_groups(stream: &mut Stream, losses: &[f64]) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 0.15");
    let (side, consoles, vehicles) = (text.number(800.0, 4_000.0), text.whole(1, 2), text.whole(1, 12));
    let nodes = team(&mut text, side, consoles, vehicles);
    if text.chance(0.3) {
        let (joins, place) = (text.number(1.0, 120.0), text.place(side, side));
        text.line(format!("[robots.late]\nspeed_mps = 40\nplace = {place}\njoins_s = {joins}"));
    }
    let (kinds, at_once) = (text.whole(1, 3), text.chance(0.5));
    for index in 0..text.whole(1, 6) {
        let (console, kind, place) = (text.whole(0, consoles - 1), text.whole(0, kinds - 1), text.place(side, side));
        let at = if at_once { 1.0 } else { text.number(0.0, 120.0) };
        let mut order = format!("by = \"console-{console}\", kind = \"kind-{kind}\"");
        if text.chance(0.2) {
            order += &format!(", priority = {}", text.whole(0, 9));
        }
        text.line(format!("[tasks.t{index}]\nat_s = {at}\nplace = {place}\norder = {{ {order} }}"));
    }
    let loss = text.one_of(losses);
    text.line(format!("[radio]\nloss = {loss}\nloss_per = \"receiver\""));
    for _ in 0..text.whole(0, 2) {
        let (who, at) = (text.whole(0, vehicles - 1), text.number(1.0, 150.0));
        let kind = text.one_of(&["stop", "restart"]);
        text.line(format!(
            "[[faults]]\nrobot = \"{}\"\nat_s = {at}\nkind = \"{kind}\"",
            nodes[(consoles + who) as usize]
        ));
        if kind == "restart" {
            let lasts = text.number(0.1, 40.0);
            text.line(format!("for_s = {lasts}"));
        }
    }
    let names: Vec<String> = (0..consoles).map(|index| format!("\"console-{index}\"")).collect();
    let corridor = text.number(50.0, 300.0);
    text.line(format!("[tasking]\nconsoles = [{}]\ncorridor_m = {corridor}", names.join(", ")));
    for kind in 0..kinds {
        let (phases, strict, distinct) = (text.whole(1, 5), text.chance(0.4), text.chance(0.7));
        text.line(format!("[tasking.templates.kind-{kind}]\nstrict = {strict}\ndistinct = {distinct}"));
        if text.chance(0.4) {
            let fresh = text.number(15.0, 60.0);
            text.line(format!("fresh_s = {fresh}"));
        }
        text.line(format!("[tasking.templates.kind-{kind}.phases]"));
        for phase in 0..phases {
            text.line(format!("p{phase} = {{}}"));
        }
        for phase in 1..phases {
            let (least, room, angle) = (text.number(3.0, 12.0), text.number(5.0, 20.0), text.one_of(&[0.0, 45.0]));
            text.line(format!(
                "[[tasking.templates.kind-{kind}.couplings]]\na = \"p{}\"\nb = \"p{phase}\"\ndt_min_s = {least}\ndt_max_s = {}\ndh_min_deg = {angle}",
                phase - 1,
                least + room
            ));
        }
    }
    undisturbed(text.finish())
}

/// Vehicles that have to be reloaded now and then, at one base or another, and some that cannot be: orders over half an hour,
/// single ones and groups, some of which take loads. Nothing goes wrong.
pub fn sorties(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    text.line("limit_h = 2");
    let (side, vehicles) = (text.number(800.0, 2_000.0), text.whole(3, 6));
    text.line(format!("[field]\nwidth_m = {side}\nheight_m = {side}"));
    let (one, other) = (text.place(side, side), text.place(side, side));
    text.line(format!("[places]\nbase-0 = {one}\nbase-1 = {other}"));
    let place = text.place(side, side);
    text.line(format!("[robots.console-0]\nspeed_mps = 1\nplace = {place}"));
    let corridor = text.number(50.0, 300.0);
    for index in 0..vehicles {
        let (speed, place) = (text.number(20.0, 60.0), text.place(side, side));
        text.line(format!("[robots.v{index}]\nspeed_mps = {speed}\nplace = {place}"));
        // Enough to go across the field, round a target and back.
        let least = (6.0 * side + 12.0 * corridor) / speed + 20.0;
        let endurance = text.number(least, 3.0 * least);
        text.line(format!("endurance_s = {endurance}"));
        if index < 3 || text.chance(0.7) {
            let (base, reload) = (text.whole(0, 1), text.number(5.0, 120.0));
            text.line(format!("base = \"base-{base}\"\nreload_s = {reload}"));
        }
    }
    for index in 0..text.whole(4, 14) {
        let (at, place) = (text.number(0.0, 1_800.0), text.place(side, side));
        let kind = text.one_of(&["fire", "load", "load"]);
        text.line(format!(
            "[tasks.t{index}]\nat_s = {at}\nplace = {place}\norder = {{ by = \"console-0\", kind = \"{kind}\" }}"
        ));
    }
    tasking(&mut text, 1, corridor, false);
    text.line("[tasking.templates.load.phases]\nload = { loads = 1 }");
    let (loads, fuel) = (text.whole(1, 3), text.number(0.0, 200.0));
    text.line(format!("[tasking.vehicles.all]\nloads = {loads}\nfuel = {fuel}"));
    undisturbed(text.finish())
}
