use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::picture::Picture;
use super::style::{
    Area, DrawResult, INK, LABEL, MARGIN, TICK, WIDTH, caption_height, cut, in_lines, letters, rgb,
    text_width, write_at, write_caption, write_head,
};

/// Parallel coordinates (Inselberg 1985): each line is one thing, and shows its value on every axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    /// The headline.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// The axes from left to right; at least one.
    pub axes: Vec<ParallelAxis>,
    /// The lines, later ones on top.
    pub lines: Vec<ParallelLine>,
    /// The text below; none if empty.
    pub caption: String,
}

/// One upright axis.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelAxis {
    /// What it shows.
    pub label: String,
    /// The texts beside it, each with its height from 0 to 1.
    pub ticks: Vec<(f64, String)>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelLine {
    /// Its height on each axis, from 0 to 1.
    pub heights: Vec<f64>,
    /// Its colour.
    pub color: super::Color,
    /// Its width in pixels.
    pub width: u32,
}

const TOP: i32 = MARGIN + 104;
const HEIGHT: i32 = 330;
/// The space between the axes and the text below.
const BELOW: i32 = 26;
/// The smallest space left of the first axis, and the space between an axis and its texts.
const INNER: i32 = 30;
const PAST_TICK: i32 = 10;

impl Picture for Parallel {
    fn size(&self) -> (u32, u32) {
        let caption = caption_height(&self.caption);
        (WIDTH, (TOP + HEIGHT + BELOW + caption) as u32)
    }

    fn draw(&self, root: &Area) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let widest = |axis: &ParallelAxis| {
            let widths = axis.ticks.iter().map(|tick| text_width(&tick.1, TICK));
            widths.max().unwrap_or(0)
        };
        let first = self.axes.first().map_or(0, widest).min(200);
        let left = MARGIN + first.max(INNER) + PAST_TICK;
        let gaps = self.axes.len().saturating_sub(1).max(1) as i32;
        let half = |axis: &ParallelAxis| text_width(&axis.label, LABEL) / 2;
        let last = self.axes.last().map_or(0, half);
        let distance = (WIDTH as i32 - left - MARGIN - last.clamp(10, 60)) / gaps;
        let x = |axis: usize| left + axis as i32 * distance;
        let y = |height: f64| TOP + ((1.0 - height) * f64::from(HEIGHT)).round() as i32;
        for line in &self.lines {
            let heights = line.heights.iter().enumerate();
            let points = heights.map(|(axis, &height)| (x(axis), y(height)));
            let style = rgb(line.color).stroke_width(line.width);
            root.draw(&PathElement::new(points.collect::<Vec<_>>(), style))?;
        }
        for (number, axis) in self.axes.iter().enumerate() {
            let x = x(number);
            let upright = [(x, TOP), (x, TOP + HEIGHT)];
            root.draw(&PathElement::new(upright, INK.stroke_width(1)))?;
            let lines = in_lines(&axis.label, letters(distance - 8, LABEL).max(6));
            for (line, text) in (0..).zip(lines.iter().rev()) {
                // The first and the last axis are near the ends of the page.
                let half = text_width(text, LABEL) / 2;
                let x = x.clamp(MARGIN + half, WIDTH as i32 - MARGIN - half);
                let place = (x, TOP - 10 - line * 15);
                write_at(root, text, place, LABEL, INK, (HPos::Center, VPos::Bottom))?;
            }
            let room = if number == 0 { left - MARGIN } else { distance };
            let letters = letters(room - PAST_TICK, TICK).max(4);
            for (height, text) in &axis.ticks {
                let y = y(*height);
                root.draw(&PathElement::new([(x - 4, y), (x, y)], INK.stroke_width(1)))?;
                let text = cut(text, letters);
                // Makes texts readable on top of lines.
                let width = text_width(&text, TICK);
                let corners = [(x - 8 - width, y - 7), (x - 5, y + 7)];
                root.draw(&Rectangle::new(corners, WHITE.mix(0.75).filled()))?;
                let anchor = (HPos::Right, VPos::Center);
                write_at(root, &text, (x - 7, y), TICK, INK, anchor)?;
            }
        }
        write_caption(root, &self.caption, TOP + HEIGHT + BELOW)
    }
}
