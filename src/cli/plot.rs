use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::plot::{Figure, to_png, to_svg};
use playlab::run::{
    Experiment, Metric, RunData, RunDirectory, Sweep, SweepDirectory, compare, curve,
    rates_by_value, read_config, write_atomically,
};

use super::output::print;
use super::prepared::Prepared;

/// Draw the learning curves of one run, or of several in one picture
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab plot runs/qtable_o-1
  lab plot runs/qtable_o-1 runs/qtable_o-2 --metric win-rate --metric loss-rate --output both.png")]
pub struct Plot {
    /// Run directories, or the directory of one sweep
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// The picture to write, .svg or .png [default: curve.svg and curve.png in the run, or
    /// compare.svg and compare.png here for several]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What to show, a row of panels each; may be given several times [default: all rates]
    #[arg(long, value_enum, value_name = "METRIC")]
    metric: Vec<Metric>,
}

impl Plot {
    /// Draws.
    pub fn run(self) -> Result<(), Error> {
        if let [root] = &self.runs[..]
            && let Some(directory) = SweepDirectory::open(root)
        {
            return self.sweep(&directory);
        }
        let directories: Vec<RunDirectory> = self
            .runs
            .iter()
            .map(|root| RunDirectory::open(root))
            .collect::<Result<_, _>>()?;
        let outputs = match (&self.output, &directories[..]) {
            (Some(path), _) => vec![path.clone()],
            (None, [run]) => vec![run.curve_svg(), run.curve_png()],
            (None, _) => vec![PathBuf::from("compare.svg"), PathBuf::from("compare.png")],
        };
        if let Some(bad) = outputs.iter().find(|path| Format::of(path).is_none()) {
            return Err(Error::input(format!(
                "--output {}: expected a name that ends in .svg or .png",
                bad.display()
            )));
        }
        let data: Vec<RunData> = directories
            .iter()
            .map(RunData::read)
            .collect::<Result<_, _>>()?;
        let prepared = Prepared::prepare(data[0].config.clone())?;
        let experiment = prepared.exact();
        if experiment.is_none() && self.metric.contains(&Metric::OptimalMoveRate) {
            return Err(Error::input(format!(
                "--metric optimal-move-rate: nothing is exact on {}, whose positions are not listed",
                data[0].config.game.as_str()
            )));
        }
        let figure = match (&data[..], &self.metric[..]) {
            ([run], []) => curve(run, experiment)?,
            (runs, []) => compare(runs, experiment, &Metric::RATES)?,
            (runs, metrics) => compare(runs, experiment, metrics)?,
        };
        for path in &outputs {
            write_picture(&figure, path)?;
            print(&format!("{}\n", path.display()))?;
        }
        Ok(())
    }
}

impl Plot {
    fn sweep(&self, directory: &SweepDirectory) -> Result<(), Error> {
        if self.output.is_some() || !self.metric.is_empty() {
            return Err(Error::input(format!(
                "{} is a sweep, whose pictures are curve and sweep in its directory; for another \
                 one, name its runs",
                directory.root().display()
            )));
        }
        let config = read_config(&directory.config())?;
        let variants = config.variants()?;
        let Some(sweep) = &config.sweep else {
            return Err(Error::input(format!(
                "{} has no sweep",
                directory.config().display()
            )));
        };
        let runs = directory.read(sweep, &variants)?;
        let prepared = Prepared::prepare(variants[0].config.clone())?;
        draw_sweep(directory, sweep, &runs, prepared.exact())?;
        for extension in ["svg", "png"] {
            let (curve, rates) = (directory.curve(extension), directory.rates(extension));
            print(&format!("{}\n{}\n", curve.display(), rates.display()))?;
        }
        Ok(())
    }
}

enum Format {
    Svg,
    Png,
}

impl Format {
    fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Some(Format::Svg),
            "png" => Some(Format::Png),
            _ => None,
        }
    }
}

/// Draws what the runs of a sweep give together: their curves in one picture, and
/// their final rates by value.
///
/// # Errors
///
/// [`Error`] if there is nothing to draw or a picture cannot be written.
pub fn draw_sweep(
    directory: &SweepDirectory,
    sweep: &Sweep,
    runs: &[RunData],
    experiment: Option<&Experiment>,
) -> Result<(), Error> {
    let curves = compare(runs, experiment, &[Metric::WinRate, Metric::DrawRate])?;
    let title = format!("{}: {}", runs[0].config.game.as_str(), sweep.key);
    let curves = Figure {
        title: title.clone(),
        ..curves
    };
    let rates = Figure {
        title,
        ..rates_by_value(sweep, runs, experiment)?
    };
    for extension in ["svg", "png"] {
        write_picture(&curves, &directory.curve(extension))?;
        write_picture(&rates, &directory.rates(extension))?;
    }
    Ok(())
}

/// Writes a figure, as PNG if the path ends in that, else as SVG.
///
/// # Errors
///
/// [`Error::System`] if it cannot be written.
pub fn write_picture(figure: &Figure, path: &Path) -> Result<(), Error> {
    let svg = to_svg(figure);
    let content = match Format::of(path) {
        Some(Format::Png) => {
            to_png(&svg).map_err(|why| Error::input(format!("cannot draw: {why}")))?
        }
        _ => svg.into_bytes(),
    };
    write_atomically(path, &content).map(drop)
}
