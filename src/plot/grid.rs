use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::picture::Picture;
use super::style::{
    Area, DrawResult, FAINT, INK, MARGIN, NOTHING, TEXT, TICK, WIDTH, caption_height, cut,
    cut_inside, font, in_lines, letters, mixed, rgb, text_width, write_at, write_caption,
    write_head,
};

/// Tables of numbers as a picture, all with the same rows and columns; colours show how large each
/// number is.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The headline.
    pub title: String,
    /// A line below it.
    pub subtitle: String,
    /// The names of the rows, the first on top.
    pub rows: Names,
    /// The names of the columns.
    pub columns: Names,
    /// The tables.
    pub tables: Vec<GridTable>,
    /// Whether each column has numbers of its own kind, with its own colours.
    pub by_column: bool,
    /// The numbers with the first and the last colour; `None` if these follow from the numbers in the tables.
    pub ends: Option<(f64, f64)>,
    /// Colours from the smallest number of a table to the greatest, or from one end of its [span](GridTable::spans) to
    /// the other, or the other way round if it is [turned](GridTable::turned); at least two.
    pub colors: Vec<super::Color>,
    /// The text below the tables; none if empty.
    pub caption: String,
}

/// The names of rows or columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    /// What all of them are.
    pub label: String,
    /// The name of each.
    pub names: Vec<String>,
}

/// One table of a [`Grid`].
#[derive(Clone, Debug, PartialEq)]
pub struct GridTable {
    /// What it shows.
    pub title: String,
    /// A number for each row and column, where there is one.
    pub cells: Vec<Vec<Option<f64>>>,
    /// Whether each column's greatest number has the first colour, not the last. All columns of a table
    /// are alike, unless the grid is [by column](Grid::by_column).
    pub turned: Vec<bool>,
    /// The smallest distance between the numbers of the first and the last colour, for each column.
    pub spans: Vec<f64>,
}

/// Heights in pixels: of a cell, of all rows of a table at most, of the space above the cells, and of a line of text.
const CELL: i32 = 26;
const MOST: i32 = 2400;
const ABOVE: i32 = 26;
const LINE: i32 = 18;
/// The width of the space to the right of the cells, which has a scale of the colours.
const RIGHT: i32 = 64;
/// Two tables are put side by side if each column then has at least this many pixels.
const NARROWEST: i32 = 30;
/// The largest width of cells.
const LARGEST: i32 = 96;
/// Cells of at least this width have their numbers written in them.
const WRITTEN: i32 = 29;
/// If rows or columns are narrower than this, some have no name; if rows are, no cell has its number.
const NAMED: i32 = 15;
/// The most characters of a row's name, and of a column's; longer ones are cut in the middle.
const ROW_LENGTH: usize = 48;
const COLUMN_LENGTH: usize = 28;

/// The layout of each table.
struct Layout {
    tables_in_row: i32,
    /// The width of a table with everything around it.
    width: i32,
    height: i32,
    /// The height of the tables' titles.
    above: i32,
    /// The bottom of the last tables.
    bottom: i32,
    /// The left edge of the cells, their width and their height.
    left: i32,
    cell: i32,
    row: i32,
    /// Whether the names of the columns are written upwards, and their height.
    upright: bool,
    names: i32,
}

const TOP: i32 = MARGIN + 58;

impl Picture for Grid {
    fn size(&self) -> (u32, u32) {
        let layout = self.layout();
        let width = layout.tables_in_row * layout.width + 2 * MARGIN;
        let height = layout.bottom + caption_height(&self.caption);
        (width as u32, height as u32)
    }

    fn draw(&self, root: &Area) -> DrawResult {
        write_head(root, &self.title, &self.subtitle)?;
        let layout = self.layout();
        for (number, table) in (0..).zip(&self.tables) {
            let (row, column) = (number / layout.tables_in_row, number % layout.tables_in_row);
            let place = (MARGIN + column * layout.width, TOP + row * layout.height);
            self.draw_table(root, table, place, &layout)?;
        }
        write_caption(root, &self.caption, layout.bottom)
    }
}

impl Grid {
    fn layout(&self) -> Layout {
        let widest = |names: &Names, most: usize| {
            let widths = names.names.iter();
            let widths = widths.map(|name| text_width(&cut_inside(name, most), TICK));
            widths.max().unwrap_or(0)
        };
        let left = widest(&self.rows, ROW_LENGTH) + 8 + LINE;
        let columns = self.columns.names.len().max(1) as i32;
        let cell = |width: i32| (width - left - RIGHT) / columns;
        let page = WIDTH as i32 - 2 * MARGIN;
        let is_narrow = self.tables.len() > 1 && cell(page / 2) >= NARROWEST;
        let tables_in_row = if is_narrow { 2 } else { 1 };
        let width = page / tables_in_row;
        let cell = cell(width).clamp(1, LARGEST);
        // If there are too many columns for the page, it becomes wider.
        let width = width.max(left + columns * cell + RIGHT);
        let row = (MOST / self.rows.names.len().max(1) as i32).clamp(1, CELL);
        // Names that are too long are broken into lines, or else written upwards.
        let lines = self.columns.names.iter();
        let lines = lines.map(|name| in_lines(name, letters(cell - 4, TICK)));
        let lines: Vec<Vec<String>> = lines.collect();
        let is_whole = |(name, lines): (&String, &Vec<String>)| {
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').count();
            letters(name) == lines.iter().map(|line| letters(line)).sum::<usize>()
                && lines
                    .iter()
                    .all(|line| text_width(line, TICK) + 3 <= cell && !line.ends_with('…'))
        };
        let upright = !self.columns.names.iter().zip(&lines).all(is_whole);
        let most = lines.iter().map(Vec::len).max().unwrap_or(1) as i32;
        let names = if upright {
            widest(&self.columns, COLUMN_LENGTH) + 6
        } else {
            most * LINE
        };
        let has_title = self.tables.iter().any(|table| !table.title.is_empty());
        let above = if has_title { ABOVE } else { 0 };
        let height = above + self.rows.names.len() as i32 * row + names + LINE + 22;
        let rows = self.tables.len().div_ceil(tables_in_row as usize) as i32;
        Layout {
            tables_in_row,
            width,
            height,
            above,
            bottom: TOP + rows * height,
            left,
            cell,
            row,
            upright,
            names,
        }
    }

    fn draw_table(
        &self,
        root: &Area,
        table: &GridTable,
        (x, y): (i32, i32),
        layout: &Layout,
    ) -> DrawResult {
        let write = |text: &str, place, anchor| write_at(root, text, place, TICK, INK, anchor);
        let upwards = |text: &str, place, anchor: (HPos, VPos)| -> DrawResult {
            let turned = font(TICK).transform(FontTransform::Rotate270);
            let style = turned.color(&INK).pos(Pos::new(anchor.0, anchor.1));
            Ok(root.draw(&Text::new(text.to_owned(), place, style))?)
        };
        let (left, top) = (x + layout.left, y + layout.above);
        let (count, cell) = (self.rows.names.len() as i32, layout.cell);
        let across = self.columns.names.len() as i32 * cell;
        let height = layout.row;
        let bottom = top + count * height;
        let title = cut(&table.title, letters(layout.width - MARGIN, TEXT));
        write_at(root, &title, (x, y), TEXT, INK, (HPos::Left, VPos::Top))?;
        let beside = (x, top + count * height / 2);
        upwards(&self.rows.label, beside, (HPos::Center, VPos::Top))?;
        let anchor = (HPos::Right, VPos::Center);
        let step = |size: i32| ((NAMED - 1) / size + 1) as usize;
        let rows = (0..).zip(&self.rows.names);
        for (row, name) in rows.step_by(step(height)) {
            let place = (left - 6, top + row * height + height / 2);
            write(&cut_inside(name, ROW_LENGTH), place, anchor)?;
        }
        let columns = (0..).zip(&self.columns.names);
        for (column, name) in columns.step_by(step(cell)) {
            let middle = left + column * cell + cell / 2;
            match layout.upright {
                true => upwards(
                    &cut_inside(name, COLUMN_LENGTH),
                    (middle, bottom + 4),
                    anchor,
                )?,
                false => {
                    let lines = in_lines(name, letters(cell - 4, TICK));
                    for (line, text) in (0..).zip(&lines) {
                        let place = (middle, bottom + 4 + line * LINE);
                        write(text, place, (HPos::Center, VPos::Top))?;
                    }
                }
            }
        }
        let below = (left + across / 2, bottom + layout.names + 4);
        write(&self.columns.label, below, (HPos::Center, VPos::Top))?;
        let found = |column: Option<usize>| {
            let cells = table.cells.iter().flat_map(|row| row.iter().enumerate());
            let numbers = cells.filter(|(i, _)| column.is_none_or(|column| *i == column));
            let numbers = numbers.filter_map(|(_, number)| *number);
            numbers.fold(
                (f64::INFINITY, f64::NEG_INFINITY),
                |(least, most), number| (least.min(number), most.max(number)),
            )
        };
        let ends = |column: Option<usize>| {
            let span = table.spans.get(column.unwrap_or(0)).copied();
            let found = || wide(found(column), span.unwrap_or(0.0));
            self.ends.unwrap_or_else(found)
        };
        // Enough digits to distinguish numbers a tenth of the range apart; or as many as fit, where colours have fixed
        // ends or each column has its own.
        let (lowest, highest) = found(None);
        let separates = |digits: &usize| (highest - lowest) * 10_f64.powi(*digits as i32) > 9.99;
        let fits = |digits: &usize| text_width(&short(1.0, *digits), TICK) < layout.cell;
        let most_digits = (2..5).rev().find(fits).unwrap_or(2);
        let digits = match self.by_column || self.ends.is_some() {
            true => most_digits,
            false if lowest < highest => (2..most_digits).find(separates).unwrap_or(most_digits),
            false => 2,
        };
        let color = |share: f64, column: usize| {
            let turned = table.turned[column];
            rgb(mixed(
                &self.colors,
                if turned { 1.0 - share } else { share },
            ))
        };
        let share = |number: f64, (least, most): (f64, f64)| match least < most {
            true => (number - least) / (most - least),
            false => 1.0,
        };
        // Cells may be as white as the page.
        let around = [(left - 1, top - 1), (left + across, bottom)];
        root.draw(&Rectangle::new(around, FAINT.stroke_width(1)))?;
        for (row, cells) in (0..).zip(&table.cells) {
            for (column, number) in (0..).zip(cells) {
                let (x, y) = (left + column * cell, top + row * height);
                let ends = ends(self.by_column.then_some(column as usize));
                let color = |number: f64| color(share(number, ends), column as usize);
                let color = number.map_or(NOTHING, color);
                let gap = i32::from(cell.min(height) > 8);
                let corners = [(x, y), (x + cell - gap, y + height - gap)];
                root.draw(&Rectangle::new(corners, color.filled()))?;
                if let Some(number) = number.filter(|_| cell >= WRITTEN && height >= NAMED) {
                    let middle = (x + cell / 2, y + height / 2);
                    let ink = if is_dark(color) { WHITE } else { BLACK };
                    let text = short(number, digits);
                    write_at(root, &text, middle, TICK, ink, (HPos::Center, VPos::Center))?;
                }
            }
        }
        let (least, most) = ends(None);
        if self.by_column || least > most {
            return Ok(());
        }
        let scale = left + across + 10;
        let height = (bottom - top).min(5 * CELL);
        for i in 0..height {
            let color = color(1.0 - f64::from(i) / f64::from(height), 0);
            let corners = [(scale, top + i), (scale + 10, top + i + 1)];
            root.draw(&Rectangle::new(corners, color.filled()))?;
        }
        let anchor = (HPos::Left, VPos::Center);
        write(&short(most, digits), (scale + 14, top + 6), anchor)?;
        if least < most {
            let place = (scale + 14, top + height - 6);
            write(&short(least, digits), place, anchor)?;
        }
        Ok(())
    }
}

/// Ends around these that are at least `span` apart; those of shares stay within 0 to 1.
fn wide((least, most): (f64, f64), span: f64) -> (f64, f64) {
    if least > most || most - least >= span {
        return (least, most);
    }
    let low = (least + most - span) / 2.0;
    let low = if least >= 0.0 { low.max(0.0) } else { low };
    let low = if most <= 1.0 {
        low.min(1.0 - span)
    } else {
        low
    };
    (low, low + span)
}

/// A number in a few characters.
fn short(number: f64, digits: usize) -> String {
    match number.abs() {
        huge if huge >= 1e15 => format!("{number:.0e}"),
        large if large >= 10.0 => format!("{number:.0}"),
        _ => format!("{number:.digits$}"),
    }
}

/// Whether white has more contrast with a colour than black has, by the relative luminance of WCAG 2.
fn is_dark(RGBColor(red, green, blue): RGBColor) -> bool {
    let linear = |part: u8| match f64::from(part) / 255.0 {
        dark if dark <= 0.03928 => dark / 12.92,
        part => libm::pow((part + 0.055) / 1.055, 2.4),
    };
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05
}
