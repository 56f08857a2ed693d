//! The content of a figure as JSON.

use serde_json::{Value, json};

use crate::plot::{Color, Figure, Panel, ReferenceLine, Series, Spread, Stroke};

/// The content of a figure.
pub fn figure_json(figure: &Figure) -> Value {
    let group = |panels: &Vec<Panel>| -> Vec<Value> { panels.iter().map(panel).collect() };
    let groups: Vec<_> = figure.groups.iter().map(group).collect();
    json!({
        "title": figure.title,
        "subtitle": figure.subtitle,
        "caption": figure.caption,
        "x": figure.x,
        "groups": groups,
    })
}

fn panel(panel: &Panel) -> Value {
    let mark = |(x, stroke): &(f64, Stroke)| with_stroke(json!({ "x": x }), stroke);
    let level = |level: &ReferenceLine| with_stroke(json!({ "value": level.value }), &level.stroke);
    json!({
        "title": panel.title,
        "y": panel.y,
        "series": panel.series.iter().map(series).collect::<Vec<_>>(),
        "levels": panel.levels.iter().map(level).collect::<Vec<_>>(),
        "marks": panel.marks.iter().map(mark).collect::<Vec<_>>(),
    })
}

/// A number as precise as can be seen, in a few characters.
fn short(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn series(series: &Series) -> Value {
    let points = |points: &Vec<(f64, f64)>| -> Vec<(f64, f64)> {
        points.iter().map(|&(x, y)| (x, short(y))).collect()
    };
    let (band, thin) = match &series.spread {
        Spread::None => (None, None),
        Spread::Band(band) => {
            let ends = band
                .iter()
                .map(|&(x, low, high)| (x, short(low), short(high)));
            (Some(ends.collect::<Vec<_>>()), None)
        }
        Spread::Thin(curves) => (None, Some(curves.iter().map(points).collect::<Vec<_>>())),
    };
    let value = json!({
        "points": points(&series.points),
        "dots": series.dots,
        "band": band,
        "thin": thin,
    });
    with_stroke(value, &series.stroke)
}

fn with_stroke(mut value: Value, stroke: &Stroke) -> Value {
    let (red, green, blue): Color = stroke.color;
    value["name"] = json!(stroke.name);
    value["color"] = json!(format!("#{red:02x}{green:02x}{blue:02x}"));
    value["dash"] = json!(stroke.dash);
    value
}
