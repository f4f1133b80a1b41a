// What all tests of the console share: servers, pages, waiting, counting.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const LONGEST_MS = Number(process.env.LONGEST_MS ?? 30_000);

/** The binary under test, the browser, a folder for what runs write, and the count of tests. */
export const kit = { muster: null, browser: null, scratch: null, passed: 0, failed: 0 };

const servers = new Set();
const complaints = [];
const beforeEach = { n: 0 };

/** Starts the browser. There is one for all tests; every test has a context of its own. */
export async function begin(muster) {
  kit.muster = muster;
  kit.scratch = await mkdtemp(join(tmpdir(), "muster-console-"));
  kit.browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

/** Ends everything that was started here. */
export async function end() {
  await kit.browser?.close();
  await Promise.all([...servers].map((server) => server.stop()));
  await rm(kit.scratch, { recursive: true, force: true });
}

/**
 * Runs a test and counts it. It fails, too, if a page complained meanwhile: an error or a warning on its console, something
 * that the Content-Security-Policy refused, a request to another host. `expected` are complaints that belong to the test.
 */
export async function test(name, body, { expected = null } = {}) {
  beforeEach.n = complaints.length;
  const began = performance.now();
  try {
    await body();
    const heard = complaints.slice(beforeEach.n).filter((complaint) => !expected?.test(complaint));
    assert.deepEqual(heard, [], "pages complained");
    kit.passed += 1;
    console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    kit.failed += 1;
    const heard = complaints.slice(beforeEach.n).filter((complaint) => !String(error.message).includes(complaint.slice(0, 40)));
    console.log(`FAILED  ${name}\n${String(error.stack ?? error).replace(/^/gm, "        ")}`);
    if (heard.length) console.log(`        complaints: ${heard.slice(0, 5).join("\n        ")}`);
  }
}

/** Starts a server of the console, or of a recording with `command: "replay"`, and waits for its address. */
export async function serve(args = [], { command = "console", port = 0 } = {}) {
  const child = spawn(kit.muster, [command, ...args, "--port", String(port), "--no-open"], { cwd: kit.scratch, stdio: ["ignore", "pipe", "pipe"] });
  const server = { pid: child.pid, said: "", url: null, port: null, stop };
  const gone = new Promise((done) => child.once("exit", done));
  servers.add(server);
  await new Promise((done, refuse) => {
    const hear = (chunk) => {
      server.said += chunk;
      const found = /http:\/\/127\.0\.0\.1:(\d+)\S*/.exec(server.said);
      if (!found) return;
      [server.url, server.port] = [found[0], Number(found[1])];
      done();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", refuse);
    child.once("exit", (code) => refuse(new Error(`muster ${command} ${args.join(" ")} ended with ${code}: ${server.said}`)));
  });
  return server;

  /** Ends this server; `signal` SIGKILL is a crash. */
  async function stop(signal = "SIGTERM") {
    servers.delete(server);
    child.kill(signal);
    await gone;
  }
}

/** Runs `muster` to its end. */
export async function muster(...args) {
  const child = spawn(kit.muster, args, { cwd: kit.scratch, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => { said += chunk; });
  const code = await new Promise((done) => child.once("close", done));
  assert.equal(code, 0, `muster ${args.join(" ")}: ${said}`);
  return said;
}

/** A page in a context of its own, at a server, or at an address below it. */
export async function open(server, { path = "", ready = true, init = null, ...options } = {}) {
  const context = await kit.browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: "light", ...options });
  context.setDefaultTimeout(LONGEST_MS);
  const page = await context.newPage();
  const own = new URL(server.url).host;
  page.on("console", (message) => {
    // What a software renderer says about reading back what it drew, for a screenshot.
    if (/GL Driver Message|GPU stall/.test(message.text())) return;
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`error: ${error.stack ?? error}`));
  const watch = (url) => { if (!/^(data|blob|about):/.test(url) && new URL(url).host !== own) complaints.push(`request to another host: ${url}`); };
  page.on("request", (request) => watch(request.url()));
  page.on("websocket", (socket) => watch(socket.url()));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`CSP refused ${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
  });
  if (init) await page.addInitScript(init);
  await page.goto(new URL(path, server.url).href);
  if (ready) await settled(page);
  return page;
}

/** Waits until the page knows what the server shows, and makes its store and its connection known to tests. */
export async function settled(page) {
  await page.waitForSelector("html[data-ready=true]", { state: "attached" });
  await page.evaluate(async () => {
    const [{ store }, link] = await Promise.all([import("/js/store.js"), import("/js/link.js")]);
    Object.assign(window, { store, link });
  });
}

/** Waits until `look`, which runs in the page, finds something; gives that back. `what` is said if it never does. */
export async function until(page, what, look, argument) {
  const late = performance.now() + LONGEST_MS;
  for (;;) {
    const found = await page.evaluate(look, argument);
    if (found) return found;
    if (performance.now() > late) assert.fail(`it never came about: ${what}`);
    await new Promise((done) => setTimeout(done, 40));
  }
}

/** Waits until the standing is that. */
export const standing = (page, is) => until(page, `the run is ${is}`, (is) => store.standing?.is === is, is);

/** Brings the run to a time and waits until it stands there, as opening a shared link does. */
export async function runTo(page, at) {
  await page.evaluate((at) => link.send({ do: "goto", at }), at);
  await until(page, `the run stands at ${at} s`, (at) => store.standing.is !== "running" && (store.standing.live_s >= at - 1e-6 || store.standing.is === "over"), at);
}

/** The log as the page has it, and as the server gives it out. */
export const logInPage = (page) => page.evaluate(() => store.lines.map((line) => line.raw));
export async function logOfServer(server) {
  const text = await (await fetch(new URL("/run.log", server.url))).text();
  return text.split("\n").slice(0, -1);
}

/** Fails if a line is missing, doubled or out of order. */
export async function noGap(page) {
  const numbers = await page.evaluate(() => store.lines.map((line) => line.n));
  assert.deepEqual(numbers, numbers.map((_, at) => at), "the lines of the log are 0, 1, 2 and so on");
}

/** What a button, a field or another part says. */
export const text = async (page, selector) => (await page.locator(selector).first().textContent()).trim();

// Pictures are read in a blank page of their own, kept for all of them.
let reader = null;
async function read(look, argument) {
  reader ??= await kit.browser.newPage();
  return reader.evaluate(look, argument);
}

/** The colours of single points of the window, from a screenshot. */
export async function coloursAt(page, points) {
  const picture = (await page.screenshot()).toString("base64");
  return read(async ([picture, points]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return points.map(({ x, y }) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
  }, [picture, points]);
}

/** How many pixels of two pictures (base64) differ, by more than what smoothing does. */
export function differing(one, other) {
  return read(async (pictures) => {
    const [one, other] = await Promise.all(pictures.map(async (picture) => {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    }));
    if (one.length !== other.length) return Infinity;
    let count = 0;
    for (let at = 0; at < one.length; at += 4) if ([0, 1, 2].some((part) => Math.abs(one[at + part] - other[at + part]) > 40)) count += 1;
    return count;
  }, [one, other]);
}
