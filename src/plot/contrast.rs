use plotters::coord::ranged1d::Ranged;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::Color as _;
use plotters::style::text_anchor::{HPos, VPos};

use super::axis::Scale;
use super::figure::{Axis, Color, Panel, Stroke};
use super::panels::{GRID, PANEL_HEIGHT, draw_panel, head, place_legend};
use super::picture::Picture;
use super::style::{
    Area, DrawResult, FAINT, INK, LABEL, MARGIN, TEXT, TICK, WIDTH, caption_height, cut_inside,
    letters, rgb, text_width, write_at, write_caption, write_head,
};

/// Differences: estimates with their intervals on lines below each other (a forest plot), and below them
/// panels, each with its own horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// The headline.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// What the colours mean, and the curves of the panels.
    pub legend: Vec<Stroke>,
    /// The estimates.
    pub forests: Vec<Forest>,
    /// The panels, each with its horizontal axis.
    pub panels: Vec<(Axis, Panel)>,
    /// The text below everything; none if empty.
    pub caption: String,
}

/// Estimates of the same kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// What is estimated.
    pub title: String,
    /// The estimates, from top to bottom; at least one.
    pub rows: Vec<Estimate>,
}

/// An estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// What it is an estimate of.
    pub name: String,
    /// The estimate itself.
    pub value: f64,
    /// The ends of its interval, if it has one.
    pub ends: Option<(f64, f64)>,
    /// The text at its end.
    pub note: String,
    /// Its colour.
    pub color: Color,
}

/// The heights of an estimate's line, and of the space above and below the lines of a forest.
const ROW: i32 = 19;
const ABOVE: i32 = 24;
const BELOW: i32 = 34;
/// The largest share of the width that names may take up.
const NAMES: f64 = 0.4;
const COLUMNS: usize = 2;

impl Picture for Contrast {
    fn size(&self) -> (u32, u32) {
        let head = head(&place_legend(&self.legend));
        let forests: i32 = self.forests.iter().map(Forest::height).sum();
        let panels = self.panels.len().div_ceil(COLUMNS) as u32 * PANEL_HEIGHT;
        let caption = caption_height(&self.caption);
        (WIDTH, (head + forests + caption) as u32 + panels)
    }

    fn draw(&self, root: &Area) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let entries = place_legend(&self.legend);
        entries.iter().try_for_each(|entry| entry.draw(root))?;
        let notes = self.longest(|row| text_width(&row.note, LABEL));
        let names = self.longest(|row| text_width(&name_of(row), LABEL));
        let across = (MARGIN + names + 14, WIDTH as i32 - MARGIN - notes - 14);
        let mut top = head(&entries);
        for forest in &self.forests {
            forest.draw(root, top, across)?;
            top += forest.height();
        }
        let (_, rest) = root.split_vertically(top);
        let rows = self.panels.len().div_ceil(COLUMNS);
        let (panels, below) = rest.split_vertically(rows as u32 * PANEL_HEIGHT);
        if rows > 0 {
            let panels = panels.margin(0, 0, MARGIN, MARGIN);
            let cells = panels.split_evenly((rows, COLUMNS));
            for ((x, panel), cell) in self.panels.iter().zip(&cells) {
                draw_panel(cell, panel, x)?;
            }
        }
        write_caption(&below, &self.caption, 0)
    }
}

impl Contrast {
    fn longest(&self, width: impl Fn(&Estimate) -> i32) -> i32 {
        let rows = self.forests.iter().flat_map(|forest| &forest.rows);
        rows.map(width).max().unwrap_or(0)
    }
}

/// The name of an estimate, shortened if there is no room.
fn name_of(row: &Estimate) -> String {
    let room = (f64::from(WIDTH) * NAMES) as i32;
    cut_inside(&row.name, letters(room, LABEL))
}

impl Forest {
    fn height(&self) -> i32 {
        ABOVE + self.rows.len() as i32 * ROW + BELOW
    }

    /// An axis that reaches from 0 to the farthest end on either side.
    fn axis(&self) -> Axis {
        let ends = self.rows.iter().flat_map(|row| {
            let (low, high) = row.ends.unwrap_or((row.value, row.value));
            [low, high, row.value]
        });
        let (low, high) = ends.fold((0.0f64, 0.0f64), |(low, high), end| {
            (low.min(end), high.max(end))
        });
        match high - low > 1e-12 {
            true => Axis::new("difference", low, high),
            false => Axis::new("difference", -1.0, 1.0),
        }
    }

    fn draw(&self, root: &Area, top: i32, (left, right): (i32, i32)) -> DrawResult {
        let (start, centre) = ((HPos::Left, VPos::Center), (HPos::Center, VPos::Top));
        let title = cut_inside(&self.title, letters(WIDTH as i32 - 2 * MARGIN, TEXT));
        write_at(root, &title, (MARGIN, top + 8), TEXT, INK, start)?;
        let room = |label: &str| text_width(label, TICK) + 14;
        let x = Scale::new(&self.axis(), right - left, &room, 0.04)?;
        let place = |value: f64| x.map(&value, (left, right));
        let first = top + ABOVE;
        let bottom = first + self.rows.len() as i32 * ROW;
        for (value, label) in x.labels() {
            let line = [(place(*value), first), (place(*value), bottom)];
            root.draw(&PathElement::new(line, GRID))?;
            write_at(root, label, (place(*value), bottom + 3), TICK, INK, centre)?;
        }
        let zero = [(place(0.0), first - 4), (place(0.0), bottom)];
        root.draw(&DashedPathElement::new(zero, 4, 3, FAINT))?;
        let heights = (first + ROW / 2..).step_by(ROW as usize);
        for (row, y) in self.rows.iter().zip(heights) {
            let color = rgb(row.color);
            write_at(root, &name_of(row), (MARGIN, y), LABEL, INK, start)?;
            write_at(root, &row.note, (right + 14, y), LABEL, color, start)?;
            if let Some((low, high)) = row.ends {
                let line = [(place(low), y), (place(high), y)];
                root.draw(&PathElement::new(line, color.stroke_width(2)))?;
                for end in [low, high] {
                    let cap = [(place(end), y - 4), (place(end), y + 4)];
                    root.draw(&PathElement::new(cap, color.stroke_width(2)))?;
                }
            }
            root.draw(&Circle::new((place(row.value), y), 4, color.filled()))?;
        }
        Ok(())
    }
}
