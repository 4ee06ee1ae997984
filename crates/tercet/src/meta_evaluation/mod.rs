//! Scores × human judgements → agreement: how good is a metric?
