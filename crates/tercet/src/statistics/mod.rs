//! Numbers in, coefficients and decisions out.
