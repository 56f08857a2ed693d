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
    /// Groups of panels; each begins a row, and goes on in the next ones.
    pub groups: Vec<Vec<Panel>>,
    /// The horizontal axis of every panel.
    pub x: Axis,
    /// What stands below the panels; nothing if empty.
    pub caption: String,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// What it shows.
    pub label: String,
    /// Its least value.
    pub low: f64,
    /// Its greatest value; above the least.
    pub high: f64,
    /// Where its ticks are; round numbers, if these are none.
    pub ticks: Vec<f64>,
    /// Whether equal distances are equal ratios. What is not above 0 stands at the least value, which
    /// is above 0.
    pub log: bool,
}

impl Axis {
    /// From one value to another, with ticks at round numbers.
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
    /// What is seen.
    pub title: String,
    /// The vertical axis.
    pub y: Axis,
    /// Curves, later ones on top.
    pub series: Vec<Series>,
    /// Horizontal lines.
    pub levels: Vec<ReferenceLine>,
    /// Vertical lines: where, and how they look.
    pub marks: Vec<(f64, Stroke)>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// What is around it.
    pub spread: Spread,
    /// The points, by number, that are marked by a dot: where curves coincide their dots show it.
    pub dots: Vec<usize>,
    /// How the line looks.
    pub stroke: Stroke,
}

/// What a curve is the mean of.
#[derive(Clone, Debug, PartialEq)]
pub enum Spread {
    /// Nothing else.
    None,
    /// An area around it, as (x, low, high) from left to right.
    Band(Vec<(f64, f64, f64)>),
    /// Other curves, drawn thin.
    Thin(Vec<Vec<(f64, f64)>>),
}

/// A horizontal line with its value written beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLine {
    /// Where.
    pub value: f64,
    /// How it looks.
    pub stroke: Stroke,
    /// Whether the value stands above the line's right end instead of below it.
    pub label_above: bool,
}

/// How a line looks and what it is called in the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// Its name; strokes of one name share a legend entry, one without a name has none.
    pub name: String,
    /// Its colour.
    pub color: Color,
    /// Length of dashes and of gaps in pixels; `None` for an unbroken line.
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
