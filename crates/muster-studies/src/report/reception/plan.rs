//! The paper's plan view: fixed obstacles as black squares, guests as green circles, robots as red circles with the first
//! two letters of their names. [CARS, Visual Interface]

use muster_reception::robot::Place;
use serde_json::{Value, json};

use crate::reception::snapshot::Panel;
use crate::reception::{Study, tables};
use crate::report::html::escape;
use crate::report::plot::{Plot, as_text};

/// Half the side of a body, in feet.
const HALF_FT: f64 = 1.0;

fn shape(kind: &str, at: Place, fill: &str) -> Value {
    json!({"type": kind, "x0": at.x - HALF_FT, "x1": at.x + HALF_FT, "y0": at.y - HALF_FT, "y1": at.y + HALF_FT,
        "fillcolor": fill, "line": {"color": "@ground", "width": 1}, "layer": "below"})
}

/// An entry of the legend; bodies are drawn to scale, which markers are not.
fn legend(name: &str, symbol: &str, colour: &str) -> Value {
    json!({"type": "scatter", "mode": "markers", "name": name, "x": [null], "y": [null], "hoverinfo": "skip",
        "marker": {"symbol": symbol, "color": colour, "size": 13}})
}

/// The plan view of the snapshot.
pub fn plot(study: &Study) -> Option<Plot> {
    let it = study.snapshot.as_ref()?;
    let mut shapes: Vec<Value> = it.obstacles.iter().map(|at| shape("rect", *at, "@ink")).collect();
    shapes.extend(it.guests.iter().map(|at| shape("circle", *at, "@good")));
    shapes.extend(it.robots.iter().map(|robot| shape("circle", robot.place, "@bad")));
    let hover = |panel: &Panel| {
        let shown = panel.variables.iter().map(|(name, value)| format!("<br>{} {}", as_text(name), as_text(value)));
        let (name, feels, does) = (as_text(&panel.name), as_text(&panel.emotion), as_text(&panel.behavior));
        format!("{name}: {feels}, {does}{}", shown.collect::<String>())
    };
    let data = vec![
        legend("food table", "square", "@ink"),
        legend("guests", "circle", "@good"),
        legend("robots", "circle", "@bad"),
        json!({
            "type": "scatter", "mode": "text", "showlegend": false,
            "x": it.robots.iter().map(|robot| robot.place.x).collect::<Vec<_>>(),
            "y": it.robots.iter().map(|robot| robot.place.y).collect::<Vec<_>>(),
            "text": it.robots.iter().map(|robot| format!("<b>{}</b>", as_text(&robot.letters()))).collect::<Vec<_>>(),
            "textfont": {"color": "@ground", "size": 12},
            "hovertext": it.robots.iter().map(hover).collect::<Vec<_>>(), "hoverinfo": "text",
        }),
        json!({
            "type": "scatter", "mode": "markers", "showlegend": false, "opacity": 0,
            "x": it.guests.iter().map(|at| at.x).collect::<Vec<_>>(),
            "y": it.guests.iter().map(|at| at.y).collect::<Vec<_>>(),
            "marker": {"size": 14, "color": "@good"}, "hovertemplate": "a guest at (%{x:.1f}, %{y:.1f}) ft<extra></extra>",
        }),
    ];
    let robots: Vec<String> = it
        .robots
        .iter()
        .map(|robot| format!("{} at {} ft, {}, in {}", robot.name, robot.place, robot.emotion, robot.behavior))
        .collect();
    Some(Plot {
        id: "plan".to_owned(),
        title: format!("Plan view at {} s, seed {}", it.at_s, it.seed),
        alt: format!(
            "A field of {} by {} ft with {} guests. {}.",
            it.width_ft,
            it.height_ft,
            it.guests.len(),
            robots.join("; ")
        ),
        caption: format!(
            "{}. {:.0} treats are left, and Leguin has {:.0} % of the way behind her. Scenes like this (seven or eight treats, \
             both CONCERNED, one serving and the other on her way after a hurry) were met in {} of {} runs, for {:.2} % of \
             the time.",
            robots.join("; "),
            it.treats,
            100.0 * it.on_the_way,
            it.runs_with,
            it.runs,
            100.0 * it.share
        ),
        data,
        layout: json!({
            "xaxis": {"title": {"text": "feet east"}, "range": [0, it.width_ft], "constrain": "domain", "showgrid": false,
                "mirror": true},
            "yaxis": {"title": {"text": "feet north"}, "range": [0, it.height_ft], "scaleanchor": "x",
                "constrain": "domain", "showgrid": false, "mirror": true},
            "shapes": shapes,
        }),
        height: 640,
    })
}

/// Panels and the end of the log.
pub fn words(study: &Study) -> String {
    let Some((panels, snapshot)) = tables::panels(study).zip(study.snapshot.as_ref()) else {
        return "<p class=\"bad\">No such scene was met.</p>\n".to_owned();
    };
    let log: Vec<String> = snapshot.log.iter().map(|line| escape(&line.replace('\t', "  "))).collect();
    format!(
        "<div class=\"told\">{}</div>\n<h3>The log until then</h3>\n<pre tabindex=\"0\">{}</pre>\n",
        panels.html(),
        log.join("\n")
    )
}
