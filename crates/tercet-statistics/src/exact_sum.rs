//! Sums of doubles without rounding, so that neither the order of the numbers nor their division into parts matters.
//!
//! Whole numbers are summed in an integer; others in a number with a fixed point that has all bits of any double
//! (Kulisch's long accumulator). Positive and negative numbers are summed apart. The sum is rounded once, when it is
//! read. Parts that were summed elsewhere are merged, and have a form in bytes. With infinite numbers or NaN among
//! them, sums are those of doubles.

/// The sum of numbers, rounded once: it does not depend on their order.
pub fn exact_sum(values: impl Iterator<Item = f64>) -> f64 {
    values.collect::<ExactSum>().value()
}

/// A sum of numbers that is not rounded yet.
#[derive(Clone, Debug, Default)]
pub struct ExactSum {
    /// The sum of whole numbers.
    whole: i64,
    /// The sum of the positive numbers that are not whole, or very large.
    positive: Option<Box<FixedPoint>>,
    /// The sum of the negative ones, without their sign.
    negative: Option<Box<FixedPoint>>,
    /// The sum of the numbers that are infinite or NaN; 0 of none.
    not_finite: f64,
}

impl ExactSum {
    /// The length of the form in bytes of a sum of whole numbers; others have more after it, as its first byte says.
    const SHORT_LENGTH: usize = 9;
    /// The bits of the first byte: two fixed points follow, a number that is not finite follows.
    const FIXED: u8 = 1;
    const NOT_FINITE: u8 = 2;

    /// Adds a number.
    pub fn add(&mut self, value: f64) {
        const MAX_WHOLE: f64 = (1u64 << 53) as f64;
        if !value.is_finite() {
            self.not_finite += value;
            return;
        }
        let whole = (value.fract() == 0.0 && value.abs() <= MAX_WHOLE).then_some(value as i64);
        match whole.and_then(|whole| self.whole.checked_add(whole)) {
            Some(sum) => self.whole = sum,
            None => self.add_fixed(value),
        }
    }

    /// Adds the numbers of another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        match self.whole.checked_add(other.whole) {
            Some(sum) => self.whole = sum,
            None => self.add_whole(other.whole),
        }
        for (own, other) in [(&mut self.positive, &other.positive), (&mut self.negative, &other.negative)] {
            if let Some(other) = other {
                own.get_or_insert_default().plus(other);
            }
        }
        self.not_finite += other.not_finite;
    }

    /// The sum, rounded to the nearest double.
    pub fn value(&self) -> f64 {
        match (&self.positive, &self.negative) {
            (None, None) if self.not_finite == 0.0 => self.whole as f64,
            _ => self.quotient(1),
        }
    }

    /// The sum divided by a number, rounded to the nearest double once.
    pub fn quotient(&self, divisor: u64) -> f64 {
        if self.not_finite != 0.0 {
            return self.not_finite;
        }
        let mut sum = self.clone();
        sum.whole = 0;
        sum.add_whole(self.whole);
        let (positive, negative) = (sum.positive.unwrap_or_default(), sum.negative.unwrap_or_default());
        if positive.limbs.iter().rev().ge(negative.limbs.iter().rev()) {
            positive.minus(&negative).quotient(divisor)
        } else {
            -negative.minus(&positive).quotient(divisor)
        }
    }

    fn add_fixed(&mut self, value: f64) {
        let sum = if value < 0.0 { &mut self.negative } else { &mut self.positive };
        sum.get_or_insert_default().add(value.abs());
    }

    /// Adds an integer to the fixed points, in halves that doubles hold exactly.
    fn add_whole(&mut self, whole: i64) {
        let (sign, magnitude) = (if whole < 0 { -1.0 } else { 1.0 }, whole.unsigned_abs());
        for (half, unit) in [(magnitude & 0xffff_ffff, 1.0), (magnitude >> 32, 4_294_967_296.0)] {
            if half > 0 {
                self.add_fixed(sign * half as f64 * unit);
            }
        }
    }

    /// Appends the sum in bytes, little-endian.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let is_fixed = self.positive.is_some() || self.negative.is_some();
        let is_finite = self.not_finite == 0.0;
        bytes.push((u8::from(is_fixed) * Self::FIXED) | (u8::from(!is_finite) * Self::NOT_FINITE));
        bytes.extend(self.whole.to_le_bytes());
        for fixed in [&self.positive, &self.negative].into_iter().filter(|_| is_fixed) {
            let limbs = fixed.as_ref().map_or([0; LIMBS], |fixed| fixed.limbs);
            bytes.extend(limbs.iter().flat_map(|limb| limb.to_le_bytes()));
        }
        if !is_finite {
            bytes.extend(self.not_finite.to_le_bytes());
        }
    }

    /// Reads a sum from the start of `bytes`, and moves them past it; `None` if they are no such sum.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (start, rest) = bytes.split_at_checked(Self::SHORT_LENGTH)?;
        *bytes = rest;
        let whole = i64::from_le_bytes(start[1..].try_into().ok()?);
        let mut sum = ExactSum { whole, ..ExactSum::default() };
        if start[0] & !(Self::FIXED | Self::NOT_FINITE) != 0 {
            return None;
        }
        if start[0] & Self::FIXED != 0 {
            (sum.positive, sum.negative) = (Some(FixedPoint::read(bytes)?), Some(FixedPoint::read(bytes)?));
        }
        if start[0] & Self::NOT_FINITE != 0 {
            let (value, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            sum.not_finite = f64::from_le_bytes(*value);
        }
        Some(sum)
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sum = ExactSum::default();
        values.into_iter().for_each(|value| sum.add(value));
        sum
    }
}

/// Enough for any sum of 2⁶³ doubles and 128 bits below the smallest double, so that quotients round correctly.
const LIMBS: usize = 37;
/// The exponent of the lowest bit.
const LOWEST: i32 = -1074 - 128;

/// A non-negative number with a fixed point: limbs of 64 bits, least significant first.
#[derive(Clone, Debug)]
struct FixedPoint {
    limbs: [u64; LIMBS],
}

impl Default for FixedPoint {
    fn default() -> Self {
        FixedPoint { limbs: [0; LIMBS] }
    }
}

impl FixedPoint {
    fn add(&mut self, value: f64) {
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let shift = (exponent.max(1) - 1075 - LOWEST) as usize;
        let wide = u128::from(mantissa) << (shift % 64);
        let mut carry = wide;
        for limb in &mut self.limbs[shift / 64..] {
            if carry == 0 {
                break;
            }
            let sum = u128::from(*limb) + u128::from(carry as u64);
            *limb = sum as u64;
            carry = (carry >> 64) + (sum >> 64);
        }
    }

    fn plus(&mut self, other: &FixedPoint) {
        let mut carry = false;
        for (limb, &added) in self.limbs.iter_mut().zip(&other.limbs) {
            let (sum, over) = limb.overflowing_add(added);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = over || over_again;
        }
    }

    fn minus(mut self: Box<Self>, other: &FixedPoint) -> Box<Self> {
        let mut borrow = false;
        for (limb, &taken) in self.limbs.iter_mut().zip(&other.limbs) {
            let (difference, under) = limb.overflowing_sub(taken);
            let (difference, under_again) = difference.overflowing_sub(u64::from(borrow));
            *limb = difference;
            borrow = under || under_again;
        }
        self
    }

    /// Long division, rounded to the nearest double, halves to even.
    fn quotient(mut self: Box<Self>, divisor: u64) -> f64 {
        let mut remainder = 0u128;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = remainder << 64 | u128::from(*limb);
            *limb = (dividend / u128::from(divisor)) as u64;
            remainder = dividend % u128::from(divisor);
        }
        self.round(remainder != 0)
    }

    fn round(&self, rest: bool) -> f64 {
        let Some(top) = self.limbs.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        let length = 64 * top + 64 - self.limbs[top].leading_zeros() as usize;
        // A double has 53 bits and none below 2^-1074.
        let cut = length.saturating_sub(53).max(128);
        let bit = |i: usize| self.limbs[i / 64] >> (i % 64) & 1 == 1;
        let mut mantissa = (cut..length).rev().fold(0u64, |m, i| m << 1 | u64::from(bit(i)));
        let below = rest || (0..cut - 1).any(bit);
        if bit(cut - 1) && (below || mantissa & 1 == 1) {
            mantissa += 1;
        }
        scale(mantissa as f64, cut as i32 + LOWEST)
    }

    fn read(bytes: &mut &[u8]) -> Option<Box<Self>> {
        let (own, rest) = bytes.split_at_checked(8 * LIMBS)?;
        *bytes = rest;
        let mut fixed = Box::<FixedPoint>::default();
        for (limb, own) in fixed.limbs.iter_mut().zip(own.chunks_exact(8)) {
            *limb = u64::from_le_bytes(own.try_into().ok()?);
        }
        Some(fixed)
    }
}

/// value · 2^exponent for an exponent of at least −1074, in two steps so that no power of two overflows or underflows.
fn scale(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn large_whole_numbers_do_not_overflow() {
        let sum: ExactSum = std::iter::repeat_n(9e15, 2000).collect();
        assert_eq!(sum.value(), 1.8e19);
        let mut twice = sum.clone();
        twice.merge(&sum);
        assert_eq!(twice.value(), 3.6e19);
        twice.merge(&std::iter::repeat_n(-9e15, 4000).chain([0.5]).collect());
        assert_eq!(twice.value(), 0.5);
    }

    #[test]
    fn numbers_that_are_not_finite_stay_so() {
        let sum = |values: &[f64]| {
            let mut bytes = Vec::new();
            values.iter().copied().collect::<ExactSum>().write(&mut bytes);
            let mut merged: ExactSum = [3.0, 0.25].into_iter().collect();
            merged.merge(&ExactSum::read(&mut bytes.as_slice()).unwrap());
            merged.value()
        };
        assert_eq!(sum(&[f64::INFINITY, -1e300, 0.5]), f64::INFINITY);
        assert_eq!(sum(&[1.0, f64::NEG_INFINITY]), f64::NEG_INFINITY);
        assert!(sum(&[1.0, f64::NAN]).is_nan() && sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert_eq!(exact_sum([2.0, f64::INFINITY].into_iter()), f64::INFINITY);
    }

    #[test]
    fn bytes_that_are_no_sum_are_not_read() {
        let mut bytes = Vec::new();
        [0.5, -2.5].into_iter().collect::<ExactSum>().write(&mut bytes);
        assert_eq!(ExactSum::read(&mut bytes.as_slice()).unwrap().value(), -2.0);
        assert!(ExactSum::read(&mut &bytes[..bytes.len() - 1]).is_none());
        bytes[0] = 7;
        assert!(ExactSum::read(&mut bytes.as_slice()).is_none());
    }

    /// Numbers of very different sizes, whole ones among them.
    fn numbers() -> impl Strategy<Value = Vec<f64>> {
        let number = prop_oneof![
            -1e9f64..1e9,
            (-1_000_000i64..1_000_000).prop_map(|whole| whole as f64),
            -1e-300f64..1e-300,
            -1e300f64..1e300,
        ];
        prop::collection::vec(number, 0..60)
    }

    proptest! {
        #[test]
        fn neither_order_nor_parts_change_a_sum(values in numbers(), cuts in prop::collection::vec(0usize..60, 0..6)) {
            let whole: ExactSum = values.iter().copied().collect();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(values.len())).collect();
            cuts.extend([0, values.len()]);
            cuts.sort_unstable();
            let mut parts: Vec<ExactSum> =
                cuts.windows(2).map(|cut| values[cut[0]..cut[1]].iter().copied().collect()).collect();
            parts.reverse();
            let mut merged = ExactSum::default();
            for part in &parts {
                let mut bytes = Vec::new();
                part.write(&mut bytes);
                let mut rest = bytes.as_slice();
                merged.merge(&ExactSum::read(&mut rest).unwrap());
                prop_assert!(rest.is_empty());
            }
            prop_assert_eq!(merged.value().to_bits(), whole.value().to_bits());
        }
    }
}
