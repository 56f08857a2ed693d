use std::path::PathBuf;

use clap::Args;
use playlab::Error;
use playlab::text::thousands;
use playlab::workflow::output_ending;

use super::output::write_file;

/// Write a report on runs as one HTML file, which opens without a server
///
/// It has the configs, the results, the learning curves, how to repeat the runs, and on boards with few
/// positions what the agent thinks of each, next to the truth.
#[derive(Args)]
#[command(after_help = "\
Examples:
  lab report runs/qtable_o-1 --output report.html
  lab report runs/qtable_o-1 runs/mcts-1 --output compared.html")]
pub struct Report {
    /// The directories of the runs; a sweep stands for all of its runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// The .html file to write; an existing one is replaced only if it is a report
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl Report {
    /// Writes the file, and reports its size. Errors: [`Error`] if a run cannot be read or the file
    /// cannot be written.
    pub fn run(self) -> Result<(), Error> {
        output_ending(&self.output, &["html"])?;
        let page = playlab::web::report(&self.runs)?;
        let size = format!("{} kB", thousands(page.len().div_ceil(1000) as u64));
        // Pages of other programs differ before the title.
        write_file(&self.output, page.as_bytes(), b"<title>", &size)
    }
}
