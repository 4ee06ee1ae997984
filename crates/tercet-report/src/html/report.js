// The report as a whole.

/**
 * Draws a report in place of what `root` contains. Called again with more data, it draws more, and the reader stays at
 * the same place, with the same segments. The first
 * sections are there at once, the others follow one by one, so that a reader need not wait for them.
 */
function renderReport(root, data) {
  root.style.minHeight = `${root.offsetHeight}px`;
  lastBrowser?.noteTyping();
  const main = element("main", { id: "main" });
  const links = element("nav", { "aria-label": "Sections" });
  const page = element(
    "div",
    {},
    pageHead(data, links),
    remarkList(data.remarks ?? []),
    main,
    element("div", { id: "announcements", class: "unseen", role: "status" }),
  );
  root.replaceChildren(page);
  showTips(page);
  const waiting = sections(data);
  const drawNext = () => {
    for (const part of [waiting.shift()()].flat().filter(Boolean)) {
      main.append(part);
      links.append(element("a", { href: `#${part.id}` }, part.querySelector("h2").textContent));
      if (location.hash === `#${part.id}`) part.scrollIntoView();
    }
  };
  for (let i = 0; i < FIRST_SECTIONS; i++) drawNext();
  const rest = () => {
    if (!main.isConnected) return;
    if (!waiting.length) {
      root.style.minHeight = "";
      return;
    }
    drawNext();
    setTimeout(rest);
  };
  requestAnimationFrame(() => setTimeout(rest));
}

/** What readers should know before they believe the figures. */
function remarkList(remarks) {
  return remarks.length
    ? element(
        "ul",
        { class: "remarks", "aria-label": "Warnings" },
        remarks.map((remark) => element("li", {}, remark)),
      )
    : null;
}

/** How many functions of `sections` are called before the first paint. */
const FIRST_SECTIONS = 2;

/** Functions that make the sections of a report, in their order; some have nothing to show. */
function sections(data) {
  const scored = data.metrics?.length > 0;
  const bySegment = scored && hasSegmentScores(data);
  const when = (condition, make) => () => (condition ? make(data) : null);
  return [
    () => verdictSection(data),
    when(scored, systemsSection),
    () => pairsSection(data),
    () => agreementSection(data),
    () => spansSection(data),
    () => challengeSection(data),
    when(bySegment, segmentsSection),
    when(bySegment, distributionSection),
    when(bySegment, breakdownSection),
    when(scored, scatterSection),
    () => paperSection(data),
    () => signaturesSection(data),
  ];
}

function pageHead(data, links) {
  const facts = [
    data.systems ? plural(data.systems.length, "system") : null,
    data.metrics ? plural(data.metrics.length, "metric") : null,
    data.segments ? plural(data.segments, "segment") : null,
  ].filter(Boolean);
  const origins = (data.origins ?? []).map(([what, file]) => `${what}: ${file}`);
  const titles = {
    score: "Evaluation of translations",
    compare: "Comparison of two translations",
    rank: "Ranking of systems",
    correlate: "Metrics and human judgements",
    spans: "Errors marked by metrics and by people",
    challenge: "Metrics on a challenge set",
  };
  return element(
    "header",
    { class: "page-head" },
    element(
      "div",
      { class: "page-title" },
      element("h1", {}, titles[data.command] ?? "Report"),
      [facts, origins].map((line) => (line.length ? element("p", {}, line.join(" · ")) : null)),
    ),
    themeSwitch(),
    links,
  );
}

const THEMES = ["auto", "light", "dark"];

/** Colours as the system has them, light or dark. */
function themeSwitch() {
  const root = document.documentElement;
  const chosen = Math.max(0, THEMES.indexOf(storedTheme()));
  const choose = (theme) => {
    root.dataset.theme = THEMES[theme];
    try {
      localStorage.setItem("tercet-theme", THEMES[theme]);
    } catch {
      // Pages of files may have no storage; the choice then lasts as long as the page.
    }
  };
  root.dataset.theme = THEMES[chosen];
  return chooser("Colours", ["as the system", "light", "dark"], chosen, choose);
}

function storedTheme() {
  try {
    return localStorage.getItem("tercet-theme") ?? "auto";
  } catch {
    return "auto";
  }
}
