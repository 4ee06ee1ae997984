"""Coefficients of two arrays: golden values are those of scipy 1.17.1 and mt-metrics-eval 68a481a."""

import math

import pytest
import tercet

GOLD = [1.0, 2.0, None, 4.0, 4.0, float("nan"), 7.0]
METRIC = [0.1, 0.3, 0.2, 0.25, 0.5, 0.9, 0.4]
PEARSON = (0.6587581226451356, 0.22664274004525095)
SPEARMAN = (0.6668859288553503, 0.21889398131323148)
KENDALL = (0.5270462766947299, 0.206507295485425)


def test_coefficients_have_the_values_and_p_values_of_scipy():
    complete = [(g, m) for g, m in zip(GOLD, METRIC) if g is not None and g == g]
    gold, metric = zip(*complete)
    for function, value, p in (
        (tercet.pearson, *PEARSON),
        (tercet.spearman, *SPEARMAN),
        (tercet.kendall, *KENDALL),
    ):
        for found in (function(GOLD, METRIC), function(gold, metric)):
            assert found.statistic == pytest.approx(value, abs=1e-12)
            assert found.pvalue == pytest.approx(p, abs=1e-12)
    assert math.isnan(tercet.pearson([1.0, 1.0], [2.0, 3.0]).statistic)


def test_statistics_are_grouped_and_averaged():
    gold, metric = [1, 2, 3, 3, None, 1], [0.1, 0.2, 0.3, 0.2, 0.1, 0.3]
    assert tercet.correlation(gold, metric, "acc-23-plain") == 0.4
    by_system = [tercet.pearson(gold[:3], metric[:3]).statistic, tercet.pearson(gold[3:], metric[3:]).statistic]
    macro = tercet.correlation(gold, metric, systems=2, grouping="system")
    assert macro == pytest.approx(sum(by_system) / 2, abs=1e-12)
    micro = tercet.correlation(gold, metric, systems=2, grouping="system", average="micro")
    assert micro == pytest.approx((3 * by_system[0] + 2 * by_system[1]) / 5, abs=1e-12)
    assert tercet.correlation(gold, metric, "acc-23", epsilon=9) == 0.2


def test_arrays_of_numpy_and_pandas_are_taken():
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    expected = tercet.pearson(GOLD, METRIC)
    assert tercet.pearson(pandas.Series(GOLD), numpy.array(METRIC)) == expected


def test_what_cannot_be_correlated_is_refused():
    for call, message in (
        (lambda: tercet.pearson([1, 2], [1]), "gold has 2 scores, metric has 1"),
        (lambda: tercet.pearson([1, 2], [1, None]), r"metric\[1\] is missing"),
        (lambda: tercet.pearson([1, "x"], [1, 2]), r"gold\[1\]: expected a number, found 'x'"),
        (lambda: tercet.kendall([1, 2], [1, 2], variant="d"), "variant: expected 'b' or 'c'"),
        (lambda: tercet.correlation([1, 2], [1, 2], "tau-wmt12"), "is not a statistic of two arrays"),
        (lambda: tercet.correlation([1, 2, 3], [1, 2, 3], systems=2), "not those of 2 systems"),
    ):
        with pytest.raises(tercet.RequestError, match=message):
            call()
