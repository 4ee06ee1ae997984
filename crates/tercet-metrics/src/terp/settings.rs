//! Everything that decides a score: costs, normalisation, limits of the search. The tool's defaults and its three sets.

use crate::text::TerpNorm;
use std::path::PathBuf;

/// The names of the built-in sets of costs.
pub(super) const PRESETS: &[&str] = &["unit", "ter", "terpa", "terph"];

/// What TERp reads from its parameter files.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) norm: TerpNorm,
    /// Any number equals any other.
    pub(super) any_number: bool,
    pub(super) stems: bool,
    pub(super) synonyms: bool,
    pub(super) costs: Costs,
    pub(super) adjustment: Adjustment,
    pub(super) constraint: Constraint,
    pub(super) beam: usize,
    pub(super) shift_distance: usize,
    /// Scores are at most 100.
    pub(super) cap: bool,
    /// The length is the mean of all references, not that of the best one.
    pub(super) mean_length: bool,
    /// Files that a parameter file names.
    pub(super) stop: Option<PathBuf>,
    pub(super) equivalents: Option<PathBuf>,
}

/// The cost of each kind of edit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Costs {
    pub(super) matching: f64,
    /// A word of the hypothesis that the reference lacks.
    pub(super) insertion: f64,
    /// A word of the reference that the hypothesis lacks.
    pub(super) deletion: f64,
    pub(super) substitution: f64,
    pub(super) stem: f64,
    pub(super) synonym: f64,
    pub(super) shift: f64,
}

impl Costs {
    /// Whether sums of costs are never rounded: all are multiples of 1/1024.
    pub(super) fn are_exact(&self) -> bool {
        let Costs { matching, insertion, deletion, substitution, stem, synonym, shift } = *self;
        let all = [matching, insertion, deletion, substitution, stem, synonym, shift];
        all.iter().all(|cost| (cost * 1024.0).fract() == 0.0)
    }
}

/// How the cost of a pair of phrases follows from its probability p and the edits E between the two.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adjustment {
    pub(super) function: Function,
    pub(super) parameters: Vec<f64>,
    pub(super) least: f64,
    pub(super) most: f64,
}

/// The tool's names of its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    /// The probability is the cost.
    None,
    /// a + b·log₁₀(p)·E + c·p·E + d·E
    Std,
    /// The same of 1 − p.
    StdInv,
    /// a + b·log₁₀(p) + c·p
    StdNoNed,
    /// The same of 1 − p.
    StdInvNoNed,
}

/// Which blocks may be shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constraint {
    /// None.
    NoShift,
    /// Blocks whose words are those of the reference.
    Exact,
    /// Also words with the same stem and synonyms.
    RelaxNoPhrase,
    /// Also phrases of the table inside the block.
    Relax,
    /// Also one other word inside the block.
    AllowMismatch,
}

impl Constraint {
    /// The tool's names.
    pub(super) const NAMES: &'static [&'static str] =
        &["noshift", "exact", "relax_nophrase", "relax", "allow_mismatch"];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        let all = [Self::NoShift, Self::Exact, Self::RelaxNoPhrase, Self::Relax, Self::AllowMismatch];
        Some(all[Self::NAMES.iter().position(|known| *known == name)?])
    }

    pub(super) fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    pub(super) fn uses_phrases(self) -> bool {
        matches!(self, Constraint::Relax | Constraint::AllowMismatch)
    }
}

impl Default for Settings {
    /// What the tool does without a parameter file: every edit costs one, the text is not normalised.
    fn default() -> Self {
        Settings {
            norm: TerpNorm::default(),
            any_number: false,
            stems: false,
            synonyms: false,
            costs: Costs {
                matching: 0.0,
                insertion: 1.0,
                deletion: 1.0,
                substitution: 1.0,
                stem: 1.0,
                synonym: 1.0,
                shift: 1.0,
            },
            adjustment: Adjustment {
                function: Function::None,
                parameters: Vec::new(),
                least: f64::NEG_INFINITY,
                most: f64::INFINITY,
            },
            constraint: Constraint::Exact,
            beam: 20,
            shift_distance: 50,
            cap: false,
            mean_length: true,
            stop: None,
            equivalents: None,
        }
    }
}

impl Settings {
    /// A built-in set by its name: `unit` are the defaults, the others the tool's parameter files of that name.
    pub(super) fn preset(name: &str) -> Option<Self> {
        match name {
            "unit" => Some(Settings::default()),
            "ter" => Some(Settings::normalised()),
            "terpa" => Some(Settings::tuned(
                Costs {
                    matching: 0.0,
                    insertion: 0.2588527567630183,
                    deletion: 1.4269364675533365,
                    substitution: 1.5565478292505814,
                    stem: 0.0,
                    synonym: 0.0,
                    shift: 0.5620538767397316,
                },
                [-0.2306579294476191, -0.1469465037633749, -0.07843705907022736, 0.17708577297831574],
            )),
            "terph" => Some(Settings::tuned(
                Costs {
                    matching: 0.0,
                    insertion: 0.5160029868027748,
                    deletion: 0.8897481530721948,
                    substitution: 1.6362908525843867,
                    stem: 0.9574806141940626,
                    synonym: 0.16474604979800672,
                    shift: 0.686718582391978,
                },
                [1.0366410752548514, 0.6518645817002747, -0.008317921340980746, 1.1121928362344298],
            )),
            _ => None,
        }
    }

    /// Plain TER: phrases are so dear that none is used.
    fn normalised() -> Self {
        let plain = Settings::default();
        Settings {
            norm: TerpNorm { normalize: true, ..plain.norm },
            costs: Costs { stem: 999.0, synonym: 999.0, ..plain.costs },
            adjustment: Adjustment {
                function: Function::Std,
                parameters: vec![999.0, 0.0, 0.0, 0.0],
                least: 999.0,
                ..plain.adjustment
            },
            ..plain
        }
    }

    fn tuned(costs: Costs, parameters: [f64; 4]) -> Self {
        let plain = Settings::default();
        Settings {
            norm: TerpNorm { normalize: true, ..plain.norm },
            stems: true,
            synonyms: true,
            costs,
            adjustment: Adjustment {
                function: Function::Std,
                parameters: parameters.to_vec(),
                least: 0.0,
                ..plain.adjustment
            },
            constraint: Constraint::Relax,
            beam: 35,
            cap: true,
            ..plain
        }
    }
}

impl Function {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "NONE" => Some(Function::None),
            "STD" => Some(Function::Std),
            "STDINV" => Some(Function::StdInv),
            "STDNONED" => Some(Function::StdNoNed),
            "STDINVNONED" => Some(Function::StdInvNoNed),
            _ => None,
        }
    }

    /// How many parameters it has.
    pub(super) fn parameters(self) -> usize {
        match self {
            Function::None => 0,
            Function::Std | Function::StdInv => 4,
            Function::StdNoNed | Function::StdInvNoNed => 3,
        }
    }
}

impl Adjustment {
    /// Whether the cost depends on the edits between the two phrases.
    pub(super) fn needs_edits(&self) -> bool {
        matches!(self.function, Function::Std | Function::StdInv)
    }

    /// The cost of a pair of phrases; `None` if the formula gives none. A negative cost counts as 0.
    pub(super) fn cost(&self, probability: f64, edits: f64) -> Option<f64> {
        let log10 = |x: f64| x.ln() / 10_f64.ln();
        let inverse = 1.0 - probability;
        let cost = match (self.function, self.parameters.as_slice()) {
            (Function::Std, &[a, b, c, d]) => {
                a + (b * log10(probability) * edits) + (c * probability * edits) + (d * edits)
            }
            (Function::StdInv, &[a, b, c, d]) => a + (b * log10(inverse) * edits) + (c * inverse * edits) + (d * edits),
            (Function::StdNoNed, &[a, b, c]) => a + (b * log10(probability)) + (c * probability),
            (Function::StdInvNoNed, &[a, b, c]) => a + (b * log10(inverse)) + (c * inverse),
            _ => probability,
        };
        let cost = if cost > self.most { self.most } else { cost };
        let cost = if cost < self.least { self.least } else { cost };
        cost.is_finite().then_some(cost.max(0.0))
    }
}
