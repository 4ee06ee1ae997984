//! The learning half of tercet: numbers in, numbers out; knows no language.
