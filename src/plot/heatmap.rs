use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::picture::Picture;
use super::style::{
    Area, DrawResult, INK, LABEL, MARGIN, NOTHING, TEXT, WIDTH, cut, text_width, write_at,
    write_head,
};

/// A table of fractions as a picture: rows and columns have the same names.
#[derive(Clone, Debug, PartialEq)]
pub struct Heatmap {
    /// The headline.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// The names, first to last, each with a note behind it that is never cut.
    pub names: Vec<(String, String)>,
    /// For each row and column a number from 0 to 1, where there is one.
    pub cells: Vec<Vec<Option<f64>>>,
}

/// The side of a cell in pixels: as large as the page has room for, but with room for the name of its row, unless
/// there are so many cells that the picture becomes too large.
const LARGEST_CELL: i32 = 84;
const NAMED_CELL: i32 = 15;
const MOST_PIXELS: i32 = 2400;
/// Cells from this size on have their number written in them, and with three decimals from the other.
const WRITTEN_CELL: i32 = 34;
const PRECISE_CELL: i32 = 50;
/// Where the cells begin.
const TOP: i32 = MARGIN + 76;
/// The most characters of a name; the rest is cut.
const NAME_LENGTH: usize = 48;

impl Picture for Heatmap {
    fn size(&self) -> (u32, u32) {
        let cells = self.names.len() as i32 * self.cell();
        let width = (self.left() + cells + MARGIN).max(WIDTH as i32);
        (width as u32, (TOP + cells + MARGIN) as u32)
    }

    /// Low fractions are orange, even ones white, high ones blue.
    fn draw(&self, root: &Area) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let (left, cell) = (self.left(), self.cell());
        // Where there are too many names for all of them, every so many-th is there.
        let step = (NAMED_CELL / cell).max(1);
        let names = self.short_names().enumerate().step_by(step as usize);
        for (number, name) in names.map(|(i, name)| (i as i32 + 1, name)) {
            let middle = (number - 1) * cell + cell / 2;
            let write = |text: &str, place, anchor| write_at(root, text, place, LABEL, INK, anchor);
            let (name, place) = (format!("{number} {name}"), (left - 8, TOP + middle));
            write(&name, place, (HPos::Right, VPos::Center))?;
            // The names of the columns are numbers, which the rows explain.
            let room = text_width(&self.names.len().to_string(), LABEL) + 4;
            if (number - 1) % (room / cell + 1) == 0 {
                let place = (left + middle, TOP - 6);
                write(&number.to_string(), place, (HPos::Center, VPos::Bottom))?;
            }
        }
        let gap = if cell > NAMED_CELL { 2 } else { 0 };
        for (row, cells) in (0..).zip(&self.cells) {
            for (column, value) in (0..).zip(cells) {
                let (x, y) = (left + column * cell, TOP + row * cell);
                let color = value.map_or(NOTHING, shade);
                let corners = [(x, y), (x + cell - gap, y + cell - gap)];
                root.draw(&Rectangle::new(corners, color.filled()))?;
                if let Some(value) = value.filter(|_| cell >= WRITTEN_CELL) {
                    let strong = (value - 0.5).abs() > 0.35;
                    let ink = if strong { WHITE } else { INK };
                    let middle = (x + cell / 2 - 1, y + cell / 2 - 1);
                    let anchor = (HPos::Center, VPos::Center);
                    let decimals = if cell >= PRECISE_CELL { 3 } else { 2 };
                    let text = format!("{value:.decimals$}");
                    write_at(root, &text, middle, TEXT, ink, anchor)?;
                }
            }
        }
        Ok(())
    }
}

impl Heatmap {
    fn short_names(&self) -> impl Iterator<Item = String> {
        self.names
            .iter()
            .map(|(name, note)| cut(name, NAME_LENGTH) + note)
    }

    /// Where the cells begin.
    fn left(&self) -> i32 {
        let widths = self.short_names().map(|name| text_width(&name, LABEL));
        MARGIN + widths.max().unwrap_or(0) + 40
    }

    /// The side of a cell.
    fn cell(&self) -> i32 {
        let count = self.names.len().max(1) as i32;
        let room = (WIDTH as i32 - self.left() - MARGIN) / count;
        let wanted = room.clamp(NAMED_CELL, LARGEST_CELL);
        wanted.min(MOST_PIXELS / count).max(1)
    }
}

/// From orange over white to blue (two colours of Okabe & Ito 2008).
fn shade(value: f64) -> RGBColor {
    let end: (f64, f64, f64) = if value < 0.5 {
        (213.0, 94.0, 0.0)
    } else {
        (0.0, 114.0, 178.0)
    };
    let share = ((value - 0.5).abs() * 2.0).clamp(0.0, 1.0);
    let mix = |to: f64| (255.0 + (to - 255.0) * share).round() as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}
