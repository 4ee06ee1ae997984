//! Two sentence vectors as one vector of features: what ReVal (Gupta et al., 2015) and RUSE (Shimanaka et al., 2018)
//! learn from.

/// t, r, t ⊙ r and |t − r|, one after the other.
///
/// # Panics
/// If the two vectors differ in length.
pub fn comparison_features(t: &[f32], r: &[f32]) -> Vec<f32> {
    assert_eq!(t.len(), r.len(), "vectors of one encoder");
    let both = || t.iter().zip(r);
    let products = both().map(|(t, r)| t * r);
    let differences = both().map(|(t, r)| (t - r).abs());
    t.iter().chain(r).copied().chain(products).chain(differences).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_parts_follow_each_other() {
        assert_eq!(comparison_features(&[1.0, -2.0], &[3.0, 0.5]), [1.0, -2.0, 3.0, 0.5, 3.0, -1.0, 2.0, 2.5]);
        assert!(comparison_features(&[], &[]).is_empty());
    }
}
