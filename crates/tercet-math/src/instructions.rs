//! The widest instructions of the processor, found once, and functions compiled for each of them.

use std::sync::OnceLock;

/// A set of instructions that the kernels are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// Whatever the compiler may assume.
    Portable,
    /// 256-bit integers and floats, fused multiply-add.
    Avx2,
    /// The same with 512 bits, and products of bytes that are added up in 32 bits (VNNI).
    Avx512,
}

impl Instructions {
    /// The best of this processor.
    pub fn best() -> Self {
        static BEST: OnceLock<Instructions> = OnceLock::new();
        *BEST.get_or_init(detect)
    }

    /// All of this processor.
    pub fn available() -> impl Iterator<Item = Self> {
        let all = [Instructions::Portable, Instructions::Avx2, Instructions::Avx512];
        all.into_iter().filter(|instructions| *instructions <= Instructions::best())
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Instructions {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni");
    match (avx2, avx512) {
        (true, true) => Instructions::Avx512,
        (true, false) => Instructions::Avx2,
        _ => Instructions::Portable,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Instructions {
    Instructions::Portable
}

/// Compiles a function without a result for each set of instructions and calls the best one. The body is the same, and
/// the compiler never fuses or reorders operations on floats, so all give the same digits. What the body calls must be
/// `#[inline(always)]`, with `for` in place of `for_each` around long bodies: only what is inlined is compiled for
/// these instructions.
#[macro_export]
macro_rules! widest {
    ($(#[$meta:meta])* $visibility:vis fn $name:ident($($arg:ident: $kind:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $visibility fn $name($($arg: $kind),*) {
            #[inline(always)]
            fn body($($arg: $kind),*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($arg: $kind),*) {
                body($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            fn avx512($($arg: $kind),*) {
                body($($arg),*)
            }
            match $crate::Instructions::best() {
                $crate::Instructions::Portable => body($($arg),*),
                // SAFETY: `best` returns these variants only if the processor has the instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::Instructions::Avx2 => unsafe { avx2($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                $crate::Instructions::Avx512 => unsafe { avx512($($arg),*) },
                #[cfg(not(target_arch = "x86_64"))]
                _ => body($($arg),*),
            }
        }
    };
}
