//! A report: one file that opens from disk and needs no network.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::figure::figure_json;
use crate::error::Error;
use crate::search::Limits;
use crate::store::{RunDirectory, SweepDirectory};
use crate::text::{count, shell_word};
use crate::train::Experiment;
use crate::workflow::{
    GameDescription, Readings, RunList, RunReport, RunState, RunSummary, Stages, figure, insight,
    report_of_run, to_draw,
};

/// The modules of the page that a report includes, in the order in which they need each other.
const MODULES: [&str; 11] = [
    include_str!("page/parts/dom.js"),
    include_str!("page/parts/words.js"),
    include_str!("page/parts/board.js"),
    include_str!("page/parts/chart.js"),
    include_str!("page/parts/figure.js"),
    include_str!("page/parts/table.js"),
    include_str!("page/parts/results.js"),
    include_str!("page/parts/moves.js"),
    include_str!("page/parts/explorer.js"),
    include_str!("page/parts/mistakes.js"),
    include_str!("page/views/report.js"),
];
const STYLE: &str = include_str!("page/style.css");

/// A report on runs as an HTML page: what was asked for, the results, how to repeat it, and if there
/// are few positions what the best and the last checkpoint think of each. The same runs give the same
/// bytes. Errors: [`Error`] if a run cannot be read.
pub fn report(asked: &[PathBuf]) -> Result<String, Error> {
    let mut titles = Vec::new();
    let mut runs = Vec::new();
    for root in asked {
        let sweep = SweepDirectory::open(root);
        let is_sweep = sweep.is_some();
        if let Some(sweep) = sweep
            && sweep.shard()?.is_none()
        {
            // None of its runs is missing.
            sweep.runs(&sweep.read_config()?.1)?;
        }
        let mut found = RunList::new(root.clone()).runs()?;
        // The final comparison within a sweep is a sweep of its own.
        found.retain(|run| (is_sweep && run.sweep.is_none()) || run.root == *root);
        if found.is_empty() {
            // Its error says why this is not a run.
            RunDirectory::open(root)?;
            return Err(Error::input(format!("{} has no runs", root.display())));
        }
        match (is_sweep, root.file_name()) {
            (true, Some(name)) => {
                let runs = count(found.len() as u64, "run");
                titles.push(format!("{}, {runs}", name.display()));
            }
            _ => titles.extend(found.iter().map(|run| run.name.clone())),
        }
        runs.extend(found);
    }
    if runs.is_empty() {
        return Err(Error::input("no run is named"));
    }
    let title = titles.join(", ");
    let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
         style-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{escaped}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main id=\"main\"></main>\n\
         <p class=\"unseen\" id=\"announcer\" role=\"status\" aria-live=\"polite\"></p>\n\
         <script type=\"application/json\" id=\"data\">{{\"version\":{},\"title\":{},\"runs\":[",
        in_script(json!(env!("CARGO_PKG_VERSION"))),
        in_script(json!(title)),
    );
    let (mut drawn, mut stages) = (Vec::new(), Stages::default());
    let readings = Readings::default();
    for (number, run) in runs.into_iter().enumerate() {
        let mut report = report_of_run(run, &readings)?;
        // A report does not depend on when a run was last written to.
        if let Some(summary) = &mut report.row.summary
            && summary.state == RunState::Training
        {
            summary.state = RunState::Unfinished;
        }
        if has_curve(&report) {
            drawn.push(report.row.run.root.clone());
        }
        // Only one run at a time is held in any other form.
        page += if number == 0 { "" } else { "," };
        page += &in_script(about(&report, &readings, &mut stages)?);
    }
    let comparison = match (&drawn[..], asked) {
        ([] | [_], _) => Value::Null,
        (_, [_]) => curves(asked, &readings, &mut stages)?,
        (drawn, _) => curves(drawn, &readings, &mut stages)?,
    };
    let script: String = MODULES.iter().map(|module| inlined(module)).collect();
    page += &format!(
        "],\"comparison\":{}}}</script>\n<script type=\"module\">\n{script}</script>\n</body>\n</html>\n",
        in_script(comparison)
    );
    Ok(page)
}

/// A value as JSON that cannot end the HTML element around it.
fn in_script(mut value: Value) -> String {
    round(&mut value);
    value.to_string().replace('<', "\\u003c")
}

/// Shortens numbers to the precision that a reader needs.
fn round(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(round),
        Value::Object(all) => all.values_mut().for_each(round),
        Value::Number(number) if number.is_f64() => {
            // Whole numbers are counts; of others, small ones keep as many digits as large ones.
            let short = number.as_f64().map(|number| match number.fract() == 0.0 {
                true => Ok(number),
                false => format!("{number:.7e}").parse::<f64>(),
            });
            if let Some(Ok(short)) = short {
                *value = match short as i64 {
                    whole if whole as f64 == short => json!(whole),
                    _ => json!(short),
                };
            }
        }
        _ => {}
    }
}

/// A module as a part of one script; its imports are already above it.
fn inlined(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    let plain = |line: &str| line.strip_prefix("export ").unwrap_or(line).to_owned() + "\n";
    lines.map(plain).collect()
}

/// Whether the run has a learning curve yet.
fn has_curve(report: &RunReport) -> bool {
    report.learns
        && report
            .row
            .summary
            .as_ref()
            .is_some_and(|summary| summary.epochs > 0)
}

/// The figure of these runs.
fn curves(roots: &[PathBuf], readings: &Readings, stages: &mut Stages) -> Result<Value, Error> {
    let drawn = figure(roots, &[], false, readings, |config| {
        to_draw(config, &stages.of(config.game)).map(Arc::new)
    })?;
    Ok(figure_json(&drawn))
}

fn about(report: &RunReport, readings: &Readings, stages: &mut Stages) -> Result<Value, Error> {
    let root = &report.row.run.root;
    let run = RunDirectory::open(root)?;
    let config = run.read_config()?;
    let on_stage = stages.of(config.game);
    let experiment = Experiment::to_look_at(config, &on_stage, &Limits::NONE, &|_| false)?;
    let mut insight =
        serde_json::to_value(insight(&run, &experiment, &on_stage)?).expect("a report is JSON");
    if !insight["explorer"].is_null() {
        insight["explorer"]["game"] = json!(GameDescription::of(experiment.config.game, &[]));
    }
    let drawn = match has_curve(report) {
        true => curves(std::slice::from_ref(root), readings, stages)?,
        false => Value::Null,
    };
    let config = shell_word(&run.config());
    insight["run"] = json!(report);
    insight["figure"] = drawn;
    insight["reproduce"] = json!(format!("lab train --config {config}"));
    let is_finished = |summary: &RunSummary| summary.state == RunState::Finished;
    if !report.row.summary.as_ref().is_some_and(is_finished) {
        let sweep = SweepDirectory::around(&run);
        let trained = sweep.as_ref().map_or(root.as_path(), SweepDirectory::root);
        insight["resume"] = json!(format!("lab train --resume {}", shell_word(trained)));
    }
    Ok(insight)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::round;

    #[test]
    fn numbers_are_short_and_none_becomes_nothing() {
        let mut numbers = json!([0.123456789, 0.00000123456, 123456.0, 1234.5678, 7, null]);
        round(&mut numbers);
        assert_eq!(
            numbers,
            json!([0.12345679, 0.00000123456, 123456, 1234.5678, 7, null])
        );
    }
}
