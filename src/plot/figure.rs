/// A colour as red, green and blue.
pub type Color = (u8, u8, u8);

/// A picture: panels in a grid, with one legend for all.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The headline.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// Rows of panels, aligned at the left.
    pub rows: Vec<Vec<Panel>>,
    /// What the horizontal axes show.
    pub x_label: String,
}

/// One system of axes. The vertical one shows fractions, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What is seen.
    pub title: String,
    /// The largest value of the horizontal axis; above 0.
    pub x_max: f64,
    /// Curves, later ones on top.
    pub series: Vec<Series>,
    /// Horizontal lines.
    pub levels: Vec<Level>,
    /// Vertical lines: where, and how they look.
    pub marks: Vec<(f64, Stroke)>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Points from left to right.
    pub points: Vec<(f64, f64)>,
    /// The area around it, if it has one.
    pub band: Option<Band>,
    /// How the line looks.
    pub stroke: Stroke,
}

/// An area between two curves, as (x, low, high) from left to right.
pub type Band = Vec<(f64, f64, f64)>;

/// A horizontal line with its value written beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
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
    /// Its name; strokes of one name share a legend entry.
    pub name: String,
    /// Its colour.
    pub color: Color,
    /// Length of dashes and of gaps in pixels; `None` for an unbroken line.
    pub dash: Option<(u32, u32)>,
}

impl Figure {
    /// The strokes, each name once, in the order in which they appear.
    pub(super) fn legend(&self) -> Vec<&Stroke> {
        let mut entries: Vec<&Stroke> = Vec::new();
        for panel in self.rows.iter().flatten() {
            let series = panel.series.iter().map(|series| &series.stroke);
            let levels = panel.levels.iter().map(|level| &level.stroke);
            let marks = panel.marks.iter().map(|(_, stroke)| stroke);
            for stroke in series.chain(levels).chain(marks) {
                if !entries.iter().any(|entry| entry.name == stroke.name) {
                    entries.push(stroke);
                }
            }
        }
        // Curves first, then lines, then marks.
        entries.sort_by_key(|stroke| stroke.dash.is_some());
        entries
    }
}
