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

const CELL: i32 = 84;
/// Where the cells begin.
const TOP: i32 = MARGIN + 76;
/// Of the names.
const SIZE: f64 = 15.0;
/// Names are cut after so many characters.
const NAME_LENGTH: usize = 48;
/// Where there is no number.
const NOTHING: RGBColor = RGBColor(0xee, 0xee, 0xee);

impl Picture for Heatmap {
    fn size(&self) -> (u32, u32) {
        let count = self.names.len() as i32;
        let width = (self.left() + count * CELL + MARGIN).max(640);
        (width as u32, (TOP + count * CELL + MARGIN) as u32)
    }

    /// Low fractions are orange, even ones white, high ones blue.
    fn draw<C: Canvas>(&self, root: &Area<C>) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let left = self.left();
        for (number, name) in (1..).zip(self.short_names()) {
            let middle = (number - 1) * CELL + CELL / 2;
            let write = |text: &str, place, anchor| write_at(root, text, place, SIZE, INK, anchor);
            let place = (left - 8, TOP + middle);
            write(
                &format!("{number} {name}"),
                place,
                (HPos::Right, VPos::Center),
            )?;
            // The names of the columns are numbers, which the rows explain.
            let place = (left + middle, TOP - 6);
            write(&number.to_string(), place, (HPos::Center, VPos::Bottom))?;
        }
        for (row, cells) in (0..).zip(&self.cells) {
            for (column, cell) in (0..).zip(cells) {
                let (x, y) = (left + column * CELL, TOP + row * CELL);
                let color = cell.map_or(NOTHING, shade);
                let corners = [(x, y), (x + CELL - 2, y + CELL - 2)];
                root.draw(&Rectangle::new(corners, color.filled()))?;
                if let Some(value) = cell {
                    let strong = (value - 0.5).abs() > 0.35;
                    let ink = if strong { WHITE } else { INK };
                    let middle = (x + CELL / 2 - 1, y + CELL / 2 - 1);
                    let anchor = (HPos::Center, VPos::Center);
                    write_at(root, &format!("{value:.3}"), middle, 16.0, ink, anchor)?;
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

    /// Where the cells begin.
    fn left(&self) -> i32 {
        let widths = self.short_names().map(|name| text_width(&name, SIZE));
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
