//! Turning the runs of a sweep over one or two keys into tables of their strength.

use super::by_value::{about_last, title};
use super::color::SCALE;
use super::curve::{Around, check_finished};
use super::measures::{Measure, each_value, measures};
use crate::config::{Swept, SweptValue, Variant};
use crate::error::Error;
use crate::plot::{Grid, GridTable, Names};
use crate::train::Recorded;

/// The most tables that are drawn, or the most columns of one.
const MOST_TABLES: usize = 8;

/// A table for each measure: for a sweep over two keys with the values of the first one in rows and
/// of the second one in columns, for a sweep over one key with its values in rows. Better numbers are
/// darker. Errors: [`Error::Input`] if a run has no finished epoch.
pub fn grid(swept: &Swept, runs: &[Recorded]) -> Result<Grid, Error> {
    check_finished(runs)?;
    let (measures, left_out) = measures(runs, MOST_TABLES);
    let caption = format!("The darker a cell, the better. {left_out}");
    let labels = swept.sweep.labels();
    let by_column = labels.len() == 1;
    let grid = |rows, columns, tables| Grid {
        title: title(swept, &runs[0]),
        subtitle: about_last(runs, Around::Nothing),
        rows,
        columns,
        tables,
        by_column,
        ends: None,
        colors: SCALE.to_vec(),
        caption,
    };
    let axis = |key: usize| {
        let values = swept.variants.iter().map(|variant| &variant.values[key]);
        each_value(&values.collect::<Vec<_>>())
    };
    let names = |key: usize, values: &[&SweptValue]| Names {
        label: labels[key].clone(),
        names: values.iter().map(|value| value.name.clone()).collect(),
    };
    if by_column {
        let values = axis(0);
        // A single table has a column for each measure.
        let columns = Names {
            label: String::new(),
            names: (measures.iter())
                .map(|measure| measure.name.clone())
                .collect(),
        };
        let row = |i: usize| {
            measures
                .iter()
                .map(|measure| Some(measure.values[i]))
                .collect()
        };
        let table = GridTable {
            title: String::new(),
            cells: (0..runs.len()).map(row).collect(),
            turned: measures
                .iter()
                .map(|measure| measure.more_is_better)
                .collect(),
            spans: measures.iter().map(|measure| measure.span).collect(),
        };
        return Ok(grid(names(0, &values), columns, vec![table]));
    }
    let (rows, columns) = (axis(0), axis(1));
    let table = |measure: &Measure| {
        let cell = |row: &SweptValue, column: &SweptValue| {
            let is_it =
                |variant: &Variant| variant.values[0] == *row && variant.values[1] == *column;
            let found = swept.variants.iter().position(is_it);
            found.map(|i| measure.values[i])
        };
        let row = |row: &&SweptValue| columns.iter().map(|column| cell(row, column)).collect();
        GridTable {
            title: measure.name.clone(),
            cells: rows.iter().map(row).collect(),
            turned: vec![measure.more_is_better; columns.len()],
            spans: vec![measure.span; columns.len()],
        }
    };
    let tables = measures.iter().map(table).collect();
    Ok(grid(names(0, &rows), names(1, &columns), tables))
}
