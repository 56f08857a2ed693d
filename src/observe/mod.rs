//! Who listens to a training. None knows another.

mod checkpointer;
mod csv_log;
mod pace;
mod tensorboard;

pub use checkpointer::Checkpointer;
pub use csv_log::CsvLog;
pub use pace::Pace;
pub use tensorboard::TensorBoard;
