//! The widest instructions of the processor, found once, and functions compiled for each of them.

use std::sync::OnceLock;

/// A set of instructions that the kernels are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Instructions {
    /// Whatever the compiler may assume.
    Portable,
    /// 256-bit integers and floats, fused multiply-add.
    Avx2,
}

impl Instructions {
    /// The best of this processor.
    pub fn best() -> Self {
        static BEST: OnceLock<Instructions> = OnceLock::new();
        *BEST.get_or_init(detect)
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Instructions {
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        Instructions::Avx2
    } else {
        Instructions::Portable
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Instructions {
    Instructions::Portable
}

/// Compiles a function for each set of instructions and calls the best one. The body is the same, and the compiler never
/// fuses or reorders operations on floats, so all give the same digits.
macro_rules! widest {
    ($(#[$meta:meta])* pub(crate) fn $name:ident($($arg:ident: $kind:ty),* $(,)?) $body:block) => {
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        pub(crate) fn $name($($arg: $kind),*) {
            #[inline(always)]
            fn body($($arg: $kind),*) $body
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2($($arg: $kind),*) {
                body($($arg),*)
            }
            match $crate::instructions::Instructions::best() {
                // SAFETY: `best` returns this variant only if the processor has AVX2.
                #[cfg(target_arch = "x86_64")]
                $crate::instructions::Instructions::Avx2 => unsafe { avx2($($arg),*) },
                _ => body($($arg),*),
            }
        }
    };
}

pub(crate) use widest;
