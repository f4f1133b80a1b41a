// A whole visit without a mouse: what is done by hand elsewhere is done by keys here, and one always sees where one is.
import assert from "node:assert/strict";
import { open, serve, standing, test, text, until } from "./kit.mjs";

/** Where the focus is, and whether one sees it there. */
const focus = (page) => page.evaluate(() => {
  const at = document.activeElement;
  const name = `${at.tagName.toLowerCase()}${at.id ? `#${at.id}` : ""}${at.className && typeof at.className === "string" ? `.${at.className.split(" ")[0]}` : ""} ${(at.getAttribute("aria-label") ?? at.textContent).trim().slice(0, 30)}`;
  if (at === document.body) return { name, lost: true };
  const style = getComputedStyle(at), after = getComputedStyle(at, "::after"), box = at.getBoundingClientRect();
  const reach = at.querySelector(":scope > .reach");
  const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || (after.content !== "none" && parseFloat(after.borderTopWidth) >= 2)
    || (reach && parseFloat(getComputedStyle(reach).strokeWidth) >= 2);
  // Part of it is in the window and nothing lies over that part.
  const spots = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)));
  const seen = box.width > 0 && box.height > 0 && spots.some((spot) => spot && (at.contains(spot) || spot.contains(at)));
  return { name, ring, seen, visible: at.matches(":focus-visible") };
});

export async function keyboard() {
  const server = await serve();
  const page = await open(server);
  // A mouse that is used would be heard.
  await page.evaluate(() => { window.touched = 0; for (const kind of ["pointerdown", "mousedown", "wheel"]) addEventListener(kind, () => { window.touched += 1; }, true); });

  const press = async (...keys) => {
    for (const key of keys.length ? keys : ["Tab"]) {
      if (keys.length) await page.keyboard.press(key);
      const at = await focus(page);
      assert.ok(!at.lost, `after ${key} the focus is nowhere`);
      assert.ok(at.visible && at.ring && at.seen, `after ${key} one does not see that ${at.name} has the focus: ${JSON.stringify(at)}`);
    }
  };
  const isAt = (selector) => page.evaluate((selector) => Boolean(document.activeElement.closest(selector)), selector);
  const tabTo = async (selector, key = "Tab") => {
    for (let times = 0; times < 80; times += 1) {
      if (await isAt(selector)) return;
      await page.keyboard.press(key);
      // After the last stop the browser itself has its turn, then the first comes again.
      if ((await focus(page)).lost) await page.keyboard.press(key);
      await press();
    }
    assert.fail(`${selector} is not reached by ${key}`);
  };

  await test("keyboard: the first stop skips to the plan view; a scenario is chosen and loaded", async () => {
    await press("Tab");
    assert.equal(await isAt("a.skip"), true);
    await tabTo('[data-scenario="minefield"]');
    await page.keyboard.press("Enter");
    await until(page, "minefield is loaded", () => store.run?.scenario === "minefield" && store.standing?.is === "ready");
    assert.ok(!(await focus(page)).lost, "once it is loaded the focus is nowhere");
  });

  await test("keyboard: start, pause, step", async () => {
    await page.evaluate(() => link.send({ do: "speed", speed: 100 }));
    await page.keyboard.press("Space");
    await until(page, "it goes on by itself", () => store.standing.is === "running" || store.frame?.at > 0);
    await until(page, "an award", () => store.lines.some((line) => line.kind === "award"));
    if (await page.evaluate(() => store.standing.is === "running")) await page.keyboard.press("Space");
    await standing(page, "paused");
    const before = await page.evaluate(() => store.frame.at);
    await page.keyboard.press(".");
    await until(page, "a step further", (before) => store.frame.at > before, before);
    // The same by the buttons.
    await tabTo("#start");
    await press("Enter");
    await standing(page, "running");
    await press("Enter");
    await standing(page, "paused");
    await press("Tab");
    assert.equal(await isAt("#step"), true);
    const again = await page.evaluate(() => store.frame.at);
    await press("Space");
    await until(page, "another step", (again) => store.frame.at > again, again);
  });

  await test("keyboard: a robot is selected, in the list and on the map", async () => {
    await tabTo(".card-head");
    await press("ArrowDown", "ArrowDown", "ArrowDown", "Enter");
    await until(page, "idle-1 is selected", () => [...store.selection.robots].join() === "3");
    await page.keyboard.press("Escape");
    await tabTo(".map-view");
    await press("Shift+ArrowUp");
    await until(page, "the cursor says where it is", () => document.querySelector(".map-spoken").textContent !== "");
    await press("Enter");
    await until(page, "a robot is selected", () => store.selection.robots.size === 1);
    const before = await page.evaluate(() => [...store.selection.robots][0]);
    await press("n");
    await until(page, "the next one", (before) => [...store.selection.robots][0] === (before + 1) % 13, before);
    await press("+", "-", "ArrowLeft", "0", "f");
    await until(page, "it is followed", () => store.follow !== null);
    await press("f", "Escape", "Escape");
    await until(page, "nothing is selected", () => store.selection.robots.size === 0);
  });

  await test("keyboard: why a robot was chosen is found out", async () => {
    await press("1");
    assert.equal(await isAt("#tab-tasks"), true);
    await tabTo("#tasks tbody th button");
    const row = await page.evaluate(() => document.activeElement.textContent);
    assert.match(row, /^uav stop/);
    // The one that was awarded.
    const wanted = await page.evaluate(() => store.run.tasks[store.lines.find((line) => line.kind === "award").task].name);
    await press("Home");
    for (let times = 0; times < 5 && (await page.evaluate(() => document.activeElement.textContent)) !== wanted; times += 1) await press("ArrowDown");
    await page.keyboard.press("Enter");
    await until(page, "the inspector tells", () => /^Why idle-\d+\?/.test(document.querySelector("#inspector h3")?.textContent ?? ""));
    const at = await focus(page);
    assert.ok(!at.lost && at.seen, `once the inspector is open the focus is ${at.name}, which is not seen`);
    assert.match(await page.locator("#inspector .sentence").innerText(), /chooses idle-\d+ for uav stop \d: ETA [\d.]+ s/);
    assert.ok((await page.locator("#inspector .offers tbody tr").count()) >= 1);
    assert.match(await page.locator("#inspector .silent").innerText(), /SHAME 0\.\d\d/);
    // All of it can be scrolled to, and the messages can be gone through.
    await press("2");
    await tabTo("#inspector .message");
    await press("ArrowDown", "End", "Home");
    await press("Enter");
    await until(page, "the time of a message", () => !store.view.live);
  });

  await test("keyboard: scrub back, return to live, read the log", async () => {
    await press("e");
    await until(page, "live", () => store.view.live);
    await tabTo(".track");
    await press("PageDown", "ArrowLeft");
    const { edge, at } = await page.evaluate(() => ({ edge: store.lines.at(-1).at, at: store.view.at, live: store.view.live }));
    assert.ok(at <= edge, `${at}`);
    assert.equal(await page.evaluate(() => store.view.live), false);
    await press("Home");
    assert.equal(await page.evaluate(() => store.view.at), 0);
    await press("End");
    await until(page, "live", () => store.view.live);
    await press(",");
    await until(page, "the line before", () => !store.view.live);
    await press("e");
    await press("/");
    await page.keyboard.type("chooses");
    await until(page, "filtered", () => / of /.test(document.querySelector(".log-count").textContent));
    await press("ArrowDown", "ArrowDown", "Enter");
    await until(page, "the moment of that line", () => !store.view.live && store.selection.task !== null);
    assert.match(await text(page, ".log-detail"), /chooses/);
    await press("e");
    // Every stop of the page is seen, all the way round.
    const stops = new Set();
    await tabTo("a.skip");
    for (let times = 0; times < 150 && (times === 0 || !(await isAt("a.skip"))); times += 1) {
      await page.keyboard.press("Tab");
      if ((await focus(page)).lost) await page.keyboard.press("Tab");
      await press();
      stops.add((await focus(page)).name);
    }
    assert.ok(stops.size > 30, `${stops.size} stops: ${[...stops]}`);
    assert.equal(await page.evaluate(() => window.touched), 0, "the mouse was used");
  });

  await page.context().close();
  await server.stop();
}
