// `tercet serve` as a child process.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Runs a function with the address of a server on a free port. */
export async function withServer(tercet, action) {
  const { TERCET_TOKEN: _, ...env } = process.env;
  const child = spawn(tercet, ["serve", "--listen", "127.0.0.1:0"], { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((found, failed) => {
      child.once("error", failed);
      child.once("exit", () => failed(new Error("the server has ended")));
      createInterface(child.stdout).once("line", (line) => found(line.trim()));
    });
    return await action(address);
  } finally {
    child.kill("SIGKILL");
  }
}

/** A figure of `/metrics`. */
export async function figure(address, name) {
  const text = await (await fetch(new URL("/metrics", address))).text();
  return Number(text.split("\n").find((line) => line.startsWith(`${name} `)).slice(name.length));
}
