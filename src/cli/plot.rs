use std::path::{Path, PathBuf};

use clap::Args;
use playlab::Error;
use playlab::plot::{Figure, to_png, to_svg};
use playlab::run::{Experiment, Metric, RunData, RunDirectory, compare, curve, write_atomically};

use super::output::print;

/// Draw the learning curves of one run, or of several in one picture
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab plot runs/qtable_o-1
  lab plot runs/qtable_o-1 runs/qtable_o-2 --metric win-rate --metric loss-rate --output both.png")]
pub struct Plot {
    /// Run directories
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
        let experiment = Experiment::prepare(data[0].config.clone())?;
        let figure = match (&data[..], &self.metric[..]) {
            ([run], []) => curve(run, &experiment)?,
            (runs, []) => compare(runs, &experiment, &Metric::RATES)?,
            (runs, metrics) => compare(runs, &experiment, metrics)?,
        };
        for path in &outputs {
            write_picture(&figure, path)?;
            print(&format!("{}\n", path.display()))?;
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
