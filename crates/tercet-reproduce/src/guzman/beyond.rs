//! The same network with vectors and metrics that came after the article: sentence vectors of encoders that are given,
//! and the matching of a transformer's tokens among the metrics. Not a table of the article.

use super::plan::{PlannedTable, Shown, by_language};
use super::systems::{PlannedNetwork, four_metrics};
use super::tables::FOUR;
use crate::ReproduceJob;
use crate::encoders::token_matching;
use tercet::Result;
use tercet::learned::Feature;
use tercet_learn::loss::Kendall;
use tercet_learn::networks::Cost;

/// The table, if there are encoders.
pub(super) fn beyond(settings: &ReproduceJob) -> Result<Option<PlannedTable>> {
    if settings.encoders.is_empty() {
        return Ok(None);
    }
    let title = "Kendall's τ on WMT12 with later sentence vectors and metrics (ours, not the paper's)";
    let mut table = by_language("beyond", title);
    let mut add = |name: &str, recipe: PlannedNetwork| {
        table.add(name, recipe.cells(settings, &FOUR, None, Shown::PAIRWISE));
    };
    let network = |features: &[Feature]| PlannedNetwork::new(settings, features.to_vec());
    let four = four_metrics(settings);
    let kendall = || Cost::LogisticThenKendall(Kendall::default());
    add("4METRICS", network(&four));
    for (place, (name, spec)) in settings.encoders.iter().enumerate() {
        let with_vectors = |features: &[Feature]| network(features).encoder(place);
        add(name, with_vectors(&[]));
        add(&format!("4METRICS+{name}"), with_vectors(&four));
        add(&format!("4METRICS+{name}, logistic, then Kendall"), with_vectors(&four).cost(kendall()));
        add(&format!("4METRICS+cosine of {name}"), with_vectors(&four).by_cosines());
        let Some(matching) = token_matching(spec)? else { continue };
        for (what, feature) in
            [("BERTSCORE", Feature::score(&matching)), ("BERTSCORE of all layers", Feature::components(&matching))]
        {
            let features = [&four[..], &[feature]].concat();
            add(&format!("4METRICS+{what} ({name})"), network(&features));
            add(&format!("4METRICS+{what}+{name}"), with_vectors(&features));
            add(&format!("4METRICS+{what}+{name}, logistic, then Kendall"), with_vectors(&features).cost(kendall()));
        }
    }
    Ok(Some(table))
}
