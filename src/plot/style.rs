//! What all pictures share: colours, the font, and text.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::canvas::Canvas;
use super::figure::Color;
use super::pixels::FONT_UNIT;

/// Font families in order of preference; PNG pictures use the first.
pub(super) const FONT: &str = "DejaVu Sans, Verdana, sans-serif";
pub(super) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
pub(super) const FAINT: RGBColor = RGBColor(0x77, 0x77, 0x77);
/// The colour of cells without a number.
pub(super) const NOTHING: RGBColor = RGBColor(0xee, 0xee, 0xee);
/// Text sizes in pixels: of panel titles and the legend, of axis labels and the text below a picture, and of ticks.
pub(super) const TEXT: f64 = 13.0;
pub(super) const LABEL: f64 = 12.0;
pub(super) const TICK: f64 = 11.5;
/// The height of a line of text below a picture, in pixels.
pub(super) const LINE: i32 = 20;
/// The margin around a picture, in pixels.
pub(super) const MARGIN: i32 = 16;
/// The width of a picture, in pixels: the width of the page that shows it, so that its text is not shrunk.
pub(super) const WIDTH: u32 = 830;

/// An area to draw on.
pub type Area<'a> = DrawingArea<Canvas<'a>, Shift>;
/// Whether something could be drawn.
pub type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// Writes a picture's headline and the line below it.
pub(super) fn write_head(root: &Area, title: &str, subtitle: &str) -> DrawResult {
    write(root, title, (MARGIN, MARGIN), 18.0, INK)?;
    write(root, subtitle, (MARGIN, MARGIN + 26), TEXT, FAINT)
}

/// Writes a line of text, to the right of and below a point.
pub(super) fn write(
    area: &Area,
    text: &str,
    place: (i32, i32),
    size: f64,
    color: RGBColor,
) -> DrawResult {
    write_at(area, text, place, size, color, (HPos::Left, VPos::Top))
}

/// Writes a line of text; the anchor says which of its points is at `place`.
pub(super) fn write_at(
    area: &Area,
    text: &str,
    place: (i32, i32),
    size: f64,
    color: RGBColor,
    (horizontal, vertical): (HPos, VPos),
) -> DrawResult {
    let style = font(size).color(&color).pos(Pos::new(horizontal, vertical));
    area.draw(&Text::new(text.to_owned(), place, style))?;
    Ok(())
}

/// The font with this size in pixels.
pub(super) fn font(size: f64) -> FontDesc<'static> {
    FontDesc::new(FontFamily::Name(FONT), size * FONT_UNIT, FontStyle::Normal)
}

/// The approximate width of a text, in pixels: the mean width of a letter of DejaVu Sans is 0.58 of
/// its size.
pub(super) fn text_width(text: &str, size: f64) -> i32 {
    (text.chars().count() as f64 * size * 0.58).ceil() as i32
}

/// The text below a picture, in lines that fit the page.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let fits = |line: &str| text_width(line, LABEL) <= WIDTH as i32 - 2 * MARGIN;
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(last) if fits(&format!("{last} {word}")) => *last += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The height of the text below a picture, including the margin below it.
pub(super) fn caption_height(text: &str) -> i32 {
    wrapped(text).len() as i32 * LINE + MARGIN
}

/// Writes the text below a picture, starting at this height.
pub(super) fn write_caption(area: &Area, text: &str, top: i32) -> DrawResult {
    for (line, text) in (0..).zip(wrapped(text)) {
        write(area, &text, (MARGIN, top + line * LINE), LABEL, FAINT)?;
    }
    Ok(())
}

/// The colour at this share, from 0 to 1, of the way along these colours; there are at least two.
pub fn mixed(colors: &[Color], share: f64) -> Color {
    let place = share * (colors.len() - 1) as f64;
    let below = (place as usize).min(colors.len() - 2);
    let (low, high) = (colors[below], colors[below + 1]);
    let mix = |low: u8, high: u8| {
        let part = (f64::from(high) - f64::from(low)) * (place - below as f64);
        (f64::from(low) + part).round() as u8
    };
    (mix(low.0, high.0), mix(low.1, high.1), mix(low.2, high.2))
}

pub(super) fn rgb((red, green, blue): Color) -> RGBColor {
    RGBColor(red, green, blue)
}

/// The approximate number of letters that fit into this many pixels, at least one.
pub(super) fn letters(room: i32, size: f64) -> usize {
    (f64::from(room) / (size * 0.58)).max(1.0) as usize
}

const MOST_LINES: usize = 3;

/// A label in at most three lines of about `letters` letters, broken at blanks and after `_`, `.` and
/// `-`.
pub(super) fn in_lines(label: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in label.split_inclusive([' ', '_', '.', '-']) {
        let full = lines.len() == MOST_LINES;
        let last = lines.last_mut().expect("there is a line");
        let is_long = last.chars().count() + part.trim_end().chars().count() > letters;
        if is_long && !full && !last.is_empty() {
            lines.push(part.to_owned());
        } else {
            last.push_str(part);
        }
    }
    lines
        .iter()
        .map(|line| cut(line.trim_end(), letters))
        .collect()
}

/// A text, or its beginning and its end if it has more than `most` letters.
pub(super) fn cut_inside(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let start = text.chars().take(kept.div_ceil(2));
    let end = text.chars().skip(length - kept / 2);
    start.chain(['…']).chain(end).collect()
}

/// A text, or its beginning if it has more than `most` letters.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    start + "…"
}
