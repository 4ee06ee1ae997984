// The scripts of the HTML report: `cargo xtask test --pages`.

import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.mjs";

const page = load("report", [
  "fixed",
  "signed",
  "grouped",
  "plural",
  "mean",
  "quantile",
  "pearson",
  "segmentScores",
  "hasSegmentScores",
  "ticks",
  "visible",
  "element",
  "chooser",
  "toCsv",
  "toLatex",
  "toMarkdown",
  "raised",
  "breakable",
  "compareNumbers",
  "compareTexts",
  "dataTable",
  "ends",
  "scale",
  "look",
  "sharedEnds",
  "shortNames",
  "marksOf",
  "indexMarks",
  "markedLine",
  "searchPattern",
  "winner",
  "chances",
  "comparedMetric",
  "SegmentBrowser",
  "lengthGrouping",
  "scoreText",
  "systemCsv",
  "pairCsv",
  "pairTable",
  "rankingCsv",
  "agreementRow",
  "intervalPlot",
  "linePlot",
  "scatterPlot",
  "SegmentRows",
]);

test("numbers have a true minus sign, and a dash where there is none", () => {
  assert.equal(page.fixed(-1.25, 1), "−1.3");
  assert.equal(page.fixed(0.5, 2), "0.50");
  for (const none of [null, undefined, NaN, Infinity]) assert.equal(page.fixed(none, 2), "–");
  assert.deepEqual(
    [1.5, -1.5, 0].map((value) => page.signed(value, 1)),
    ["+1.5", "−1.5", "0.0"],
  );
  assert.equal(page.plural(1, "segment"), "1 segment");
  assert.equal(page.plural(12345, "segment"), "12,345 segments");
});

test("means, quantiles and Pearson's r", () => {
  assert.equal(page.mean([1, 2, 6]), 3);
  assert.equal(page.mean([]), null);
  assert.deepEqual(
    [0, 0.25, 0.5, 1].map((share) => page.quantile([1, 2, 3, 5], share)),
    [1, 1.75, 2.5, 5],
  );
  assert.equal(page.quantile([], 0.5), null);
  assert.equal(page.pearson([1, 2, 3], [2, 4, 6]), 1);
  assert.ok(Math.abs(page.pearson([1, 2, 3, 4], [2, 1, 4, 3]) - 0.6) < 1e-12);
  assert.ok(Number.isNaN(page.pearson([1, 1], [2, 3])));
});

test("stored scores are whole numbers in the metric's scale", () => {
  const data = { metrics: [{ decimals: 2 }], segment_scores: [[[1234, null, -5]]] };
  assert.deepEqual([...page.segmentScores(data, 0, 0)], [12.34, NaN, -0.05]);
  assert.ok(page.hasSegmentScores(data));
  assert.ok(!page.hasSegmentScores({}) && !page.hasSegmentScores({ segment_scores: [[[]]] }));
});

test("axes have round numbers", () => {
  assert.deepEqual(
    plain(page.ticks(0, 10, 5)).map(({ text }) => text),
    ["0", "2", "4", "6", "8", "10"],
  );
  assert.deepEqual(
    plain(page.ticks(-0.11, 0.12, 5)).map(({ text }) => text),
    ["−0.10", "−0.05", "0.00", "0.05", "0.10"],
  );
  assert.deepEqual(plain(page.ends([])), [0, 1]);
  assert.deepEqual(plain(page.ends([2, 2])), [1.9, 2.1]);
  assert.deepEqual(plain(page.ends([0, 10])), [-0.5, 10.5]);
  assert.equal(page.scale(0, 10, 100, 200)(2.5), 125);
  assert.equal(page.scale(3, 3, 100, 200)(3), 100);
  assert.equal(page.look(9)["stroke-dasharray"], "6 3");
});

test("control characters are shown, and texts are never markup", () => {
  assert.equal(page.visible("a\u0000b\u202ec\u001b[0m"), "a⟨U+0000⟩b⟨U+202E⟩c⟨U+001B⟩[0m");
  assert.equal(page.visible("tag <b> & “é” 中"), "tag <b> & “é” 中");
  const node = page.element("p", { class: null, hidden: true, title: "t" }, "<b>", [1, [null, undefined, "x"]]);
  assert.equal(node.textContent, "<b>1x");
  assert.equal(node.children.length, 0);
  assert.deepEqual(
    [...node.attributes],
    [
      ["hidden", ""],
      ["title", "t"],
    ],
  );
});

test("a list of choices calls back with the index", () => {
  const chosen = [];
  const field = page.chooser("Metric", ["BLEU", "chrF"], 1, (choice) => chosen.push(choice));
  const [select] = field.all("select");
  assert.deepEqual(
    field.all("option").map((option) => option.getAttribute("selected")),
    [null, ""],
  );
  select.value = "0";
  select.dispatch("change");
  assert.deepEqual(chosen, [0]);
});

test("CSV quotes cells, and formulas get an apostrophe", () => {
  assert.equal(
    page.toCsv([
      ["a,b", 'say "x"'],
      [1.5, -2],
    ]),
    '"a,b","say ""x"""\n1.5,-2\n',
  );
  assert.equal(page.toCsv([["=1+1", "+cmd", "@x", "-y", "＝z", " =q"]]), "'=1+1,'+cmd,'@x,'-y,'＝z,' =q\n");
  assert.equal(page.toCsv([["-1.5e-3", "+2"]]), "-1.5e-3,+2\n");
  assert.equal(page.toCsv([["a\nb"]]), "a⟨U+000A⟩b\n");
});

test("LaTeX and Markdown escape what has a meaning there", () => {
  const rows = [
    [{ text: "system" }, { text: "BLEU" }],
    [{ text: "a_b & 50%" }, { text: "−1.5²", best: true }],
    [{ text: "[x]" }, { text: "p|q" }],
  ];
  const latex = page.toLatex(rows, (column) => column > 0);
  assert.equal(
    latex,
    "\\begin{tabular}{lr}\n\\toprule\nsystem & BLEU \\\\\n\\midrule\na\\_b \\& 50\\% & \\textbf{$-$1.5$^{2}$} " +
      "\\\\\n{[}x] & p\\textbar{}q \\\\\n\\bottomrule\n\\end{tabular}\n",
  );
  const code = page.toLatex([[{ text: "s" }], [{ text: "bleu:tok=13a,c=1|v=1", code: true }]], () => false);
  assert.match(code, /p\{0\.7\\linewidth\}/);
  assert.match(code, /\\texttt\{bleu:tok=13a,\\allowbreak\{\}c=1\\textbar\{\}\\allowbreak\{\}v=1\}/);
  const markdown = page.toMarkdown(rows, (column) => column > 0);
  assert.equal(markdown, "| system | BLEU |\n| --- | ---: |\n| a\\_b \\& 50% | **−1.5²** |\n| \\[x\\] | p\\|q |\n");
  assert.equal(page.raised(120), "¹²⁰");
});

test("tables sort by text and by number, and rows without a number come last", () => {
  const table = page.dataTable({
    caption: "scores",
    header: ["system", "score"],
    rows: [
      ["b10", "−2.0"],
      ["b9", "7.5"],
      ["all", { text: "–", value: NaN }],
      ["a", "3.0"],
    ],
  });
  const names = () => table.all("tbody")[0].children.map((row) => row.children[0].textContent);
  const [byName, byScore] = table
    .all("th")
    .slice(0, 2)
    .map((head) => head.all("button")[0]);
  assert.deepEqual(names(), ["b10", "b9", "all", "a"]);
  byScore.dispatch("click");
  assert.deepEqual(names(), ["b9", "a", "b10", "all"]);
  byScore.dispatch("click");
  assert.deepEqual(names(), ["b10", "a", "b9", "all"]);
  byName.dispatch("click");
  assert.deepEqual(names(), ["a", "all", "b9", "b10"]);
  assert.equal(table.all("th")[0].getAttribute("aria-sort"), "ascending");
  assert.equal(table.all("th")[1].getAttribute("aria-sort"), null);
});

test("a row marked as last stays last", () => {
  const rows = [
    ["n", "9"],
    ["BLEU", "0.5"],
    ["chrF", "0.7"],
  ].map(page.agreementRow);
  const shown = plain(rows).map(([name]) => name.isLast);
  assert.deepEqual(shown, [true, false, false]);
  const table = page.dataTable({ caption: "c", header: ["m", "r"], rows });
  table.all("th")[1].all("button")[0].dispatch("click");
  assert.deepEqual(
    table.all("tbody")[0].children.map((row) => row.children[0].textContent),
    ["chrF", "BLEU", "n"],
  );
  assert.equal(page.agreementRow(["x", "-0.5 (p 0.1-0.2)"])[1].text, "−0.5 (p 0.1-0.2)");
});

test("names are cut where they are the same", () => {
  assert.deepEqual(plain(page.sharedEnds(["newstest2017.A.de-en", "newstest2017.B.de-en"])), [13, 3]);
  assert.deepEqual(plain(page.sharedEnds(["only one"])), [0, 0]);
  assert.deepEqual(plain(page.shortNames(["short", "names"], 100)), ["short", "names"]);
  const short = plain(page.shortNames(["newstest2017.online-A.de-en", "newstest2017.uedin.de-en"], 90));
  assert.ok(
    short.every((name) => name.startsWith("…") && name.length <= 12),
    short.join(),
  );
  assert.notEqual(short[0], short[1]);
  assert.equal(page.breakable("a.b-c_d").filter((part) => part !== null && typeof part === "object").length, 3);
});

test("marked words are found at their places", () => {
  const marks = {
    runs: [["Ab|a2|1", "Cc3"]],
    kinds: [
      { code: "a", name: "other" },
      { code: "b", name: "same" },
      { code: "c", name: "near" },
    ],
  };
  assert.deepEqual(plain(page.marksOf(marks, 0, 0)), { hypothesis: "Ab", reference: "a2", number: 1 });
  assert.deepEqual(plain(page.marksOf(marks, 0, 1)), { hypothesis: "Cc3", reference: "", number: 0 });
  assert.equal(page.marksOf(marks, 1, 0), null);
  const some = { segments: [4, 7], runs: [["a", "b"]] };
  page.indexMarks({ marks: [some] });
  assert.equal(page.marksOf(some, 0, 7).hypothesis, "b");
  assert.equal(page.marksOf(some, 0, 5), null);
  const line = page.markedLine("abcdefgh", "Cb2a", marks.kinds);
  assert.equal(line.textContent, "abcdefgh");
  assert.deepEqual(
    line.all("mark").map((mark) => [mark.getAttribute("class"), mark.textContent]),
    [
      ["mark-b", "cd"],
      ["mark-a", "f"],
    ],
  );
  // Digits to the base 26: BA is 26.
  assert.equal(page.markedLine("x".repeat(26) + "yz", "BAb", marks.kinds).all("mark")[0].textContent, "y");
});

test("searches are words, or patterns between slashes", () => {
  assert.ok(page.searchPattern("A.B").test("xa.by") && !page.searchPattern("a.b").test("axb"));
  assert.ok(page.searchPattern("/^a.b$/").test("AxB"));
  assert.equal(page.searchPattern("  "), null);
  assert.equal(page.searchPattern("/(/"), null);
  assert.ok(page.searchPattern("über").test("ÜBER"));
});

test("who wins, and the probabilities for the systems that are compared", () => {
  assert.deepEqual([1, -1, 0, NaN].map(page.winner), ["A", "B", "=", "–"]);
  assert.deepEqual(plain(page.chances([7000, 1], { a: 0, b: 1 })), [0.7, 0.0001]);
  assert.deepEqual(plain(page.chances([7000, 1], { a: 1, b: 0 })), [0.3, 0.9999]);
  assert.equal(page.chances([7000], { a: 0, b: 2 }), null);
  const metrics = [{ signature: "bleu:tok=13a|v=1" }, { signature: "chrf|v=1" }];
  assert.equal(page.comparedMetric({ metrics, comparison: { signature: "chrf|v=2" } }), 1);
  assert.equal(page.comparedMetric({ metrics }), -1);
});

/** A report of two systems, three segments and two metrics. */
function report() {
  const score = (value, rank) => ({ score: value, rank });
  return {
    command: "score",
    version: "0",
    segments: 3,
    systems: ["first", "second"],
    metrics: [
      {
        title: "BLEU",
        decimals: 1,
        lower_is_better: false,
        signature: "bleu|v",
        scores: [score(30.25, 1), score(20, 2)],
      },
      { title: "TER", decimals: 1, lower_is_better: true, signature: "ter|v", scores: [score(50, 1), score(null, 2)] },
    ],
    segment_scores: [
      [
        [100, 300, 500],
        [200, 300, null],
      ],
      [
        [10, 20, 30],
        [30, 20, 10],
      ],
    ],
    texts: {
      references: [["a red house"], ["two dogs", "a pair of dogs"], ["the end"]],
      outputs: [
        ["a red home", "two dogs", "end"],
        ["red house", "two dogs", "the end"],
      ],
    },
    groupings: [{ name: "document", values: ["x", "y"], of: [0, 1, 1] }],
    marks: [],
    test: { text: "paired bootstrap" },
  };
}

test("segments are filtered, searched and sorted", async () => {
  const browser = new page.SegmentBrowser(report());
  const listed = () => plain(browser.rows.rows);
  await browser.update();
  // By the size of the difference; the segment without a score is last.
  assert.deepEqual(listed(), [0, 1, 2]);
  browser.sorted = { key: "a", direction: -1 };
  await browser.update();
  assert.deepEqual(listed(), [2, 1, 0]);
  browser.state.side = 2;
  await browser.update();
  assert.deepEqual(listed(), [0]);
  browser.state.metric = 1;
  await browser.update();
  assert.deepEqual(listed(), [2], "lower is better");
  Object.assign(browser.state, { side: 0, metric: 0, search: "pair of" });
  await browser.update();
  assert.deepEqual(listed(), [1]);
  assert.equal(browser.count.textContent, "1 of 3 segments.");
  Object.assign(browser.state, { search: "/[/" });
  await browser.update();
  assert.match(browser.count.textContent, /not a regular expression/);
  Object.assign(browser.state, { search: "", values: [1] });
  await browser.update();
  assert.deepEqual(listed().sort(), [1, 2]);
  browser.state.side = 4;
  await browser.update();
  assert.deepEqual(listed(), [1], "equal texts");
});

test("the copied list of segments has scores and texts", async () => {
  const browser = new page.SegmentBrowser(report());
  await browser.update();
  const rows = plain(browser.table()).map((row) => row.map(({ text }) => text));
  assert.deepEqual(rows[0], [
    "segment",
    "BLEU of first",
    "BLEU of second",
    "reference 1",
    "reference 2",
    "first",
    "second",
  ]);
  assert.deepEqual(rows[2], ["2", "30.0", "30.0", "two dogs", "a pair of dogs", "two dogs", "two dogs"]);
  assert.equal(rows[3][2], "–");
});

test("a report that is drawn again keeps what was chosen", async () => {
  const before = new page.SegmentBrowser(report());
  before.state.search = "dogs";
  before.state.isMetricChosen = true;
  before.state.metric = 1;
  await before.update();
  const after = new page.SegmentBrowser(report(), before);
  assert.deepEqual([after.state.search, after.state.metric], ["dogs", 1]);
  assert.equal(after.opened, 1);
});

test("only rows in view are drawn", () => {
  const opened = [];
  const rows = new page.SegmentRows({ open: (segment) => opened.push(segment), sort() {} });
  const columns = [{ title: "#", key: "segment", kind: "number", cell: (segment) => String(segment) }];
  rows.show(
    Array.from({ length: 10_000 }, (_, i) => i),
    columns,
    { key: "segment", direction: 1 },
    0,
  );
  assert.ok(rows.body.children.length < 60);
  rows.view.clientHeight = 340;
  rows.key({ key: "End", preventDefault() {}, target: { closest: () => null } });
  assert.deepEqual(opened, [9999]);
  assert.ok(rows.body.children.some((row) => row.getAttribute("data-row") === "9999"));
});

test("references are grouped by words, or by characters where there are hardly any spaces", () => {
  const grouping = (...lines) => plain(page.lengthGrouping({ texts: { references: lines.map((line) => [line]) } }));
  assert.deepEqual(grouping("a b", "a b c d e f", "x"), {
    name: "length of the reference in words",
    values: ["1–5", "6–10"],
    of: [0, 1, 0],
    ordered: true,
  });
  assert.equal(grouping("部长昨天在议会介绍了关于森林的新法律").name, "length of the reference in characters");
  assert.deepEqual(grouping(Array(70).fill("w").join(" ")).values, ["61+"]);
});

test("copies of scores have all digits", () => {
  const data = report();
  assert.equal(page.toCsv(page.systemCsv(data, [1, 0])), "system,BLEU,TER\nsecond,20,\nfirst,30.25,50\n");
  const full = { score: 1.23456, rank: 1, group: 2, low: 1, high: 2, wins: 0.5 };
  assert.equal(page.scoreText({ decimals: 2 }, full), "1.23² [1.00, 2.00]");
  const csv = page.rankingCsv({ title: "BLEU", scores: [full] }, [["first", full]]);
  assert.equal(page.toCsv(csv), "system,rank,group,BLEU,low,high,wins\nfirst,1,2,1.23456,1,2,0.5\n");
});

test("pairs say which system is better, whatever the direction of the metric", () => {
  const pairs = [
    { metric: 0, a: 0, b: 1, delta: 10.25, p: 0.001, significant: true, differing: 100 },
    { metric: 1, a: 0, b: 1, delta: -5, p: 0.04, adjusted: 0.08, significant: true, differing: 3 },
  ];
  const data = { ...report(), pairs };
  const cells = (metric) =>
    page
      .pairTable(data, metric)
      .all("td")
      .map((cell) => cell.textContent);
  assert.deepEqual(cells(0), ["", "▲ +10.3p 0.0010", "▼ −10.3p 0.0010", ""]);
  assert.deepEqual(cells(1), ["", "▲ −5.0p 0.0800 †", "▼ +5.0p 0.0800 †", ""]);
  assert.equal(page.toCsv(page.pairCsv(data, 1)), "system,other,difference,p,adjusted p\nfirst,second,-5,0.04,0.08\n");
});

test("charts draw a mark for each score that there is", () => {
  const data = report();
  const plot = page.intervalPlot(data.metrics[1], data.systems);
  assert.equal(plot.all("circle").length, 1);
  assert.equal(plot.getAttribute("role"), "img");
  const lines = page.linePlot("BLEU", "length", ["1", "2"], data.systems, [
    [1, 2],
    [null, 3],
  ]);
  assert.equal(lines.all("circle").length, 3);
  const points = [
    { x: 1, y: 1, tip: "a", name: "a" },
    { x: 2, y: 2, tip: "b", name: "b" },
    { x: 3, y: 3, tip: "c", name: "c" },
  ];
  const scatter = page.scatterPlot("t", "x", "y", points);
  assert.equal(scatter.all("circle").length, 3);
  assert.ok(scatter.all("line").some((line) => line.getAttribute("class") === "fit"));
});
