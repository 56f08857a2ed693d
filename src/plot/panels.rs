use plotters::coord::types::RangedCoordf64;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::figure::{Figure, Level, Panel, Series, Stroke};
use super::picture::Picture;
use super::style::{
    Area, Canvas, DrawResult, FAINT, INK, MARGIN, font, text_width, write, write_head,
};
use crate::text::thousands;

const GRID: RGBColor = RGBColor(0xe6, 0xe6, 0xe6);

const PANEL_WIDTH: u32 = 460;
const PANEL_HEIGHT: u32 = 350;
const TITLE_HEIGHT: i32 = 64;
const LEGEND_ROW: i32 = 26;
const SAMPLE_WIDTH: i32 = 34;

impl Picture for Figure {
    fn size(&self) -> (u32, u32) {
        let width = (column_count(self) as u32).max(2) * PANEL_WIDTH + 2 * MARGIN as u32;
        let height = self.rows.len() as u32 * PANEL_HEIGHT + MARGIN as u32;
        (width, head(&place_legend(self, width)) as u32 + height)
    }

    fn draw<C: Canvas>(&self, root: &Area<C>) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let entries = place_legend(self, root.dim_in_pixel().0);
        for entry in &entries {
            entry.draw(root)?;
        }
        let columns = column_count(self);
        let (_, rest) = root.split_vertically(head(&entries));
        let panels = rest.margin(0, MARGIN, MARGIN, MARGIN);
        let cells = panels.split_evenly((self.rows.len(), columns));
        for (row, cells) in self.rows.iter().zip(cells.chunks(columns)) {
            for (panel, cell) in row.iter().zip(cells) {
                draw_panel(cell, panel, &self.x_label)?;
            }
        }
        Ok(())
    }
}

/// Height in pixels of what is above the panels.
fn head(legend: &[Entry<'_>]) -> i32 {
    let rows = legend.last().map_or(0, |entry| entry.row + 1);
    MARGIN + TITLE_HEIGHT + rows * LEGEND_ROW
}

fn column_count(figure: &Figure) -> usize {
    figure.rows.iter().map(Vec::len).max().unwrap_or(0).max(1)
}

/// A number of an axis from 0 to `greatest`, without decimals that say nothing.
fn x_label_text(x: f64, greatest: f64) -> String {
    if greatest >= 10.0 {
        return thousands(x.max(0.0) as u64);
    }
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn draw_panel<C: Canvas>(cell: &Area<C>, panel: &Panel, x_label: &str) -> DrawResult {
    if !(panel.x_max.is_finite() && panel.x_max > 0.0) {
        let (title, end) = (&panel.title, panel.x_max);
        return Err(format!("{title:?} has a horizontal axis from 0 to {end}").into());
    }
    let text = |size: f64, color: RGBColor| font(size).color(&color);
    let mut chart = ChartBuilder::on(cell)
        .margin_left(4)
        .margin_right(52)
        .margin_bottom(10)
        .caption(&panel.title, text(15.0, INK))
        .x_label_area_size(48)
        .y_label_area_size(50)
        .build_cartesian_2d(0.0..panel.x_max, -0.03..1.08)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT)
        .x_labels(5)
        .y_labels(6)
        .x_label_formatter(&|&x| x_label_text(x, panel.x_max))
        .y_label_formatter(&|y| format!("{y:.1}"))
        .x_desc(x_label)
        .label_style(text(13.0, INK))
        .axis_desc_style(text(14.0, INK))
        .draw()?;

    for Series { band, stroke, .. } in &panel.series {
        if let Some(band) = band {
            let lower = band.iter().map(|&(x, low, _)| (x, low));
            let upper = band.iter().rev().map(|&(x, _, high)| (x, high));
            let outline: Vec<(f64, f64)> = lower.chain(upper).collect();
            chart.draw_series([Polygon::new(outline, rgb(stroke.color).mix(0.18))])?;
        }
    }
    for (x, stroke) in &panel.marks {
        draw_line(&mut chart, &[(*x, -0.03), (*x, 1.08)], stroke, 1)?;
    }
    for Level {
        value,
        stroke,
        label_above,
    } in &panel.levels
    {
        draw_line(
            &mut chart,
            &[(0.0, *value), (panel.x_max, *value)],
            stroke,
            1,
        )?;
        // Beside the axes, where no data is; two levels that are close stay apart.
        let (x, y) = chart.as_coord_spec().translate(&(panel.x_max, *value));
        let (left, top) = cell.get_base_pixel();
        let place = (x - left + 4, y - top + if *label_above { -14 } else { 0 });
        write(cell, &format!("{value:.4}"), place, 11.5, rgb(stroke.color))?;
    }
    for Series { points, stroke, .. } in &panel.series {
        draw_line(&mut chart, points, stroke, 2)?;
    }
    Ok(())
}

type Axes<'a, C> = ChartContext<'a, C, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn draw_line<C: Canvas>(
    chart: &mut Axes<'_, C>,
    points: &[(f64, f64)],
    stroke: &Stroke,
    width: u32,
) -> DrawResult {
    let style = rgb(stroke.color).stroke_width(width);
    match stroke.dash {
        None => chart.draw_series(LineSeries::new(points.iter().copied(), style))?,
        Some((dash, gap)) => chart.draw_series(DashedLineSeries::new(
            points.iter().copied(),
            dash,
            gap,
            style,
        ))?,
    };
    Ok(())
}

/// A legend entry and where it goes.
struct Entry<'f> {
    stroke: &'f Stroke,
    x: i32,
    row: i32,
}

/// Puts the legend's entries one after another into rows of the figure's width.
fn place_legend(figure: &Figure, width: u32) -> Vec<Entry<'_>> {
    let (mut x, mut row) = (MARGIN, 0);
    let mut entries = Vec::new();
    for stroke in figure.legend() {
        let length = SAMPLE_WIDTH + 8 + text_width(&stroke.name, 14.0) + 28;
        if x + length > width as i32 - MARGIN && x > MARGIN {
            (x, row) = (MARGIN, row + 1);
        }
        entries.push(Entry { stroke, x, row });
        x += length;
    }
    entries
}

impl Entry<'_> {
    fn draw(&self, root: &Area<impl Canvas>) -> DrawResult {
        let y = MARGIN + TITLE_HEIGHT + self.row * LEGEND_ROW;
        let ends = [(self.x, y), (self.x + SAMPLE_WIDTH, y)];
        let style = rgb(self.stroke.color).stroke_width(2);
        match self.stroke.dash {
            None => root.draw(&PathElement::new(ends, style))?,
            Some((dash, gap)) => root.draw(&DashedPathElement::new(ends, dash, gap, style))?,
        }
        let place = (self.x + SAMPLE_WIDTH + 8, y - 9);
        write(root, &self.stroke.name, place, 14.0, INK)
    }
}

fn rgb((red, green, blue): super::Color) -> RGBColor {
    RGBColor(red, green, blue)
}
