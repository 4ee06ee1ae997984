//! Files in, records out: one file per format.
