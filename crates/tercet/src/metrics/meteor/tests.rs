//! Held by sentences whose figures METEOR 1.5 printed.
