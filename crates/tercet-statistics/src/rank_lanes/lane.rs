//! Rows of counters, one for each draw.

/// Draws that are counted at once.
pub(super) const LANES: usize = 64;

/// A counter of each draw.
pub(super) type Row<T> = [T; LANES];

/// An integer that counts; sums wrap, and are in range in the end.
pub(super) trait Lane: Copy + Send + Sync {
    const ZERO: Self;
    fn of(number: i64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn wide(self) -> i32;
}

macro_rules! lanes {
    ($($number:ty),+) => {$(
        impl Lane for $number {
            const ZERO: Self = 0;
            #[inline(always)]
            fn of(number: i64) -> Self {
                number as $number
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn wide(self) -> i32 {
                i32::from(self)
            }
        }
    )+};
}

lanes!(i16, i32);

#[inline(always)]
pub(super) fn add<T: Lane>(to: &mut Row<T>, row: &Row<T>) {
    for lane in 0..LANES {
        to[lane] = to[lane].plus(row[lane]);
    }
}

/// How many items of each class, and of lower classes, were added in each draw.
pub(super) struct Tables<T> {
    /// `sums[i]` counts the classes from `i − lowest bit of i` to `i − 1`.
    sums: Vec<Row<T>>,
    counts: Vec<Row<T>>,
}

impl<T: Lane> Tables<T> {
    pub(super) fn new(classes: usize) -> Self {
        Tables { sums: vec![[T::ZERO; LANES]; classes + 1], counts: vec![[T::ZERO; LANES]; classes] }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, class: u32, row: &Row<T>) {
        add(&mut self.counts[class as usize], row);
        let mut at = class as usize + 1;
        while at < self.sums.len() {
            add(&mut self.sums[at], row);
            at += at & at.wrapping_neg();
        }
    }

    /// Twice the number of lower classes plus the number of this class: what is below minus what is above, plus all.
    #[inline(always)]
    pub(super) fn twice_below(&self, class: u32) -> Row<T> {
        let mut below = [T::ZERO; LANES];
        let mut at = class as usize;
        while at > 0 {
            add(&mut below, &self.sums[at]);
            at &= at - 1;
        }
        let counts = &self.counts[class as usize];
        for lane in 0..LANES {
            below[lane] = below[lane].plus(below[lane]).plus(counts[lane]);
        }
        below
    }
}
