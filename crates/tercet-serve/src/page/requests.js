// Requests to the server that the page comes from.

/** The token, if the server demands one; it lasts as long as the page. */
let token = null;

/** Sends a request; asks for the token if the server demands one. Errors have the server's message. */
async function send(path, { body, method, signal } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  // Relative to the page, which may be below a path of a proxy.
  const response = await fetch(`.${path}`, {
    method: method ?? (text === undefined ? "GET" : "POST"),
    headers,
    body: text,
    signal,
  }).catch(unreachable);
  if (response.status === 401 && askForToken()) return send(path, { body, method, signal });
  if (response.ok) return response;
  throw new Error(await reason(response));
}

function unreachable(error) {
  throw error.name === "AbortError" ? error : new Error("The server does not answer: is tercet serve still running?");
}

function askForToken() {
  token = window.prompt("The token of this server:");
  return Boolean(token);
}

async function reason(response) {
  try {
    const { error } = await response.json();
    return error.message;
  } catch {
    return `The server answered with status ${response.status}.`;
  }
}

/** The lines of a stream, each an object, as they come. */
async function* linesOfStream(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const [first, ...others] = value.split("\n");
    waiting.push(first);
    for (const next of others) {
      yield JSON.parse(waiting.join(""));
      waiting = [next];
    }
  }
}
