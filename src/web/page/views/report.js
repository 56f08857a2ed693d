// The report is written by P in a moment.
