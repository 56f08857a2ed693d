//! Turning the rows of an epoch into numbers with tags.

use std::collections::BTreeMap;

use crate::train::{EvaluationMethod, Metric, MetricsRow, PolicyKind, Rows, training_header};

/// The numbers in a seed's rows of an epoch.
#[derive(Clone, Debug, Default)]
pub struct Point {
    /// Episodes of training so far.
    pub episodes: u64,
    /// The numbers by tag, such as `O v random/win rate` or `O/optimal-move rate`: a metric with its name if
    /// it has one, any other number with its column. Whether a side is unbeatable is 1 or 0.
    pub scalars: BTreeMap<String, f64>,
}

impl Point {
    /// Reads the rows of a learner with these columns of its own. Errors: a CSV error if they are not as the
    /// program writes them.
    pub fn read(rows: &Rows, columns: &[String]) -> Result<Point, csv::Error> {
        let mut point = Point::default();
        let head = training_header(columns);
        let names: Vec<&str> = head.trim_end().split(',').collect();
        // Sides about which everything is known; games say less about them.
        let mut exact = Vec::new();
        for row in reader(&rows.files[1]).records() {
            let row = row?;
            let cell = |name: &str| {
                let at = names.iter().position(|column| *column == name);
                at.and_then(|at| row.get(at)).unwrap_or_default()
            };
            let side = cell("side").to_uppercase();
            point.episodes = cell("episodes").parse().unwrap_or_default();
            let numbers = columns.iter().map(String::as_str);
            for column in numbers.chain([Metric::OptimalMoveRate.column().name]) {
                let mut metrics = Metric::OF_TRAINING.into_iter();
                let metric = metrics.find(|metric| metric.column().name == column);
                let name = metric.map_or(column, |metric| metric.name());
                if let Ok(value) = cell(column).parse() {
                    point.scalars.insert(format!("{side}/{name}"), value);
                }
            }
            let worst = cell(Metric::UnbeatableSeeds.column().name);
            if !worst.is_empty() {
                let tag = format!("{side}/{}", Metric::UnbeatableSeeds.name());
                let is_unbeatable = f64::from(worst != "loss");
                point.scalars.insert(tag, is_unbeatable);
                exact.push(side);
            }
        }
        let columns: csv::StringRecord = MetricsRow::COLUMNS.split(',').collect();
        for row in reader(&rows.files[0]).records() {
            let row: MetricsRow = row?.deserialize(Some(&columns))?;
            let side = row.side.letter().to_string();
            let stochastic = match row.policy {
                Some(PolicyKind::Stochastic) => ", stochastic",
                _ => "",
            };
            let sampled = match row.method {
                EvaluationMethod::Sampled if exact.contains(&side) => ", sampled",
                _ => "",
            };
            for metric in Metric::RATES {
                let (name, opponent) = (metric.name(), &row.opponent);
                let tag = format!("{side} v {opponent}{stochastic}{sampled}/{name}");
                point
                    .scalars
                    .extend(metric.of(&row).map(|value| (tag, value)));
            }
        }
        Ok(point)
    }
}

fn reader(rows: &str) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(rows.as_bytes())
}
