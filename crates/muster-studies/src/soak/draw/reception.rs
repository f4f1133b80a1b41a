//! Receptions: halls of any size, guests in the way, a radio between waiter and refiller.

use muster_core::rng::Stream;

use super::{Text, Texts, undisturbed};

/// Any reception.
pub fn any(stream: &mut Stream) -> Texts {
    let mut text = Text::new(stream);
    let (width, height) = (text.number(24.0, 100.0), text.number(24.0, 100.0));
    let limit = text.whole(60, 600);
    text.line(format!("limit_s = {limit}"));
    text.line(format!("[reception]\nwidth_ft = {width}\nheight_ft = {height}\nobstacles_ft = [[12, 3]]"));
    // At most a guest for every 40 square feet: more would not find room to stand.
    let most = (width * height / 40.0) as u32;
    let (guests, fast, long) = (text.whole(0, most.min(120)), text.number(0.5, 6.0), text.number(3.0, 30.0));
    text.line(format!(
        "[reception.guests]\ncount = {guests}\nspeed_fps = [0, {}, {fast}]\nduration_s = [1, {}, {long}]",
        fast / 2.0,
        long / 2.0
    ));
    let (treats, caution) = (text.whole(1, 20), text.number(0.0, 1.0));
    text.line(format!(
        "[reception.robots.Butler]\nplace_ft = [12, 18]\nsettings = {{ treats = {treats}, caution = {caution} }}"
    ));
    let class = text.one_of(&["Leguin", "Vonda"]);
    text.line(format!("[reception.robots.Leguin]\nclass = \"{class}\"\nplace_ft = [12, 6]"));
    if text.chance(0.7) {
        let (loss, latency) = (text.number(0.0, 0.6), text.number(0.0, 2_000.0));
        text.line(format!("[radio]\nloss = {loss}\nlatency_ms = {latency}"));
    }
    undisturbed(text.finish())
}
