//! A figure of curves: its panels, axes and lines.

use serde::Serialize;

/// A colour as red, green and blue.
pub type Color = (u8, u8, u8);

/// A picture: panels in a grid, with one legend for all.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The headline.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// Groups of panels; each begins a new row, and continues in the next ones.
    pub groups: Vec<Vec<Panel>>,
    /// The horizontal axis of every panel.
    pub x: Axis,
    /// The text below the panels; none if empty.
    pub caption: String,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// Its smallest value.
    pub low: f64,
    /// Its greatest value; greater than the smallest.
    pub high: f64,
    /// The places of its ticks; if empty, round numbers.
    pub ticks: Vec<f64>,
    /// Whether equal distances are equal ratios. A value that is not above 0 is placed at the
    /// smallest value, which is above 0.
    pub log: bool,
}

impl Axis {
    /// An axis between two values, with ticks at round numbers.
    pub fn new(label: &str, low: f64, high: f64) -> Axis {
        Axis {
            label: label.to_owned(),
            low,
            high,
            ticks: Vec::new(),
            log: false,
        }
    }
}

/// One system of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows.
    pub title: String,
    /// The vertical axis.
    pub y: Axis,
    /// Curves, later ones on top.
    pub series: Vec<Series>,
    /// Horizontal lines.
    pub levels: Vec<ReferenceLine>,
    /// Vertical lines: their places and strokes.
    pub marks: Vec<(f64, Stroke)>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// What is drawn around it.
    pub spread: Spread,
    /// The indices of points that are marked by a dot; where curves coincide, their dots show it.
    pub dots: Vec<usize>,
    /// The line's stroke.
    pub stroke: Stroke,
}

/// What surrounds a curve, which is its mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// Nothing else.
    None,
    /// An area around it, as (x, low, high) from left to right.
    Band(Vec<(f64, f64, f64)>),
    /// Other curves, drawn thin.
    Thin(Vec<Vec<(f64, f64)>>),
}

/// A horizontal line with its value beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Its value.
    pub value: f64,
    /// The line's stroke.
    pub stroke: Stroke,
    /// Whether the value is above the line's right end instead of below it.
    pub label_above: bool,
}

/// The look of a line, and its name in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its name; strokes with the same name share a legend entry, one without a name has none.
    pub name: String,
    /// Its colour.
    pub color: Color,
    /// The lengths of dashes and gaps in pixels; `None` for an unbroken line.
    pub dash: Option<(u32, u32)>,
}

impl Figure {
    /// The strokes, each name once: curves in the order in which they appear, then other lines by
    /// name.
    pub(super) fn legend(&self) -> Vec<&Stroke> {
        let panels = || self.groups.iter().flatten();
        let curves = panels().flat_map(|panel| panel.series.iter().map(|series| &series.stroke));
        let mut lines: Vec<&Stroke> = Vec::new();
        for panel in panels() {
            lines.extend(panel.levels.iter().map(|level| &level.stroke));
            lines.extend(panel.marks.iter().map(|(_, stroke)| stroke));
        }
        lines.sort_by_key(|stroke| &stroke.name);
        let mut entries: Vec<&Stroke> = Vec::new();
        for stroke in curves.chain(lines) {
            if !stroke.name.is_empty() && !entries.iter().any(|entry| entry.name == stroke.name) {
                entries.push(stroke);
            }
        }
        entries
    }
}
