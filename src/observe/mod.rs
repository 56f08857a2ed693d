//! Who listens to a training, to keep what it finds. None knows of another. A face brings its own that shows how far it is.

mod checkpointer;
mod csv_log;
mod event_writer;

pub use checkpointer::Checkpointer;
pub use csv_log::CsvLog;
pub use event_writer::EventWriter;
