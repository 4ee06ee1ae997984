//! Scatter plots of metric and human scores, as an SVG page.
//!
//! A row per metric, a column per set and language pair; human scores on the x axis, the metric's original scores on
//! the y axis. Each plot has the least-squares line and Pearson's r, and tooltips name the points. Systems are labelled
//! if there are few and the labels do not overlap.

use crate::corpora::Level;
use crate::meta_evaluation::{Point, Points};
use std::fmt::Write;
use tercet_text::visible;

const WIDTH: f64 = 260.0;
const HEIGHT: f64 = 200.0;
/// Margins of a plot: left, right, top, bottom.
const MARGINS: (f64, f64, f64, f64) = (46.0, 10.0, 34.0, 34.0);
/// The maximum number of labelled systems.
const NAMED: usize = 16;

/// Draws all plots on one page.
pub fn plot(points: &[Points]) -> String {
    let (mut rows, mut columns): (Vec<&str>, Vec<(Level, &str, &str)>) = (Vec::new(), Vec::new());
    for field in points {
        if !rows.contains(&field.metric.as_str()) {
            rows.push(&field.metric);
        }
        if !columns.contains(&column(field)) {
            columns.push(column(field));
        }
    }
    columns.sort_by_key(|(level, _, _)| *level);
    let (width, height) = (WIDTH * columns.len() as f64, HEIGHT * rows.len() as f64);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
         {height}\" \
         font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for field in points {
        let row = rows.iter().position(|metric| *metric == field.metric).unwrap_or(0);
        let place = columns.iter().position(|of| *of == column(field)).unwrap_or(0);
        let _ = writeln!(svg, "<g transform=\"translate({} {})\">", place as f64 * WIDTH, row as f64 * HEIGHT);
        Field::new(field).draw(&mut svg);
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}

fn column(field: &Points) -> (Level, &str, &str) {
    (field.level, &field.set, &field.pair)
}

/// One scatter plot.
struct Field<'a> {
    of: &'a Points,
    human: Axis,
    metric: Axis,
}

impl<'a> Field<'a> {
    fn new(of: &'a Points) -> Self {
        let (left, right, top, bottom) = MARGINS;
        let values = |value: fn(&Point) -> f64| of.points.iter().map(value).filter(|value| value.is_finite());
        Field {
            of,
            human: Axis::new(values(|point| point.human), left, WIDTH - right),
            metric: Axis::new(values(|point| point.metric), HEIGHT - bottom, top),
        }
    }

    fn draw(&self, svg: &mut String) {
        let (left, right, top, bottom) = MARGINS;
        let Points { set, pair, human, metric, level, points, .. } = self.of;
        let metric = if self.of.lower_is_better { format!("{metric} (lower is better)") } else { metric.clone() };
        let what = if *level == Level::System { "systems" } else { "segments" };
        let title = format!("{set} {pair}: {} {what}", points.len());
        text(svg, (WIDTH / 2.0, 14.0), "middle\" font-weight=\"bold", &title);
        let (width, height) = (WIDTH - left - right, HEIGHT - top - bottom);
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#999\"/>"
        );
        for tick in self.human.ticks() {
            text(svg, (self.human.place(tick), HEIGHT - bottom + 12.0), "middle", &label(tick));
        }
        for tick in self.metric.ticks() {
            text(svg, (left - 4.0, self.metric.place(tick) + 3.0), "end", &label(tick));
        }
        text(svg, (left + width / 2.0, HEIGHT - 6.0), "middle", human);
        let turned = format!("middle\" transform=\"rotate(-90 10 {})", top + height / 2.0);
        text(svg, (10.0, top + height / 2.0), &turned, &metric);
        self.draw_points(svg);
        self.draw_line(svg);
    }

    fn draw_points(&self, svg: &mut String) {
        let few = self.of.points.len() <= NAMED && self.of.level == Level::System;
        let mut labels = Labels::default();
        let (radius, opacity) = if self.of.level == Level::System { (3.5, 0.9) } else { (1.6, 0.35) };
        for point in self.of.points.iter().filter(|point| point.human.is_finite() && point.metric.is_finite()) {
            let (x, y) = (self.human.place(point.human), self.metric.place(point.metric));
            let name = point
                .segment
                .as_ref()
                .map_or(point.system.clone(), |segment| format!("{}, segment {segment}", point.system));
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"#1f5fa8\" fill-opacity=\"{opacity}\">\
                 <title>{}: {} {:.4}, {} {:.4}</title></circle>",
                escape(&name),
                escape(&self.of.human),
                point.human,
                escape(&self.of.metric),
                point.metric
            );
            if few {
                labels.draw(svg, (x, y), &short(&point.system));
            }
        }
    }

    /// The line of least squares, and Pearson's r.
    fn draw_line(&self, svg: &mut String) {
        let finite: Vec<(f64, f64)> = self
            .of
            .points
            .iter()
            .map(|point| (point.human, point.metric))
            .filter(|(human, metric)| human.is_finite() && metric.is_finite())
            .collect();
        let n = finite.len() as f64;
        let mean = |value: fn(&(f64, f64)) -> f64| finite.iter().map(value).sum::<f64>() / n;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let sum = |value: &dyn Fn(f64, f64) -> f64| finite.iter().map(|(a, b)| value(a - x, b - y)).sum::<f64>();
        let (xx, yy, xy) = (sum(&|a, _| a * a), sum(&|_, b| b * b), sum(&|a, b| a * b));
        let (r, slope) = (xy / (xx * yy).sqrt(), xy / xx);
        if !r.is_finite() || !slope.is_finite() {
            return;
        }
        // Clipped to the plot.
        let inside = |human: f64| (y + slope * (human - x)).clamp(self.metric.low, self.metric.high);
        let back = |metric: f64| if slope == 0.0 { x } else { x + (metric - y) / slope };
        let ends = [self.human.low, self.human.high].map(|end| {
            let metric = inside(end);
            let human = if metric == y + slope * (end - x) { end } else { back(metric) };
            (self.human.place(human), self.metric.place(metric))
        });
        let [(x1, y1), (x2, y2)] = ends;
        if ![x1, y1, x2, y2].iter().all(|place| place.is_finite()) {
            return;
        }
        let _ = writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#c0392b\" \
             stroke-width=\"1.2\"/>"
        );
        let corner = (MARGINS.0 + 5.0, MARGINS.2 - 5.0);
        text(svg, corner, "start\" fill=\"#c0392b", &format!("r = {r:.3}"));
    }
}

/// Labels of points; one that would overlap another is only in the tooltip.
#[derive(Default)]
struct Labels {
    /// Left end, right end and height of the labels drawn.
    drawn: Vec<(f64, f64, f64)>,
}

impl Labels {
    fn draw(&mut self, svg: &mut String, (x, y): (f64, f64), name: &str) {
        const LETTER: f64 = 3.8;
        const LINE: f64 = 7.0;
        let width = LETTER * name.chars().count() as f64;
        // To the left of the point where there is no room to its right.
        let to_the_right = x + 5.0 + width < WIDTH - MARGINS.1;
        let (left, anchor) = if to_the_right { (x + 5.0, "start") } else { (x - 5.0 - width, "end") };
        let covers = |&(from, to, height): &(f64, f64, f64)| {
            left < to && from < left + width && (height - (y - 3.0)).abs() < LINE
        };
        if self.drawn.iter().any(covers) {
            return;
        }
        self.drawn.push((left, left + width, y - 3.0));
        let place = (if to_the_right { left } else { x - 5.0 }, y - 3.0);
        text(svg, place, &format!("{anchor}\" font-size=\"7\" fill=\"#555"), name);
    }
}

/// A linear scale from values to coordinates.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low.is_finite() { (low, high) } else { (0.0, 1.0) };
        // Numbers so large or so close that doubles cannot tell points of the scale apart get a wider scale.
        let least = if high > low { 1e-12 * low.abs().max(high.abs()) } else { (0.05 * high.abs()).max(0.5) };
        let room = (0.05 * high - 0.05 * low).max(least).max(f64::MIN_POSITIVE);
        Axis { low: (low - room).max(f64::MIN), high: (high + room).min(f64::MAX), from, to }
    }

    /// In quarters, because the difference of two large numbers may be infinite.
    fn place(&self, value: f64) -> f64 {
        let share = (0.25 * value - 0.25 * self.low) / (0.25 * self.high - 0.25 * self.low);
        self.from + share * (self.to - self.from)
    }

    /// Three to six round numbers.
    fn ticks(&self) -> Vec<f64> {
        let rough = 0.25 * self.high - 0.25 * self.low;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|round| round * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let (first, last) = ((self.low / step).ceil(), (self.high / step).floor());
        let ticks = (0..=6).map(|tick| (first + f64::from(tick)) * step);
        ticks.take_while(|tick| *tick <= last * step).collect()
    }
}

/// The label of a tick.
fn label(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A WMT system's name without test set, language pair and number.
fn short(system: &str) -> String {
    let is_pair = |part: &str| part.len() == 5 && part.as_bytes()[2] == b'-';
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let telling = |part: &&str| {
        !part.starts_with("newstest") && !part.starts_with("newsdiscuss") && !is_pair(part) && !is_number(part)
    };
    system.split('.').find(telling).unwrap_or(system).chars().take(18).collect()
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escape(words));
}

fn escape(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(level: Level, values: &[(f64, f64)]) -> Points {
        let point = |&(human, metric): &(f64, f64)| Point {
            human,
            metric,
            system: "newstest2012.cs-en.<A>.1".to_owned(),
            segment: None,
        };
        Points {
            set: "s".to_owned(),
            pair: "cs-en".to_owned(),
            level,
            human: "z".to_owned(),
            metric: "bleu".to_owned(),
            lower_is_better: false,
            points: values.iter().map(point).collect(),
        }
    }

    #[test]
    fn every_point_has_its_place_and_name() {
        let svg = plot(&[points(Level::System, &[(0.0, 10.0), (1.0, 20.0), (2.0, 30.0)])]);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("r = 1.000"), "{svg}");
        assert!(svg.contains("&lt;A&gt;</text>"), "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn plots_without_points_are_drawn() {
        for values in [&[][..], &[(1.0, 1.0)], &[(1.0, 1.0), (1.0, 2.0)], &[(f64::NAN, 1.0)]] {
            let svg = plot(&[points(Level::Segment, values)]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }

    #[test]
    fn ticks_are_round() {
        let axis = Axis::new([0.0, 0.93].into_iter(), 0.0, 100.0);
        assert_eq!(axis.ticks().iter().map(|tick| label(*tick)).collect::<Vec<_>>(), ["0", "0.5"]);
    }

    #[test]
    fn names_and_extreme_numbers_leave_it_well_formed() {
        const LARGE: f64 = f64::MAX;
        for values in [
            &[(-LARGE, -LARGE), (LARGE, LARGE)][..],
            &[(LARGE, 1.0), (LARGE, 2.0)],
            &[(1e17, 1.0), (1e17, 2.0)],
            &[(1e17, 1e-320), (1e17 + 16.0, 2e-320)],
            &[(5e-324, 0.0), (0.0, 5e-324)],
            &[(f64::INFINITY, 1.0), (1.0, f64::NAN)],
            &[(0.0, -0.0)],
        ] {
            for level in [Level::System, Level::Segment] {
                let mut field = points(level, values);
                (field.set, field.metric) = ("\u{1b}[31m\0]]>\n".to_owned(), "<&\"'>\u{ffff}".to_owned());
                field.points.iter_mut().for_each(|point| point.system = "\u{8}</title>".to_owned());
                let svg = plot(&[field]);
                assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
                assert!(svg.chars().all(|c| c == '\n' || !c.is_control()), "{svg:?}");
                for tag in ["svg", "g", "text", "title", "circle"] {
                    let opened = svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
                    assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}: {svg}");
                }
            }
        }
    }
}
