//! Results → text, JSON, TSV, Markdown, LaTeX: one file per format.
