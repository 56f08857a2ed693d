//! Drawing a figure: its legend, and its panels in rows.

use plotters::coord::ranged1d::Ranged;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::axis::Scale;
use super::canvas::Canvas;
use super::figure::{Axis, Figure, Panel, Series, Spread, Stroke};
use super::picture::Picture;
use super::style::{
    Area, DrawResult, FAINT, INK, LABEL, LINE, MARGIN, TEXT, TICK, WIDTH, caption_height,
    cut_inside, font, letters, rgb, text_width, write, write_caption, write_head,
};

pub(super) const GRID: RGBColor = RGBColor(0xe6, 0xe6, 0xe6);

pub(super) const PANEL_HEIGHT: u32 = 248;
const TITLE_HEIGHT: i32 = 58;
const SAMPLE_WIDTH: i32 = 30;
/// The space left of, below (up to the next panel), above and right of the axes; right of levels there is more.
const LEFT: i32 = 58;
const BELOW: i32 = 42;
const GAP: i32 = 12;
const ABOVE: i32 = 26;
const RIGHT: i32 = 22;
const RIGHT_OF_LEVELS: i32 = 46;

impl Picture for Figure {
    fn size(&self) -> (u32, u32) {
        let head = head(&place_legend(self.legend())) as u32;
        let panels = rows(self).len() as u32 * PANEL_HEIGHT;
        (WIDTH, head + panels + caption_height(&self.caption) as u32)
    }

    fn draw(&self, root: &Area) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let entries = place_legend(self.legend());
        entries.iter().try_for_each(|entry| entry.draw(root))?;
        let columns = columns(self);
        let rows = rows(self);
        let (_, rest) = root.split_vertically(head(&entries));
        let bottom = rows.len() as u32 * PANEL_HEIGHT;
        let (panels, below) = rest.split_vertically(bottom);
        let panels = panels.margin(0, 0, MARGIN, MARGIN);
        let cells = panels.split_evenly((rows.len(), columns));
        for (row, cells) in rows.iter().zip(cells.chunks(columns)) {
            for (panel, cell) in row.iter().zip(cells) {
                draw_panel(cell, panel, &self.x)?;
            }
        }
        write_caption(&below, &self.caption, 0)
    }
}

/// The height in pixels of the space above the panels.
pub(super) fn head(legend: &[Entry<'_>]) -> i32 {
    let rows = legend.last().map_or(0, |entry| entry.row + 1);
    MARGIN + TITLE_HEIGHT + rows * LINE
}

/// The number of columns: two panels side by side, or three if there are more.
fn columns(figure: &Figure) -> usize {
    let most = figure.groups.iter().map(Vec::len).max().unwrap_or(0);
    if most == 3 || most > 4 { 3 } else { 2 }
}

fn rows(figure: &Figure) -> Vec<&[Panel]> {
    let groups = figure.groups.iter();
    groups
        .flat_map(|group| group.chunks(columns(figure)))
        .collect()
}

pub(super) fn draw_panel(cell: &Area, panel: &Panel, x_axis: &Axis) -> DrawResult {
    let text = |size: f64, color: RGBColor| font(size).color(&color);
    let (width, height) = cell.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    let right = if panel.levels.is_empty() {
        RIGHT
    } else {
        RIGHT_OF_LEVELS
    };
    let x_room = |label: &str| text_width(label, TICK) + 14;
    // A long title is as small as the ticks, a longer one is cut.
    let fits = |size: f64| text_width(&panel.title, size) <= width;
    let size = if fits(TEXT) { TEXT } else { TICK };
    let letters = f64::from(width) / f64::from(text_width("n", size));
    let title = match fits(size) {
        true => panel.title.clone(),
        false => cut_inside(&panel.title, letters as usize),
    };
    // Leaves room for curves along an end.
    let y = Scale::new(&panel.y, height - BELOW - GAP - ABOVE, &|_| 24, 0.04)?;
    // Next to the widest label there is a line of text, written upwards.
    let labels = y.labels().iter();
    let widest = labels.map(|label| text_width(&label.1, TICK)).max();
    let left = LEFT.max(widest.unwrap_or(0) + 28);
    let x = Scale::new(x_axis, width - left - right, &x_room, 0.0)?;
    let (left_end, right_end) = (x.range().start, x.range().end);
    let (lower_end, upper_end) = (y.range().start, y.range().end);
    let mut chart = ChartBuilder::on(cell)
        .margin_right(right)
        .margin_bottom(GAP)
        .caption(&title, text(size, INK))
        .x_label_area_size(BELOW)
        .y_label_area_size(left)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT)
        .x_desc(&x_axis.label)
        .y_desc(&panel.y.label)
        .label_style(text(TICK, INK))
        .axis_desc_style(text(LABEL, INK))
        .draw()?;

    for series in &panel.series {
        draw_spread(&mut chart, series)?;
    }
    for (x, stroke) in &panel.marks {
        draw_line(&mut chart, &[(*x, lower_end), (*x, upper_end)], stroke, 1)?;
    }
    for level in &panel.levels {
        let (value, stroke) = (level.value, &level.stroke);
        let ends = [(left_end, value), (right_end, value)];
        draw_line(&mut chart, &ends, stroke, 1)?;
        // In the space next to the axes, where there are no data; two close levels are kept apart.
        let (x, y) = chart.as_coord_spec().translate(&(right_end, value));
        let (left, top) = cell.get_base_pixel();
        let above = if level.label_above { -14 } else { 0 };
        let place = (x - left + 4, y - top + above);
        write(cell, &format!("{value:.4}"), place, TICK, rgb(stroke.color))?;
    }
    for series in &panel.series {
        draw_line(&mut chart, &series.points, &series.stroke, 2)?;
    }
    for series in &panel.series {
        let dots = series.dots.iter();
        let dots = dots.filter_map(|&number| series.points.get(number));
        let style = rgb(series.stroke.color).filled();
        chart.draw_series(dots.map(|&point| Circle::new(point, 3, style)))?;
    }
    Ok(())
}

type Axes<'a> = ChartContext<'a, Canvas<'a>, Cartesian2d<Scale, Scale>>;

fn draw_spread(chart: &mut Axes<'_>, series: &Series) -> DrawResult {
    let color = rgb(series.stroke.color);
    match &series.spread {
        Spread::None => {}
        Spread::Band(band) => {
            let lower: Vec<(f64, f64)> = band.iter().map(|&(x, low, _)| (x, low)).collect();
            let upper: Vec<(f64, f64)> = band.iter().map(|&(x, _, high)| (x, high)).collect();
            let mut outline = seen(chart, &lower);
            outline.extend(seen(chart, &upper).into_iter().rev());
            chart.draw_series([Polygon::new(outline, color.mix(0.18))])?;
        }
        Spread::Thin(curves) => {
            for curve in curves {
                let points = seen(chart, curve);
                chart.draw_series(LineSeries::new(points, color.mix(0.5)))?;
            }
        }
    }
    Ok(())
}

/// Lines with at most this many points are drawn in full; a panel has fewer columns of pixels.
const MOST_POINTS: usize = 2000;

/// The points of a line that are drawn: if there are too many, in each column of pixels the first, the lowest, the
/// highest and the last; the others would not be visible between them.
fn seen(axes: &Axes<'_>, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let column = |point: &(f64, f64)| axes.as_coord_spec().translate(point).0;
    let mut kept = Vec::new();
    for same in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| same[*a].1.total_cmp(&same[*b].1);
        let low = (0..same.len()).min_by(by_height);
        let high = (0..same.len()).max_by(by_height);
        let mut numbers: Vec<usize> = low.into_iter().chain(high).collect();
        numbers.extend([0, same.len() - 1]);
        numbers.sort_unstable();
        numbers.dedup();
        kept.extend(numbers.into_iter().map(|number| same[number]));
    }
    kept
}

fn draw_line(
    chart: &mut Axes<'_>,
    points: &[(f64, f64)],
    stroke: &Stroke,
    width: u32,
) -> DrawResult {
    let style = rgb(stroke.color).stroke_width(width);
    let points = seen(chart, points);
    match stroke.dash {
        None => chart.draw_series(LineSeries::new(points, style))?,
        Some((dash, gap)) => chart.draw_series(DashedLineSeries::new(points, dash, gap, style))?,
    };
    Ok(())
}

/// A legend entry and its place.
pub(super) struct Entry<'f> {
    stroke: &'f Stroke,
    x: i32,
    row: i32,
}

/// Arranges the legend's entries in rows of the figure's width.
pub(super) fn place_legend<'s>(strokes: impl IntoIterator<Item = &'s Stroke>) -> Vec<Entry<'s>> {
    let (mut x, mut row) = (MARGIN, 0);
    let mut entries = Vec::new();
    for stroke in strokes {
        let length = SAMPLE_WIDTH + 6 + text_width(&entry_name(stroke), TEXT) + 16;
        if x + length > WIDTH as i32 - MARGIN && x > MARGIN {
            (x, row) = (MARGIN, row + 1);
        }
        entries.push(Entry { stroke, x, row });
        x += length;
    }
    entries
}

/// The name of a stroke, or as much of it as fits on the page.
fn entry_name(stroke: &Stroke) -> String {
    let room = WIDTH as i32 - 2 * MARGIN - SAMPLE_WIDTH - 6;
    cut_inside(&stroke.name, letters(room, TEXT))
}

impl Entry<'_> {
    pub(super) fn draw(&self, root: &Area) -> DrawResult {
        let y = MARGIN + TITLE_HEIGHT + self.row * LINE - 4;
        let ends = [(self.x, y), (self.x + SAMPLE_WIDTH, y)];
        let style = rgb(self.stroke.color).stroke_width(2);
        match self.stroke.dash {
            None => root.draw(&PathElement::new(ends, style))?,
            Some((dash, gap)) => root.draw(&DashedPathElement::new(ends, dash, gap, style))?,
        }
        let place = (self.x + SAMPLE_WIDTH + 6, y - 8);
        write(root, &entry_name(self.stroke), place, TEXT, INK)
    }
}
