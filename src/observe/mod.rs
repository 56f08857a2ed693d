//! Listeners that record what a training finds, each on its own. A user interface adds one that shows progress.

mod checkpointer;
mod csv_log;
mod event_writer;

pub use checkpointer::Checkpointer;
pub use csv_log::CsvLog;
pub use event_writer::EventWriter;
