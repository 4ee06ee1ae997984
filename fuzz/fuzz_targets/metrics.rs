//! Every metric of the registry, with options drawn from what it declares: scores are finite, in any batches, and the
//! metric can be built again from its signature.

#![no_main]

use tercet_fuzz::invariants::metrics::{self, Example};

libfuzzer_sys::fuzz_target!(|input: (u8, [u8; 12], Vec<(String, String, Vec<String>)>)| {
    let (number, choices, segments) = input;
    let mut choices = choices.iter().cycle();
    let choose = |n: usize| usize::from(*choices.next().unwrap_or(&0)) % n;
    let spec = metrics::draw_spec(metrics::info(number.into()), choose);
    let examples: Vec<Example> = segments
        .into_iter()
        .take(4)
        .map(|(hypothesis, reference, mut others)| {
            others.truncate(2);
            others.push(reference);
            Example { hypothesis, references: others }
        })
        .collect();
    metrics::scores_are_numbers(&spec, &examples);
    metrics::batches_do_not_matter(&spec, &examples, 2);
    metrics::signature_builds_the_metric_again(&spec, &examples);
});
