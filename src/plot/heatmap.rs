use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::picture::Picture;
use super::style::{Area, Canvas, DrawResult, INK, MARGIN, text_width, write_at, write_head};

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

/// A cell of a small table.
const CELL: i32 = 84;
/// The cells of a larger one share so many pixels, so that a picture's memory is bounded.
const CELLS: i32 = 24 * CELL;
/// No cell is smaller.
const LEAST_CELL: i32 = 2;
/// Where the cells begin.
const TOP: i32 = MARGIN + 76;
/// Of the names, where they have the room.
const SIZE: f64 = 15.0;
/// Cells that are smaller show no number.
const NUMBERED: i32 = 30;
/// Names are cut after so many characters.
const NAME_LENGTH: usize = 48;
/// Where there is no number.
const NOTHING: RGBColor = RGBColor(0xee, 0xee, 0xee);

impl Picture for Heatmap {
    fn size(&self) -> (u32, u32) {
        let count = self.names.len() as i32;
        let side = count * self.cell();
        let width = (self.left() + side + MARGIN).max(640);
        (width as u32, (TOP + side + MARGIN) as u32)
    }

    /// Low fractions are orange, even ones white, high ones blue.
    fn draw<C: Canvas>(&self, root: &Area<C>) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let (left, size) = (self.left(), self.cell());
        for (number, name) in (1..).zip(self.short_names()) {
            let middle = (number - 1) * size + size / 2;
            let write = |text: &str, place, height, anchor| {
                write_at(root, text, place, height, INK, anchor)
            };
            let place = (left - 8, TOP + middle);
            write(
                &format!("{number} {name}"),
                place,
                self.text_size(),
                (HPos::Right, VPos::Center),
            )?;
            // The names of the columns are numbers, which the rows explain.
            let place = (left + middle, TOP - 6);
            let height = SIZE.min(f64::from(size) / 2.0);
            write(
                &number.to_string(),
                place,
                height,
                (HPos::Center, VPos::Bottom),
            )?;
        }
        for (row, cells) in (0..).zip(&self.cells) {
            for (column, cell) in (0..).zip(cells) {
                let (x, y) = (left + column * size, TOP + row * size);
                let color = cell.map_or(NOTHING, shade);
                let gap = if size > 8 { 2 } else { 0 };
                let corners = [(x, y), (x + size - gap, y + size - gap)];
                root.draw(&Rectangle::new(corners, color.filled()))?;
                if let Some(value) = cell.filter(|_| size >= NUMBERED) {
                    let strong = (value - 0.5).abs() > 0.35;
                    let ink = if strong { WHITE } else { INK };
                    let middle = (x + size / 2 - 1, y + size / 2 - 1);
                    let anchor = (HPos::Center, VPos::Center);
                    let height = (f64::from(size) / 3.0).min(16.0);
                    write_at(root, &format!("{value:.3}"), middle, height, ink, anchor)?;
                }
            }
        }
        Ok(())
    }
}

impl Heatmap {
    fn short_names(&self) -> impl Iterator<Item = String> {
        self.names.iter().map(|(name, note)| cut(name) + note)
    }

    /// Width and height of a cell.
    fn cell(&self) -> i32 {
        let count = self.names.len().max(1) as i32;
        (CELLS / count).clamp(LEAST_CELL, CELL)
    }

    /// Of the names.
    fn text_size(&self) -> f64 {
        SIZE.min(f64::from(self.cell()))
    }

    /// Where the cells begin.
    fn left(&self) -> i32 {
        let widths = self.short_names();
        let widths = widths.map(|name| text_width(&name, self.text_size()));
        MARGIN + widths.max().unwrap_or(0) + 48
    }
}

fn cut(name: &str) -> String {
    if name.chars().count() <= NAME_LENGTH {
        return name.to_owned();
    }
    let start: String = name.chars().take(NAME_LENGTH - 1).collect();
    start + "…"
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
