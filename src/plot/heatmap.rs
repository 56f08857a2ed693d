use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::svg::{FAINT, INK, font, text_width, write};

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
const MARGIN: i32 = 24;
const HEAD: i32 = 76;
/// Names are cut after so many characters.
const NAME_LENGTH: usize = 48;
/// Where there is no number.
const NOTHING: RGBColor = RGBColor(0xee, 0xee, 0xee);

/// Draws a table as SVG text: low fractions orange, even ones white, high ones blue.
/// The same table gives the same text.
pub fn heatmap_svg(map: &Heatmap) -> String {
    let names = map.names.iter();
    let names: Vec<String> = names.map(|(name, note)| cut(name) + note).collect();
    let widths = names.iter().map(|name| text_width(name, 15.0));
    let label = widths.max().unwrap_or(0) + 48;
    let count = names.len() as i32;
    let columns_end = MARGIN + label + count * CELL;
    // The names of the columns are numbers, which the rows explain.
    let width = (columns_end + MARGIN).max(640);
    let top = MARGIN + HEAD;
    let height = top + count * CELL + MARGIN;

    let mut text = String::new();
    {
        let root =
            SVGBackend::with_string(&mut text, (width as u32, height as u32)).into_drawing_area();
        let drawn = (|| {
            root.fill(&WHITE)?;
            write(&root, &map.title, (MARGIN, MARGIN), 22.0, INK, HPos::Left)?;
            write(
                &root,
                &map.subtitle,
                (MARGIN, MARGIN + 32),
                14.0,
                FAINT,
                HPos::Left,
            )?;
            for (i, name) in (0..).zip(&names) {
                let middle = i * CELL + CELL / 2;
                let number = format!("{}", i + 1);
                let label_text = format!("{} {name}", i + 1);
                let style = font(15.0)
                    .color(&INK)
                    .pos(Pos::new(HPos::Right, VPos::Center));
                root.draw(&Text::new(
                    label_text,
                    (MARGIN + label - 8, top + middle),
                    style,
                ))?;
                let style = font(15.0)
                    .color(&INK)
                    .pos(Pos::new(HPos::Center, VPos::Bottom));
                root.draw(&Text::new(
                    number,
                    (MARGIN + label + middle, top - 6),
                    style,
                ))?;
            }
            for (row, cells) in (0..).zip(&map.cells) {
                for (column, cell) in (0..).zip(cells) {
                    let corner = (MARGIN + label + column * CELL, top + row * CELL);
                    let far = (corner.0 + CELL - 2, corner.1 + CELL - 2);
                    let Some(value) = *cell else {
                        root.draw(&Rectangle::new([corner, far], NOTHING.filled()))?;
                        continue;
                    };
                    root.draw(&Rectangle::new([corner, far], shade(value).filled()))?;
                    let ink = if (value - 0.5).abs() > 0.35 {
                        WHITE
                    } else {
                        INK
                    };
                    let style = font(16.0)
                        .color(&ink)
                        .pos(Pos::new(HPos::Center, VPos::Center));
                    let middle = (corner.0 + CELL / 2 - 1, corner.1 + CELL / 2 - 1);
                    root.draw(&Text::new(format!("{value:.3}"), middle, style))?;
                }
            }
            root.present()?;
            Ok::<(), Box<dyn std::error::Error>>(())
        })();
        drawn.expect("drawing to memory does not fail");
    }
    text
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
