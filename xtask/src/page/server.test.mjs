// The scripts of the server's page.

import assert from "node:assert/strict";
import test from "node:test";
import { load, plain } from "./load.mjs";

const page = load("server", [
  "roleOf",
  "linesOf",
  "textOf",
  "TextEntries",
  "percentage",
  "send",
  "linesOfStream",
  "LiveVerdict",
  "PastRuns",
  "EvaluateForm",
]);

const file = (name, content) => {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content);
  return { name, arrayBuffer: async () => bytes.buffer };
};

/** Answers requests of the page; returns the list of those that were sent. */
function answering(answer) {
  const sent = [];
  page.window.fetch = async (address, options) => {
    assert.match(address, /^\.\//, "addresses are relative to the page, which may be below a path");
    const path = address.slice(1);
    sent.push({ path, ...options });
    return answer(path, options);
  };
  return sent;
}

const json = (value, status = 200) => ({ ok: status < 300, status, json: async () => value });

test("names of files tell roles", () => {
  for (const name of ["ref.de", "newstest.reference.txt", "refs2", "my-ref0.txt"])
    assert.equal(page.roleOf(name), "reference", name);
  for (const name of ["src.en", "a.source.txt"]) assert.equal(page.roleOf(name), "source", name);
  for (const name of ["preference.txt", "system.A", "resource.txt"]) assert.equal(page.roleOf(name), "system", name);
});

test("lines end as for the command", () => {
  assert.deepEqual(plain(page.linesOf("a\r\nb\n\nc\n")), ["a", "b", "", "c"]);
  assert.deepEqual(plain(page.linesOf("a\u2028b")), ["a\u2028b"]);
  assert.deepEqual(plain(page.linesOf("")), []);
});

test("files that are not plain lines are refused with a reason", async () => {
  assert.equal(await page.textOf(file("a", "\ufeffé\n")), "\ufeffé\n");
  const refused = [
    [[0x1f, 0x8b, 8], /is compressed/],
    [[0x28, 0xb5, 0x2f, 0xfd], /is compressed/],
    [[0x61, 0], /zero bytes/],
    [[0xe9, 0x61], /not text in UTF-8/],
    ["<refset setid='x'>", /SGML or XML/],
    ["a\rb\n", /carriage returns/],
  ];
  for (const [content, reason] of refused) {
    await assert.rejects(
      page.textOf(file("x.txt", content)),
      (error) => reason.test(error.message) && error.message.startsWith("x.txt "),
    );
  }
});

test("texts of the form become a request", async () => {
  const texts = new page.TextEntries();
  assert.throws(() => texts.request(), /no reference/);
  const problems = await texts.addFiles([
    file("ref.txt", "r1\nr2\n"),
    file("ref2.txt", "s1\ns2\n"),
    file("A.txt", "a1\na2"),
    file("bad.gz", [0x1f, 0x8b]),
    file("src.txt", "q1\nq2\n"),
  ]);
  assert.equal(problems.length, 1);
  assert.deepEqual(plain(texts.request()), {
    references: [
      ["r1", "s1"],
      ["r2", "s2"],
    ],
    systems: [{ name: "A.txt", hypotheses: ["a1", "a2"] }],
    sources: ["q1", "q2"],
  });
  texts.add("reference", "more", "x");
  assert.throws(() => texts.request(), /One reference has 2 lines, another 1 line/);
});

test("empty texts make room for files, and can be removed", async () => {
  const texts = new page.TextEntries();
  assert.equal(texts.all.length, 3);
  await texts.addFiles([file("ref.txt", "r\n")]);
  assert.equal(texts.all.length, 3);
  texts.all[0].node.all("button").at(-1).dispatch("click");
  assert.equal(texts.all.length, 2);
});

test("probabilities are never 0% or 100%", () => {
  assert.deepEqual([0.001, 0.5, 0.994, 0.999].map(page.percentage), ["less than 1%", "50%", "99%", "more than 99%"]);
});

test("requests have the token, and errors the server's message", async () => {
  let sent = answering(() => json({ fine: true }));
  await page.send("/v1/score", { body: { a: 1 } });
  assert.deepEqual([sent[0].method, sent[0].body], ["POST", '{"a":1}']);
  sent = answering(() => json({ error: { message: "no references" } }, 400));
  await assert.rejects(page.send("/v1/score", { body: {} }), { message: "no references" });
  answering(() => ({ ok: false, status: 502, json: async () => JSON.parse("<html>") }));
  await assert.rejects(page.send("/v1/metrics"), { message: "The server answered with status 502." });
  page.window.fetch = async () => {
    throw new TypeError("failed");
  };
  await assert.rejects(page.send("/v1/metrics"), /does not answer/);
  page.window.window = { prompt: () => "secret" };
  sent = answering((_, { headers }) => json({}, headers.Authorization === "Bearer secret" ? 200 : 401));
  await page.send("/v1/metrics");
  assert.equal(sent.length, 2);
  assert.equal(sent[1].method, "GET");
});

test("lines of a stream come whole, however they are cut", async () => {
  const text = '{"event":"stage","name":"é中"}\n{"event":"report","data":{"a":[1,2]}}\n{"event":"kept","run":7}\n';
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 7, 1000]) {
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
        controller.close();
      },
    });
    const found = [];
    for await (const line of page.linesOfStream({ body })) found.push(line);
    assert.deepEqual(plain(found), [
      { event: "stage", name: "é中" },
      { event: "report", data: { a: [1, 2] } },
      { event: "kept", run: 7 },
    ]);
  }
});

test("the verdict names the better translation and its probability", async () => {
  const verdict = new page.LiveVerdict();
  const answers = {
    "/v1/compare": {
      metric: "siamese",
      signature: "siamese|v",
      remarks: ["A note.", "By BLEU, A."],
      segments: [{ p_a: 0.2, better: "b" }],
    },
    "/v1/score": ["A", "B"].flatMap((system) =>
      ["sentBLEU", "chrF", "TER"].map((title) => ({ system, title, score: 0.5 })),
    ),
  };
  const sent = answering((path) => json(answers[path]));
  await verdict.judge();
  assert.equal(sent.length, 0, "nothing is asked before there are three texts");
  verdict.fields.forEach((field, i) => (field.value = `text ${i}`));
  await verdict.judge();
  assert.equal(JSON.parse(sent[0].body).language, "en");
  assert.match(
    verdict.place.textContent,
    /^B is better: by siamese, people would prefer it with a probability of 80%\.A note\./,
  );
  assert.match(verdict.place.textContent, /TER ↓/);
  assert.doesNotMatch(verdict.place.textContent, /By BLEU/);
});

test("the stream of a run fills the report, the warnings and the progress", async () => {
  const shown = [];
  answering(() =>
    json([
      { name: "bleu", summary: "s" },
      { name: "ruse", needs: "model" },
    ]),
  );
  const form = new page.EvaluateForm((data, run) => shown.push([data, run]));
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(
    form.metrics.all("input").map((box) => box.value),
    ["bleu"],
    "metrics that need a model are not offered",
  );
  const events = [
    { event: "stage", name: "scoring", total: 10 },
    { event: "progress", done: 4 },
    { event: "warning", text: "look here" },
    { event: "report", data: { a: 1, texts: { t: 1 } } },
    { event: "report", data: { b: 2 } },
    { event: "kept", run: 3 },
  ];
  answering(() => ({
    ok: true,
    body: new Blob([events.map((event) => JSON.stringify(event) + "\n").join("")]).stream(),
  }));
  await form.follow({}, undefined);
  assert.equal(form.status.textContent, "scoring: 4 of 10");
  assert.equal(form.hints.textContent, "look here");
  assert.deepEqual(plain(shown), [
    [{ a: 1, texts: { t: 1 } }, null],
    [{ a: 1, b: 2, texts: { t: 1 } }, null],
    [{ a: 1, b: 2, texts: { t: 1 } }, 3],
  ]);
  answering(() => ({ ok: true, body: new Blob(['{"event":"error","message":"too long"}\n']).stream() }));
  await assert.rejects(form.follow({}, undefined), { message: "too long" });
});

test("past runs are listed, opened and forgotten", async () => {
  const shown = [];
  const runs = new page.PastRuns((data, id) => shown.push([data, id]));
  const sent = answering((path) =>
    json(
      path === "/v1/runs"
        ? [{ id: 2, time: 0, systems: ["A"], segments: 1, metrics: [{ title: "BLEU" }] }]
        : { data: 1 },
    ),
  );
  await runs.refresh();
  assert.equal(runs.status.textContent, "1 run.");
  assert.match(runs.list.textContent, /Open run 2.*A · 1 segment · BLEU/);
  await runs.open(2);
  assert.deepEqual(plain(shown), [[{ data: 1 }, 2]]);
  page.window.window.confirm = () => false;
  await runs.forget();
  page.window.window.confirm = () => true;
  await runs.forget();
  assert.deepEqual(
    sent.map(({ method, path }) => `${method} ${path}`),
    ["GET /v1/runs", "GET /v1/runs/2", "DELETE /v1/runs", "GET /v1/runs"],
  );
});
