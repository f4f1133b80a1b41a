// What has to be seen of a reception: checks of section 5 of CARS by their numbers.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { coloursAt, kit, logInPage, logOfServer, muster, noGap, open, runTo, serve, standing, test, text, until } from "./kit.mjs";

const near = (one, other, slack, what) => assert.ok(Math.abs(one - other) <= slack, `${what}: ${one} is not ${other}`);
const lines = async (name) => (await readFile(join(kit.scratch, name), "utf8")).split("\n").slice(0, -1);

/** Starts at a speed, waits for a time, pauses, steps to a time that is the same for all. */
async function play(page, speed, at) {
  await page.evaluate((speed) => link.send({ do: "speed", speed }), speed);
  await page.click("#start");
  await until(page, `${at} s are reached`, (at) => store.frame?.at >= at || store.standing.is === "over", at);
  // As fast as it goes it may be over before a hand is at the button.
  await page.evaluate(() => link.send({ do: "pause" }));
  await until(page, "it stands", () => ["paused", "over"].includes(store.standing.is));
}

export async function cars() {
  await muster("run", "reception", "--log", "headless.log");
  const headless = await lines("headless.log");
  const server = await serve(["reception", "--log", "console.log"]);
  const page = await open(server);
  await standing(page, "ready");

  await test("check 21: panels upper left, field upper right, log lower left, controls lower right", async () => {
    await page.waitForSelector('body[data-layout="cars"]');
    const boxes = await page.evaluate(() => Object.fromEntries(["robots", "map", "log", "bar"].map((id) => [id, document.getElementById(id).getBoundingClientRect().toJSON()])));
    const { robots, map, log, bar } = boxes;
    const told = JSON.stringify(boxes);
    assert.ok(robots.right <= map.left + 1 && log.right <= bar.left + 1, `left and right: ${told}`);
    assert.ok(robots.bottom <= log.top + 1 && map.bottom <= bar.top + 1, `above and below: ${told}`);
    for (const box of Object.values(boxes)) assert.ok(box.left >= 0 && box.top >= 0 && box.right <= 1441 && box.bottom <= 901 && box.width > 200 && box.height > 100, `in the window: ${told}`);
    // Buttons as of a player of discs are among the controls.
    for (const id of ["init", "start", "step", "stop"]) {
      const button = await page.locator(`#${id}`).boundingBox();
      assert.ok(button.x >= bar.left && button.y >= bar.top && button.x + button.width <= bar.right + 1 && button.y + button.height <= bar.bottom + 1, `${id} is outside the controls`);
    }
  });

  await test("check 17: all robots, fixed and moving obstacles are at their places", async () => {
    const seen = await page.evaluate(async () => {
      const { scene } = await import("/js/map/scene.js");
      const { left, top } = document.querySelector(".map-view").getBoundingClientRect();
      const { frame, run } = store;
      return {
        obstacles: run.obstacles, robots: run.robots.map(({ name }) => name), guests: frame.guests,
        places: Array.from({ length: frame.count }, (_, body) => [frame.x[body], frame.y[body]]),
        onScreen: window.__map.positions(), expected: Array.from({ length: frame.robots }, (_, body) => [left + scene.camera.toScreenX(frame.x[body]), top + scene.camera.toScreenY(frame.y[body])]),
        map: document.querySelector(".map-view").getBoundingClientRect().toJSON(),
      };
    });
    // As the scenario has them.
    assert.deepEqual(seen.robots, ["Butler", "Leguin"]);
    assert.deepEqual(seen.obstacles, [{ x: 25, y: 3, size: 2 }]);
    assert.equal(seen.guests, 100);
    near(seen.places[0][0], 25, 0.01, "Butler x"); near(seen.places[0][1], 25, 0.01, "Butler y");
    near(seen.places[1][0], 25, 0.01, "Leguin x"); near(seen.places[1][1], 6, 0.01, "Leguin y");
    for (const [x, y] of seen.places) assert.ok(x >= 1 - 0.01 && x <= 49.01 && y >= 1 - 0.01 && y <= 49.01, `a body at ${x}, ${y} is outside the field`);
    seen.onScreen.forEach(({ x, y }, robot) => { near(x, seen.expected[robot][0], 1, `robot ${robot} across`); near(y, seen.expected[robot][1], 1, `robot ${robot} down`); });
    // North is up, east is right, and all of the field is in sight.
    assert.ok(seen.onScreen[0].y < seen.onScreen[1].y);
    for (const { x, y } of seen.onScreen) assert.ok(x > seen.map.left && x < seen.map.right && y > seen.map.top && y < seen.map.bottom);
    // No two bodies overlap (touching is allowed).
    for (let one = 0; one < seen.places.length; one += 1)
      for (let other = 0; other < one; other += 1) {
        const [dx, dy] = [0, 1].map((axis) => Math.abs(seen.places[one][axis] - seen.places[other][axis]));
        assert.ok(dx >= 2 - 0.01 || dy >= 2 - 0.01, `bodies ${other} and ${one} overlap`);
      }
  });

  await test("check 18: black square, green circles, red circles with the first two letters", async () => {
    const spots = await page.evaluate(async () => {
      const { scene: { camera } } = await import("/js/map/scene.js");
      const { left, top } = document.querySelector(".map-view").getBoundingClientRect();
      const spot = (x, y) => ({ x: left + camera.toScreenX(x), y: top + camera.toScreenY(y) });
      const { frame, run } = store;
      const [obstacle] = run.obstacles;
      return {
        obstacle: [[0, 0], [-0.8, -0.8], [0.8, 0.8], [-0.8, 0.8], [0.8, -0.8]].map(([dx, dy]) => spot(obstacle.x + dx, obstacle.y + dy)),
        guests: Array.from({ length: 10 }, (_, n) => frame.robots + 10 * n).map((body) => spot(frame.x[body], frame.y[body])),
        corners: Array.from({ length: 10 }, (_, n) => frame.robots + 10 * n).map((body) => spot(frame.x[body] + 0.93, frame.y[body] + 0.93)),
        // Above the letters, and at the corner, where a circle leaves the ground free.
        robots: [0, 1].map((body) => spot(frame.x[body], frame.y[body] + 0.75)),
        letters: [0, 1].map((body) => spot(frame.x[body], frame.y[body])),
        scale: camera.scale,
      };
    });
    await page.mouse.move(2, 2);
    const isBlack = ([r, g, b]) => r < 60 && g < 60 && b < 60, isGreen = ([r, g, b]) => g > r + 40 && g > b + 20, isRed = ([r, g, b]) => r > g + 80 && r > b + 80;
    const each = async (points, is, what) => (await coloursAt(page, points)).forEach((colour, at) => assert.ok(is(colour), `${what} ${at}: rgb ${colour}`));
    await each(spots.obstacle, isBlack, "the food table is a black square, point");
    await each(spots.guests, isGreen, "a guest is green");
    const corners = await coloursAt(page, spots.corners);
    assert.ok(corners.filter((colour) => !isGreen(colour)).length >= 8, "guests are circles: their corners are free");
    await each(spots.robots, isRed, "a robot is red");
    // The letters: what the page writes there, and that something light is written over the red.
    const written = await page.evaluate(async () => {
      const heard = [], { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (...all) { heard.push(all); return fillText.apply(this, all); };
      const { outdate } = await import("/js/map/scene.js");
      outdate();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      CanvasRenderingContext2D.prototype.fillText = fillText;
      const { left, top } = document.querySelector(".map-view").getBoundingClientRect();
      return heard.map(([word, x, y]) => ({ word, x: left + x, y: top + y }));
    });
    for (const [at, word] of ["Bu", "Le"].entries()) {
      const one = written.find((each) => each.word === word);
      assert.ok(one, `${word} is not written: ${written.map((each) => each.word)}`);
      near(one.x, spots.letters[at].x, 2, `${word} across`);
      near(one.y, spots.letters[at].y, 2, `${word} down`);
      const size = 8;
      const patch = Array.from({ length: (2 * size) ** 2 }, (_, n) => ({ x: one.x - size + (n % (2 * size)), y: one.y - size + Math.floor(n / (2 * size)) }));
      const colours = await coloursAt(page, patch);
      assert.ok(colours.some(([r, g, b]) => r > 200 && g > 200 && b > 200), `nothing light is written at ${word}`);
      assert.ok(colours.some(isRed), `${word} is not on red`);
    }
  });

  await test("checks 20 and 22: panels and the log change as it goes on", async () => {
    const panels = () => page.locator(".card .panel").allInnerTexts();
    const before = await panels();
    assert.equal(before.length, 2);
    const log = page.locator(".log-list");
    const shown = await log.locator(".log-row:not([hidden])").count();
    await page.evaluate(() => link.send({ do: "speed", speed: 100 }));
    await page.click("#start");
    // What is new is in sight at once, at the end of the list.
    for (const at of [20, 60, 140]) {
      await until(page, `lines of ${at} s`, (at) => store.lines.at(-1)?.at >= at || store.frame.at > at + 60, at);
      await until(page, "the newest line is in sight", () => {
        const list = document.querySelector(".log-list").getBoundingClientRect();
        const row = document.getElementById(`line-${store.lines.length - 1}`)?.getBoundingClientRect();
        return row && row.top >= list.top - 1 && row.bottom <= list.bottom + 1;
      });
    }
    await page.click("#start");
    await standing(page, "paused");
    assert.ok((await log.evaluate((list) => list.scrollHeight - list.clientHeight)) > 100, "the log scrolls");
    assert.ok(shown < (await page.evaluate(() => store.lines.length)));
    // Each shows its own emotion, its behaviour, and what else it chose to show, as soon as the page has drawn the moment at
    // which the run stands.
    await until(page, "panels show what the robots said last", () => store.moment.cards.every((card) => {
      const said = document.querySelector(`.card[data-robot="${card.robot}"] .panel`).innerText;
      return card.fields.every((field) => {
        if (field.kind !== "emotion" && !said.toLowerCase().includes(field.label.toLowerCase())) return false;
        return !["emotion", "text", "state", "robot"].includes(field.kind) || said.includes(String(field.value));
      });
    }));
    const after = await panels();
    for (const at of [0, 1]) assert.notEqual(after[at], before[at], `panel ${at} is as at the beginning`);
    const cards = await page.evaluate(() => store.moment.cards);
    for (const card of cards) {
      assert.ok(card.fields.some((field) => /behaviou?r/i.test(field.label)), `${card.name} shows its behaviour`);
      assert.ok(card.fields.length >= 4, `${card.name} shows variables`);
    }
    const labels = cards.map((card) => card.fields.map((field) => field.label).join());
    assert.notEqual(labels[0], labels[1], "different robots show different variables");
  });

  await test("check 22: emotion and behaviour changes are in the pane as they are in the run", async () => {
    // The pane says what the panels say: the last emotion line of each robot is the emotion of its panel.
    const told = await page.evaluate(() => store.moment.cards.map((card) => ({
      panel: card.fields.find((field) => field.kind === "emotion").value,
      line: store.lines.filter((line) => line.robot === card.robot && line.kind === "emotion").at(-1)?.raw,
    })));
    for (const { panel, line } of told) assert.equal(line?.split("\t")[4] ?? panel, panel, line);
  });

  await test("check 26: the pane, the file of --log and the server say the same; a headless run, too", async () => {
    const pane = await logInPage(page);
    await noGap(page);
    assert.ok(pane.length > 30);
    assert.deepEqual(pane, headless.slice(0, pane.length));
    assert.deepEqual(await logOfServer(server), pane);
    assert.deepEqual(await lines("console.log"), pane);
    assert.match(await text(page, ".log-file"), /console\.log/);
    // What is in sight is what was written.
    const row = await page.evaluate(() => {
      const row = [...document.querySelectorAll(".log-row:not([hidden])")].at(-1);
      return { said: row.innerText, line: store.lines[Number(row.id.slice(5))] };
    });
    assert.ok(row.said.includes(row.line.text.slice(0, 20)), row.said);
  });

  await test("check 6: at two speeds, paused and stepped: the same log", async () => {
    const logs = [];
    for (const speed of [20, 0]) {
      await page.evaluate(() => link.send({ do: "init" }));
      await until(page, "the beginning", () => store.standing?.is === "ready" && store.lines.at(-1)?.at === 0);
      await play(page, speed, 30);
      if (speed > 0) {
        for (let step = 0; step < 3; step += 1) await page.click("#step");
        await runTo(page, 200);
      }
      await until(page, "200 s are told", () => store.frame?.at >= 200);
      logs.push((await logInPage(page)).filter((line) => Number(line.split("\t")[0]) <= 200));
    }
    const upTo = headless.filter((line) => Number(line.split("\t")[0]) <= 200);
    assert.ok(upTo.length > 40);
    assert.deepEqual(logs[0], upTo, "slow");
    assert.deepEqual(logs[1], upTo, "as fast as it goes");
  });

  const widthOf = (page) => page.locator(".card").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().width));
  const two = await widthOf(page);
  await page.context().close();
  await server.stop();

  await test("checks 19 and 64: a panel for each robot: two, and three with Vonda, of another size; no file without --log", async () => {
    const files = await readdir(kit.scratch);
    const server = await serve(["reception-vonda"]);
    const page = await open(server);
    await runTo(page, 60);
    await page.waitForSelector(".card .is-emotion");
    assert.equal(two.length, 2);
    assert.deepEqual(await page.locator(".card-name").allTextContents(), ["Butler", "Leguin", "Vonda"]);
    const three = await widthOf(page);
    assert.equal(three.length, 3);
    assert.ok(three.every((width) => width < two[0] - 20), `${three} px for three, ${two} for two`);
    // All of them are in sight at once, and none lies over another.
    const boxes = await page.locator(".card").evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
    const pane = await page.locator("#robots").boundingBox();
    for (const box of boxes) assert.ok(box.left >= pane.x && box.right <= pane.x + pane.width + 1 && box.top < pane.y + pane.height, JSON.stringify(box));
    for (let one = 0; one < 3; one += 1) for (let other = 0; other < one; other += 1)
      assert.ok(boxes[one].left >= boxes[other].right - 1 || boxes[one].top >= boxes[other].bottom - 1, "panels overlap");
    const written = await page.evaluate(() => store.run.robots.map(({ name }) => name.slice(0, 2)));
    assert.deepEqual(written, ["Bu", "Le", "Vo"]);
    assert.equal(await text(page, ".log-file"), "");
    assert.deepEqual(await readdir(kit.scratch), files, "a file was written where the server runs");
    await page.context().close();
    await server.stop();
  });
}
