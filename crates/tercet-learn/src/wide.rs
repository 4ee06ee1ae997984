//! Loops over numbers, with AVX2 where the processor has it.
//!
//! The compiler makes vectors of four numbers unless it may assume more of the processor; with AVX2 they have eight. Products and
//! sums are not fused, so the results are the same to the bit.

/// Work whose loops are worth a second version. `run` and what it calls must be `#[inline(always)]`, with `for` in place of `for_each`: only
/// what is inlined is compiled for AVX2.
pub(crate) trait Loops {
    fn run(self);
}

/// Runs the work, with AVX2 if possible.
#[allow(unsafe_code)]
pub(crate) fn run(work: impl Loops) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { run_with_avx2(work) };
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2(work: impl Loops) {
    work.run();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activation::{sigmoid, tanh};

    struct Squash<'a>(&'a mut [f32]);

    impl Loops for Squash<'_> {
        #[inline(always)]
        fn run(self) {
            for x in self.0.iter_mut() {
                *x = tanh(*x) * sigmoid(*x + 0.3) + *x;
            }
        }
    }

    #[test]
    fn both_versions_give_the_same_bits() {
        let mut one: Vec<f32> = (0..10_007).map(|n| (n as f32 - 5000.0) * 3.1e-3).collect();
        let mut other = one.clone();
        run(Squash(&mut one));
        Squash(&mut other).run();
        assert!(one.iter().zip(&other).all(|(one, other)| one.to_bits() == other.to_bits()));
    }
}
