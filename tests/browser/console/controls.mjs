// Every control of the bar, the page and the plan view, each by what it brings about.
import assert from "node:assert/strict";
import { differing, open, runTo, serve, standing, test, text, until } from "./kit.mjs";

const spread = (page) => page.evaluate(() => {
  const all = window.__map.positions();
  return Math.max(...all.map(({ x }) => x)) - Math.min(...all.map(({ x }) => x));
});
/** Waits until the view of the map stands still, for it glides. */
export async function still(page) {
  await page.evaluate(async () => { window.camera ??= (await import("/js/map/scene.js")).scene.camera; });
  await until(page, "the view stands still", () => !window.camera.moves);
}
const picture = async (page) => (await page.locator(".map-view").screenshot()).toString("base64");

export async function controls() {
  const server = await serve();
  const page = await open(server, { permissions: ["clipboard-read", "clipboard-write"] });

  await test("controls: scenario, seed, strategy and Load choose what runs", async () => {
    await page.selectOption('select[name="scenario"]', "minefield");
    await page.fill('input[name="seed"]', "7");
    await page.click('.bar-load button[type="submit"]');
    await until(page, "minefield with seed 7", () => store.run?.scenario === "minefield" && store.run.seed === "7");
    assert.equal(await page.title(), "minefield 7 · Muster");
    const first = await page.evaluate(() => store.run.id);
    assert.deepEqual(await page.locator('select[name="strategy"] option').allTextContents(), ["affective", "greedy", "random"]);
    await page.selectOption('select[name="strategy"]', "greedy");
    await page.fill('input[name="seed"]', "1");
    await page.press('input[name="seed"]', "Enter");
    await until(page, "greedy with seed 1", (first) => store.run.id !== first && store.run.strategy === "greedy" && store.run.seed === "1", first);
    // A seed that is none is not sent.
    await page.fill('input[name="seed"]', "-3");
    await page.click('.bar-load button[type="submit"]');
    assert.equal(await page.locator('input[name="seed"]').evaluate((field) => field.matches(":invalid")), true);
    assert.equal(await page.evaluate(() => store.run.seed), "1");
    await page.fill('input[name="seed"]', "1");
    await page.selectOption('select[name="strategy"]', "affective");
    await page.click('.bar-load button[type="submit"]');
    await until(page, "affective", () => store.run.strategy === "affective");
  });

  await test("controls: Start, Pause, Step, Stop and Init move the clock", async () => {
    await standing(page, "ready");
    assert.equal(await page.getAttribute("#init", "aria-disabled"), "true");
    assert.equal(await page.getAttribute("#stop", "aria-disabled"), "true");
    await page.click("#start");
    await standing(page, "running");
    assert.equal(await text(page, "#start"), "Pause");
    assert.equal(await page.getAttribute("#step", "aria-disabled"), "true");
    await until(page, "time goes on", () => store.frame?.at > 0.3);
    await page.click("#start");
    await standing(page, "paused");
    const held = await page.evaluate(() => store.standing.live_s);
    await page.waitForTimeout(400);
    assert.equal(await page.evaluate(() => store.standing.live_s), held, "a paused clock goes on");
    await page.click("#step");
    await until(page, "one step further", (held) => store.frame.at > held, held);
    assert.equal(await page.evaluate(() => store.standing.is), "paused");
    const lines = await page.evaluate(() => store.lines.length);
    await page.keyboard.press(">");
    await until(page, "the next line of the log", (lines) => store.lines.length > lines, lines);
    await page.click("#stop");
    await standing(page, "stopped");
    assert.equal(await page.getAttribute("#start", "aria-disabled"), "true");
    assert.match(await page.getAttribute("#start", "title"), /Init/);
    await page.click("#start", { force: true });
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => store.standing.is), "stopped");
    const before = await page.evaluate(() => store.run.id);
    await page.click("#init");
    await until(page, "another run, at its beginning", (before) => store.run.id !== before && store.standing?.is === "ready" && store.standing.live_s === 0, before);
    assert.equal(await text(page, "#time"), "0:00.0");
  });

  await test("controls: the slider and the presets set the speed", async () => {
    for (const [label, speed] of [["0.1×", 0.1], ["1×", 1], ["10×", 10], ["100×", 100], ["max", 0]]) {
      const preset = page.locator(".bar-speed .segments button", { hasText: new RegExp(`^${label.replace(".", "\\.")}$`) });
      await preset.click();
      await until(page, `speed ${speed}`, (speed) => store.standing.speed === speed, speed);
      await until(page, `${label} is pressed`, (label) => document.querySelector('.bar-speed [aria-pressed="true"]')?.textContent === label, label);
    }
    const slider = page.locator('.bar-speed input[type="range"]');
    await slider.fill("40");
    await until(page, "the slider's middle is 10", () => store.standing.speed === 10);
    await slider.press("ArrowRight");
    await until(page, "a little faster than 10", () => store.standing.speed > 10 && store.standing.speed < 12);
    assert.match(await slider.getAttribute("aria-valuetext"), /^11 times$/);
    await slider.fill("20");
    await until(page, "speed 1", () => store.standing.speed === 1);
    assert.equal(await text(page, ".speed-text"), "1×");
  });

  await test("controls: the numbers of the bar are those of the run, and open their panels", async () => {
    await runTo(page, 200);
    await until(page, "the moment of 200 s", () => store.moment?.at >= 199);
    const counts = await page.evaluate(() => store.moment.counts);
    assert.ok(counts.sent > 0);
    for (const name of ["sent", "lost", "open", "done", "duplicated", "gone"])
      assert.equal(await text(page, `[data-count="${name}"] b`), String(counts[name]), name);
    assert.equal(await text(page, "#time"), "3:20.0");
    assert.equal(await text(page, "#standing"), "paused");
    assert.match(await text(page, "#link"), /connected.*1 viewer/);
    await page.click("#tab-inspector");
    await page.click('[data-counts="tasks"]');
    assert.equal(await page.isVisible("#tasks"), true);
  });

  await test("controls: layout, there and back, kept for this kind of scenario", async () => {
    await page.click(".bar-tools button[aria-label^=Layout]");
    await until(page, "four corners", () => document.body.dataset.layout === "cars" && store.layout === "cars");
    assert.equal(await page.locator("#map").evaluate((map) => map.classList.contains("cars")), true);
    await page.keyboard.press("l");
    await until(page, "the map in the middle", () => document.body.dataset.layout === "map");
    await page.keyboard.press("l");
    await page.reload();
    await page.waitForSelector('body[data-layout="cars"]');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.waitForSelector('html[data-ready=true]', { state: "attached" });
    await page.evaluate(async () => Object.assign(window, { store: (await import("/js/store.js")).store, link: await import("/js/link.js") }));
    await until(page, "as the scenario has it", () => document.body.dataset.layout === "map");
  });

  await test("controls: theme goes from the system's to light, dark and back", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const button = page.locator(".bar-tools button[aria-label^=Theme]");
    const light = await ground();
    await button.click();
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
    assert.equal(await ground(), light);
    const lightMap = await picture(page);
    await button.click();
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    assert.notEqual(await ground(), light);
    assert.notEqual(await picture(page), lightMap, "the map is drawn in dark, too");
    await page.reload();
    await page.waitForSelector('html[data-theme="dark"]');
    await page.waitForSelector("html[data-ready=true]", { state: "attached" });
    await page.evaluate(async () => Object.assign(window, { store: (await import("/js/store.js")).store, link: await import("/js/link.js") }));
    await page.click(".bar-tools button[aria-label^=Theme]");
    assert.equal(await page.getAttribute("html", "data-theme"), null);
    assert.equal(await ground(), light);
  });

  await test("controls: Share copies a link to run, time and selection", async () => {
    await until(page, "robots are there", () => window.__map?.positions().length === 13);
    await page.locator(".card-head", { hasText: "idle-3" }).click();
    await page.click("#share");
    await page.getByText("The link is copied").waitFor();
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
    assert.deepEqual(Object.fromEntries(link.searchParams), { scenario: "minefield", seed: "1", strategy: "affective", t: "200", robots: "idle-3", layout: "map" });
    await page.keyboard.press("Escape");
  });

  await test("controls: help lists the keys; Escape, Close and a click beside it close it", async () => {
    await page.click(".bar-tools button[aria-label=Keys]");
    const dialog = page.locator("dialog#help");
    await dialog.waitFor();
    for (const word of ["start or pause", "zoom in", "filter the log", "next robot", "show the keys", "switch the layout"])
      assert.ok((await dialog.textContent()).includes(word), `${word} is not among the keys`);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await dialog.waitFor();
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: "hidden" });
    // Single characters can be switched off.
    await page.keyboard.press("?");
    await dialog.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("l");
    assert.equal(await page.evaluate(() => store.layout), "map");
    await page.keyboard.press("?");
    await dialog.getByRole("checkbox").check();
    await page.keyboard.press("Escape");
  });

  await test("controls: zoom buttons, wheel and drag move the view; Show everything brings all back", async () => {
    await page.getByRole("button", { name: "Show everything (0)" }).click();
    await still(page);
    const all = await spread(page);
    await page.getByRole("button", { name: "Zoom in (+)" }).click();
    await still(page);
    const near = await spread(page);
    assert.ok(Math.abs(near / all - 1.4) < 0.02, `${near / all} times as large`);
    await page.getByRole("button", { name: "Zoom out (-)" }).click();
    await still(page);
    assert.ok(Math.abs((await spread(page)) / all - 1) < 0.02);
    const box = await page.locator(".map-view").boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -300);
    await still(page);
    assert.ok((await spread(page)) > all * 1.3, "the wheel zooms");
    const before = await page.evaluate(() => window.__map.positions()[0]);
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 40, { steps: 4 });
    await page.mouse.up();
    await still(page);
    const after = await page.evaluate(() => window.__map.positions()[0]);
    assert.ok(Math.abs(after.x - before.x - 100) < 6 && Math.abs(after.y - before.y - 40) < 6, JSON.stringify({ before, after }));
    await page.getByRole("button", { name: "Show everything (0)" }).click();
    await still(page);
    assert.ok(Math.abs((await spread(page)) / all - 1) < 0.02);
  });

  await test("controls: on the map a click selects, Shift adds, a double click follows, Escape clears; a plate says what is there", async () => {
    const at = async (robot) => (await page.evaluate(() => window.__map.positions()))[robot];
    const one = await at(4), other = await at(7);
    await page.mouse.move(one.x, one.y);
    await page.waitForSelector(".map-tip:not([hidden])");
    assert.match(await text(page, ".map-tip"), /^idle-/);
    await page.mouse.click(one.x, one.y);
    await until(page, "robot 4 is selected", () => [...store.selection.robots].join() === "4");
    await page.locator('.card[data-robot="4"].selected.open').waitFor();
    await page.keyboard.down("Shift");
    await page.mouse.click(other.x, other.y);
    await page.keyboard.up("Shift");
    await until(page, "and robot 7", () => [...store.selection.robots].join() === "4,7");
    const third = await at(9);
    await page.mouse.dblclick(third.x, third.y);
    await until(page, "robot 9 is followed", () => store.follow === 9);
    assert.match(await text(page, ".map-follow"), /Following/);
    await page.click(".map-follow");
    await until(page, "no longer", () => store.follow === null);
    await page.keyboard.press("0");
    await still(page);
    const box = await page.locator(".map-view").boundingBox();
    const far = await page.evaluate(({ x, y, width, height }) => {
      const away = (spot) => Math.min(...window.__map.positions().map((one) => Math.hypot(one.x - spot.x, one.y - spot.y)));
      const spots = Array.from({ length: 100 }, (_, at) => ({ x: x + width * (0.25 + (at % 10) * 0.05), y: y + height * (0.25 + Math.floor(at / 10) * 0.05) }));
      return spots.reduce((one, other) => (away(other) > away(one) ? other : one));
    }, box);
    await page.mouse.click(far.x, far.y);
    await until(page, "a click on nothing clears", () => store.selection.robots.size === 0 && store.selection.task === null);
    // A task is chosen in the same way, and its story opens.
    const task = await page.evaluate(async () => {
      const { scene } = await import("/js/map/scene.js");
      const { left, top } = document.querySelector(".map-view").getBoundingClientRect();
      const { x, y } = store.moment.tasks.find((one) => one.task === 0);
      return { x: left + scene.camera.toScreenX(x), y: top + scene.camera.toScreenY(y) };
    });
    await page.mouse.click(task.x, task.y);
    // The robot that asks for help stands on it; once selected it gives way.
    if (await page.evaluate(() => store.selection.robots.size > 0)) await page.mouse.click(task.x, task.y);
    await until(page, "task 0 is selected", () => store.selection.task === 0);
    assert.equal(await page.isVisible("#inspector"), true);
    await page.keyboard.press("Escape");
    await until(page, "Escape clears", () => store.selection.task === null && store.selection.robots.size === 0);
  });

  await test("controls: separators change the size of panes, by keyboard and by hand, and go back", async () => {
    const width = () => page.locator("#robots").evaluate((pane) => pane.getBoundingClientRect().width);
    const usual = await width();
    await page.focus("#sep-robots");
    await page.keyboard.press("ArrowRight");
    assert.equal(await width(), usual + 16);
    const box = await page.locator("#sep-robots").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 50, box.y + 200, { steps: 3 });
    await page.mouse.up();
    assert.ok(Math.abs((await width()) - usual - 66) <= 2);
    await page.focus("#sep-robots");
    await page.keyboard.press("Enter");
    assert.equal(await width(), usual);
  });

  await page.context().close();
  await server.stop();
}

/** The legend and each layer, in a scenario that has something in it. */
export async function layers() {
  const server = await serve(["minefield"]);
  const page = await open(server, { reducedMotion: "reduce", viewport: { width: 1100, height: 700 } });

  const check = async (layer) => {
    const box = page.locator(".map-layers label", { hasText: layer }).locator("input");
    // By keyboard: a pointer over the panel would change the picture, and so would a ring that comes with the first key.
    await box.focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Space");
    await page.waitForTimeout(400);
    const shown = await picture(page);
    await page.keyboard.press("Space");
    assert.equal(await box.isChecked(), false);
    await page.waitForTimeout(120);
    const hidden = await picture(page);
    await page.keyboard.press("Space");
    // Names come in slowly.
    await page.waitForTimeout(500);
    const [gone, back] = [await differing(shown, hidden), await differing(shown, await picture(page))];
    assert.ok(gone >= 20, `without ${layer} only ${gone} pixels are others`);
    assert.ok(back <= gone / 10, `with ${layer} again ${back} pixels are others than at first, of ${gone}`);
  };

  await test("controls: the legend opens and closes, and each layer can be taken off the map and put back", async () => {
    // Just after an award: an arc is there, and the one that was chosen has a way to go.
    await runTo(page, 37.63);
    await page.click(".map-legend-open");
    await page.waitForSelector("#map-legend:not([hidden])");
    assert.equal(await page.getAttribute(".map-legend-open", "aria-expanded"), "true");
    await page.keyboard.press("0");
    await page.locator(".card-head").first().click();
    for (const layer of ["Names", "Tasks", "Messages", "Ways", "Ranges", "Grid"]) await check(layer);
    await page.locator(".map-layers input").first().focus();
    await page.keyboard.press("Escape");
    await page.waitForSelector("#map-legend", { state: "hidden" });
  });

  await test("controls: layers of trails, obstacles and guests", async () => {
    await page.evaluate(() => link.send({ do: "load", scenario: "reception", seed: "1" }));
    await until(page, "the reception", () => store.run.scenario === "reception" && store.standing?.is === "ready");
    await page.keyboard.press("l");
    await page.waitForSelector('body[data-layout="map"]');
    if (!(await page.isVisible("#map-legend"))) await page.click(".map-legend-open");
    await check("Obstacles");
    await check("Guests");
    await page.evaluate(() => link.send({ do: "speed", speed: 100 }));
    await page.click("#start");
    await until(page, "60 s", () => store.frame?.at > 60);
    await page.click("#start");
    await standing(page, "paused");
    await page.waitForTimeout(300);
    await check("Trails");
  });

  await page.context().close();
  await server.stop();
}
