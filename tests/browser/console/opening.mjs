// Opening the page: how fast, how much; with nothing, with something broken, with a link; with less motion.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kit, muster, open, runTo, serve, standing, test, text, until } from "./kit.mjs";

const READY_MS = 1000, MOST_BYTES = 300_000;

export async function opening() {
  await test("opening: usable within 1 s, at most 300 kB before plots are opened", async () => {
    const server = await serve(["minefield"]);
    const times = [];
    let bytes = 0;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const page = await open(server, {
        ready: false,
        init: () => new MutationObserver((_, observer) => {
          if (document.documentElement.dataset.ready !== "true") return;
          window.readyAfter = performance.now();
          observer.disconnect();
        }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready"] }),
      });
      times.push(await until(page, "it is ready", () => window.readyAfter));
      // Usable: a button does what it says.
      assert.equal(await page.getAttribute("#start", "aria-disabled"), "false");
      await page.context().close();
    }
    // Counted by the browser, headers and all, in a visit of its own.
    const page = await kit.browser.newPage({ viewport: { width: 1440, height: 900 } });
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    const loads = new Map();
    client.on("Network.responseReceived", ({ requestId, response }) => loads.set(requestId, { url: response.url, bytes: 0 }));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => { bytes += encodedDataLength; if (loads.has(requestId)) loads.get(requestId).bytes = encodedDataLength; });
    await page.goto(server.url);
    await page.waitForSelector("html[data-ready=true]", { state: "attached" });
    await page.waitForTimeout(500);
    const best = Math.min(...times);
    const largest = [...loads.values()].sort((one, other) => other.bytes - one.bytes).slice(0, 3).map((load) => `${new URL(load.url).pathname} ${load.bytes}`);
    console.log(`        ready after ${times.map((ms) => Math.round(ms)).join(", ")} ms; ${loads.size} files, ${bytes} bytes, the largest ${largest.join(", ")}`);
    assert.ok(![...loads.values()].some((load) => /plotly/.test(load.url)), "the plotting script is loaded already");
    assert.ok(bytes > 10_000 && bytes <= MOST_BYTES, `${bytes} bytes are transferred`);
    assert.ok(best < READY_MS, `ready after ${best} ms at best`);
    await page.context().close();
    await server.stop();
  });

  await test("empty: the page says what to do, and a click loads a scenario", async () => {
    const server = await serve();
    const page = await open(server);
    await page.getByRole("heading", { name: "No robots yet: pick a scenario" }).waitFor();
    const listed = JSON.parse(await muster("scenarios", "--json"));
    assert.equal(await page.locator("#empty .scenario").count(), (listed.scenarios ?? listed).length);
    assert.equal(await text(page, "#standing"), "empty");
    for (const id of ["init", "start", "step", "stop", "live"]) assert.equal(await page.getAttribute(`#${id}`, "aria-disabled"), "true", id);
    assert.match(await text(page, "#log"), /Nothing is loaded/);
    for (const [tab, said] of [["tasks", /Nothing is loaded/], ["inspector", /Nothing is selected/], ["costs", /Nothing is loaded/]]) {
      await page.click(`#tab-${tab}`);
      await until(page, `${tab} says so`, ([tab, said]) => new RegExp(said).test(document.getElementById(tab).textContent), [tab, said.source]);
    }
    await page.click('[data-scenario="boxes"]');
    await until(page, "boxes", () => store.run?.scenario === "boxes");
    assert.equal(await page.isVisible("#empty"), false);
    assert.equal(await page.isVisible(".map-view"), true);
    await page.context().close();
    await server.stop();
  });

  await test("errors: a file that is broken while the server runs is told with its line; what ran goes on", async () => {
    const file = join(kit.scratch, "own.toml");
    const good = await muster("scenarios", "show", "nearest-answers");
    await writeFile(file, good);
    const server = await serve(["own.toml"]);
    const page = await open(server);
    await standing(page, "ready");
    const before = await page.evaluate(() => store.run.id);
    const broken = good.replace(/^speed_mps = .*$/m, 'speed_mps = "fast"');
    assert.notEqual(broken, good);
    await writeFile(file, broken);
    const line = broken.split("\n").findIndex((line) => line.includes('"fast"')) + 1;
    await page.click('.bar-load button[type="submit"]');
    const problem = page.locator("#notices [role=alert] .notice");
    await problem.waitFor();
    const said = await problem.innerText();
    assert.match(said, /Problem/);
    assert.ok(new RegExp(`\\b${line}\\b`).test(said), `line ${line} is not told: ${said}`);
    assert.ok(/speed_mps/.test(said), said);
    assert.equal(await page.evaluate(() => store.run.id), before, "what was loaded is gone");
    assert.equal(await page.getAttribute('.bar-load button[type="submit"]', "aria-disabled"), "false");
    await problem.getByRole("button", { name: "Dismiss" }).click();
    await problem.waitFor({ state: "hidden" });
    await page.click("#start");
    await standing(page, "running");
    await page.click("#start");
    // Mended, it loads again.
    await writeFile(file, good);
    await page.click('.bar-load button[type="submit"]');
    await until(page, "it is loaded anew", (before) => store.run.id !== before && store.standing?.is === "ready", before);
    assert.equal(await readFile(file, "utf8"), good);
    await page.context().close();
    await server.stop();
  });

  await test("share: a link opened elsewhere brings back scenario, seed, time and selection", async () => {
    const server = await serve(["minefield", "--seed", "3"]);
    const page = await open(server, { permissions: ["clipboard-read", "clipboard-write"] });
    await runTo(page, 250);
    await page.click("#tab-tasks");
    await page.click('#tasks tr[data-task="0"] th button');
    await page.click(".card-head >> nth=4");
    await page.evaluate(() => link.lookAt(120));
    await until(page, "120 s", () => store.frame?.at === 120);
    await page.keyboard.press("y");
    await page.getByText("The link is copied").waitFor();
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    await page.context().close();
    const restored = (page) => until(page, "scenario, seed, time and selection", () =>
      store.run?.scenario === "minefield" && store.run.seed === "3" && store.frame?.at === 120 && [...store.selection.robots].join() === "4" && store.selection.task === 0);
    // The same server, which is further on: this viewer looks back.
    const again = await open(server, { path: shared });
    await restored(again);
    assert.equal(await text(again, "#time"), "2:00.0");
    assert.equal(new URL(again.url()).search, "", "the address is clean: a reload would not do it again");
    await again.context().close();
    await server.stop();
    // A server that shows nothing: it loads the run and goes there.
    const fresh = await serve();
    const anew = await open(fresh, { path: new URL(shared).search });
    await restored(anew);
    await anew.context().close();
    // A server that shows something else: it asks first.
    const busy = await serve(["boxes"]);
    const asked = await open(busy, { path: new URL(shared).search });
    await asked.getByText(/This link is to minefield, seed 3/).waitFor();
    assert.equal(await asked.evaluate(() => store.run.scenario), "boxes");
    await asked.getByRole("button", { name: "Load it (for everybody)" }).click();
    await restored(asked);
    await asked.context().close();
    await Promise.all([fresh.stop(), busy.stop()]);
  });

  await test("reduced motion: nothing glides, waves stand still, all is there", async () => {
    const server = await serve(["minefield"]);
    const page = await open(server, { reducedMotion: "reduce" });
    await runTo(page, 37.63);
    await until(page, "messages", () => store.moment?.arcs?.length > 0);
    await page.getByRole("button", { name: "Zoom in (+)" }).click();
    assert.equal(await page.evaluate(async () => (await import("/js/map/scene.js")).scene.camera.moves), false, "the view glides");
    const lasting = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running" && one.effect.getComputedTiming().duration > 10).length);
    assert.equal(lasting, 0, "something is animated");
    const transitions = await page.evaluate(() => [...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).transitionDuration.split(",").some((time) => parseFloat(time) > 0.01)).map((one) => one.className || one.tagName));
    assert.deepEqual(transitions, [], "something moves slowly");
    // Paused, the arcs stay, and nothing is drawn again and again.
    const drawn = await page.evaluate(() => window.__draw.n);
    await page.waitForTimeout(600);
    assert.ok((await page.evaluate(() => window.__draw.n)) - drawn < 5, "a map that stands still is drawn all the time");
    await page.context().close();
    await server.stop();
  });
}

export async function replay() {
  await test("replay: the file's name, scrubbing, the own view played, the log", async () => {
    await muster("run", "minefield", "--record", "run.mcap", "--log", "recorded.log");
    const server = await serve(["run.mcap"], { command: "replay" });
    const page = await open(server);
    await until(page, "the recording, at its beginning", () => store.run?.source === "replay" && store.frame?.at === 0);
    assert.equal(await text(page, ".timeline-file"), "run.mcap");
    assert.equal(await text(page, "#standing"), "recording");
    const recorded = (await readFile(join(kit.scratch, "recorded.log"), "utf8")).split("\n").slice(0, -1);
    await until(page, "all lines", (count) => store.lines.length === count, recorded.length);
    assert.deepEqual(await page.evaluate(() => store.lines.map((line) => line.raw)), recorded);
    const end = await page.evaluate(() => store.run.replay.end_s);
    const track = await page.locator(".track").boundingBox();
    await page.mouse.click(track.x + track.width / 4, track.y + track.height / 2);
    await until(page, "a quarter", (end) => Math.abs(store.frame.at - end / 4) < end / 50, end);
    const where = await page.evaluate(() => [...store.frame.x].join());
    await page.click(".bar-speed .segments button:text-is('100×')");
    await page.click("#start");
    await until(page, "the own view goes on", (end) => store.view.at > end / 4 + 30, end);
    assert.equal(await text(page, "#start"), "Pause");
    await page.click("#start");
    assert.notEqual(await page.evaluate(() => [...store.frame.x].join()), where, "robots have moved");
    await page.click("#live");
    await until(page, "the end", (end) => store.view.at === end, end);
    assert.equal(await page.getAttribute("#stop", "aria-disabled"), "true");
    // Awards are explained as in a live run.
    await page.click("#tab-tasks");
    await page.click('#tasks tr[data-task="0"] th button');
    await until(page, "why", () => /^Why idle-1\?/.test(document.querySelector("#inspector h3")?.textContent ?? ""));
    await page.click("#init");
    await until(page, "the beginning", () => store.view.at === 0 && store.frame?.at === 0);
    await page.context().close();
    await server.stop();
  });
}
