use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::chart::Metric;
use playlab::plot::Picture;
use playlab::store::{RunDirectory, SweepDirectory};
use playlab::workflow::{draw_runs, draw_sweep, is_picture, write_picture};

use super::output::print;

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

    /// What to show, a row of panels each: win-rate, draw-rate, loss-rate or
    /// optimal-move-rate; may be given several times [default: all rates]
    #[arg(long, value_name = "METRIC")]
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
            (None, [run]) => ["svg", "png"].map(|extension| run.curve(extension)).into(),
            (None, _) => vec![PathBuf::from("compare.svg"), PathBuf::from("compare.png")],
        };
        if let Some(bad) = outputs.iter().find(|path| !is_picture(path)) {
            return Err(Error::input(format!(
                "--output {}: expected a name that ends in .svg or .png",
                bad.display()
            )));
        }
        let picture = Picture::from(draw_runs(&directories, &self.metric)?);
        for path in &outputs {
            write_picture(&picture, path)?;
            print(&format!("{}\n", path.display()))?;
        }
        Ok(())
    }

    fn sweep(&self, directory: &SweepDirectory) -> Result<(), Error> {
        if self.output.is_some() || !self.metric.is_empty() {
            return Err(Error::input(format!(
                "{} is a sweep, whose pictures are curve and sweep in its directory; for another \
                 one, name its runs",
                directory.root().display()
            )));
        }
        let has_curves = draw_sweep(directory)?.learner.is_some();
        for extension in ["svg", "png"] {
            if has_curves {
                print(&format!("{}\n", directory.curve(extension).display()))?;
            }
            print(&format!("{}\n", directory.rates(extension).display()))?;
        }
        Ok(())
    }
}
