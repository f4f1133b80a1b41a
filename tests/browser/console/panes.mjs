// The controls of the log, the timeline, the list of robots and the tabs, each by what it brings about.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { logOfServer, open, runTo, serve, test, text, until } from "./kit.mjs";

const view = (page) => page.evaluate(() => ({ ...store.view }));
const rows = (page) => page.locator(".log-row:not([hidden])");

export async function panes() {
  // Messages are lost here, so that tasks are awarded more than once.
  const server = await serve(["minefield", "--set", "radio.loss=0.3"]);
  const page = await open(server, { acceptDownloads: true });
  await runTo(page, 400);
  const total = await page.evaluate(() => store.lines.length);

  await test("map: messages are those of the last moments, however fast the run came there", async () => {
    const old = await page.evaluate(() => [...store.moment.arcs, ...store.moment.marks].map(({ at }) => at).filter((at) => at < 390));
    assert.deepEqual(old, []);
  });

  await test("log: words, kinds and the selection filter it; cleared, all lines are back", async () => {
    const shown = () => text(page, ".log-count");
    const expected = await page.evaluate(() => ({
      chooses: store.lines.filter((line) => line.text.includes("chooses") && line.text.includes("ETA")).length,
      calls: store.lines.filter((line) => line.kind === "call").length,
      idle: store.lines.filter((line) => line.robot === 3).length,
    }));
    assert.equal(await shown(), `${total} lines`);
    await page.fill("#log input[type=search]", "chooses eta");
    await until(page, "only those", ([some, all]) => document.querySelector(".log-count").textContent === `${some} of ${all}`, [expected.chooses, total]);
    await until(page, "drawn", (some) => document.querySelectorAll(".log-row:not([hidden])").length === some, expected.chooses);
    for (const row of await rows(page).allInnerTexts()) assert.match(row, /chooses/);
    await page.fill("#log input[type=search]", "no such line");
    await page.getByText("No line is like that.").waitFor();
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await until(page, "all lines", (total) => document.querySelector(".log-count").textContent === `${total} lines`, total);
    await page.click('.chip[data-kind="call"]');
    await until(page, "no calls", ([some, all]) => document.querySelector(".log-count").textContent === `${all - some} of ${all}`, [expected.calls, total]);
    await page.click('.chip[data-kind="call"]');
    await page.click('.chip[data-kind="call"]', { modifiers: ["Shift"] });
    await until(page, "calls alone", ([some, all]) => document.querySelector(".log-count").textContent === `${some} of ${all}`, [expected.calls, total]);
    await page.click('.chip[data-kind="call"]', { modifiers: ["Shift"] });
    await page.click("#log button:text-is('Selected')");
    await page.getByText("Nothing is selected: choose a robot or a task.").waitFor();
    await page.click('.card[data-robot="3"] .card-head');
    await until(page, "lines of robot 3", ([some, all]) => document.querySelector(".log-count").textContent === `${some} of ${all}`, [expected.idle, total]);
    await page.click("#log button:text-is('Selected')");
    await page.keyboard.press("Escape");
    await until(page, "all lines", (total) => document.querySelector(".log-count").textContent === `${total} lines`, total);
  });

  await test("log: Follow keeps the newest in sight until a person scrolls away", async () => {
    const follow = page.locator("#log button:text-is('Follow')");
    const atEnd = () => page.locator(".log-list").evaluate((list) => list.scrollTop + list.clientHeight >= list.scrollHeight - 2);
    assert.equal(await follow.getAttribute("aria-pressed"), "true");
    assert.equal(await atEnd(), true);
    await page.locator(".log-list").hover();
    await page.mouse.wheel(0, -400);
    await until(page, "Follow is off", () => [...document.querySelectorAll("#log button")].find((one) => one.textContent === "Follow").getAttribute("aria-pressed") === "false");
    const top = await page.locator(".log-list").evaluate((list) => list.scrollTop);
    await page.keyboard.press(">");
    await until(page, "another line", (total) => store.lines.length > total, total);
    await page.waitForTimeout(150);
    assert.equal(await page.locator(".log-list").evaluate((list) => list.scrollTop), top, "it scrolled by itself");
    await follow.click();
    await until(page, "the newest is in sight", () => { const list = document.querySelector(".log-list"); return list.scrollTop + list.clientHeight >= list.scrollHeight - 2; });
  });

  await test("log: Save writes the log so far, byte for byte", async () => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#log a[download]")]);
    assert.equal(download.suggestedFilename(), "minefield-1.log");
    const saved = (await readFile(await download.path(), "utf8")).split("\n").slice(0, -1);
    assert.deepEqual(saved, await logOfServer(server));
    assert.deepEqual(saved, await page.evaluate(() => store.lines.map((line) => line.raw)));
  });

  await test("log: a click on a line goes to its moment, selects what it tells of, and shows it whole", async () => {
    const line = await page.evaluate(() => store.lines.find((line) => line.kind === "award"));
    await page.fill("#log input[type=search]", "chooses");
    await page.locator(`#line-${line.n}`).click();
    assert.deepEqual(await view(page), { live: false, at: line.at });
    assert.deepEqual(await page.evaluate(() => [[...store.selection.robots], store.selection.task]), [[line.robot], line.task]);
    assert.ok((await text(page, ".log-detail")).includes(line.text));
    await until(page, "the map shows that time", (at) => !store.frame.live && Math.abs(store.frame.at - at) < 1e-6, line.at);
    await page.fill("#log input[type=search]", "");
    await page.click("#live");
    await until(page, "live again", () => store.view.live && store.frame?.live);
  });

  await test("timeline: its buttons go to the start, from line to line and back to LIVE; the own view plays", async () => {
    assert.equal(await page.getAttribute("#live", "aria-disabled"), "true");
    await page.click("#timeline button[aria-label='To the start']");
    assert.deepEqual(await view(page), { live: false, at: 0 });
    assert.equal(await text(page, "#standing"), "past");
    const times = await page.evaluate(() => [...new Set(store.lines.map((line) => line.at))].slice(0, 3));
    for (const at of times) {
      await page.click("#timeline button[aria-label='Next log line']");
      assert.deepEqual(await view(page), { live: false, at });
    }
    await page.click("#timeline button[aria-label='Previous log line']");
    assert.deepEqual(await view(page), { live: false, at: times[1] });
    const before = await page.evaluate(() => store.standing);
    await page.click(".bar-speed .segments button:text-is('100×')");
    await page.click("#timeline button[aria-label='Play your own view']");
    await until(page, "the own view goes on", (at) => store.view.at > at + 20 && !store.view.live, times[1]);
    await page.click("#timeline button[aria-label='Hold your own view']");
    const held = await view(page);
    await page.waitForTimeout(300);
    assert.deepEqual(await view(page), held);
    assert.deepEqual(await page.evaluate(() => [store.standing.is, store.standing.live_s, store.standing.speed]), [before.is, before.live_s, before.speed], "the run itself was moved");
    await page.click("#live");
    await until(page, "live", () => store.view.live);
    assert.equal(await text(page, "#standing"), "paused");
  });

  await test("timeline: scrubbing looks at any time; a plate tells what is there", async () => {
    const track = await page.locator(".track").boundingBox();
    const y = track.y + track.height / 2;
    await page.mouse.move(track.x + track.width * 0.75, y);
    await page.waitForSelector(".hint:not([hidden])");
    await page.mouse.down();
    await page.mouse.move(track.x + track.width * 0.5, y, { steps: 5 });
    await page.mouse.up();
    const edge = await page.evaluate(() => Number(document.querySelector(".track").getAttribute("aria-valuemax")));
    const { live, at } = await view(page);
    assert.ok(!live && Math.abs(at - edge / 2) < edge / 100, `${at} of ${edge}`);
    await until(page, "poses of that time", (at) => Math.abs(store.frame?.at - at) < 1e-6 && !store.frame.live, at);
    await until(page, "counts of that time", (at) => Math.abs(store.moment.at - at) < 1e-6, at);
    // Lines that have not happened yet for this viewer are dimmed.
    await until(page, "later lines are dimmed", () => document.querySelectorAll(".log-row.log-later:not([hidden])").length > 0);
    await page.mouse.move(track.x + track.width * 0.2, y);
    await page.mouse.down();
    await page.mouse.up();
    await until(page, "an earlier time", (at) => store.view.at < at, at);
    await page.click("#live");
    await page.mouse.move(700, 300);
  });

  await test("robots: filter, sort, click, Shift and click", async () => {
    const names = () => page.locator(".card-name").allTextContents();
    await page.fill(".robots-filter", "idle-1");
    assert.deepEqual(await names(), ["idle-1", "idle-10"]);
    assert.equal(await text(page, ".robots-title"), "Robots (2 of 13)");
    await page.fill(".robots-filter", "nobody");
    await page.getByText(/Clear the filter to see all 13/).waitFor();
    await page.fill(".robots-filter", "");
    await page.selectOption(".robots-sort", "name");
    assert.deepEqual(await names(), ["east", ...Array.from({ length: 10 }, (_, at) => `idle-${at + 1}`), "uav", "west"]);
    await page.selectOption(".robots-sort", "state");
    const states = await page.evaluate(() => [...document.querySelectorAll(".card")].map((card) => store.frame.state[Number(card.dataset.robot)] & 7));
    assert.deepEqual(states, [...states].sort((one, other) => other - one));
    await page.selectOption(".robots-sort", "number");
    assert.deepEqual((await names()).slice(0, 4), ["uav", "west", "east", "idle-1"]);
    await page.click('.card[data-robot="5"] .card-head');
    await page.waitForSelector('.card[data-robot="5"].open .panel .shows');
    await page.click('.card[data-robot="7"] .card-head', { modifiers: ["Shift"] });
    await until(page, "two are selected", () => [...store.selection.robots].join() === "5,7");
    // The panel shows what the robot tells of itself.
    const card = await until(page, "its card", () => store.moment.cards.find((card) => card.robot === 7));
    for (const { label } of card.fields) assert.ok((await page.locator('.card[data-robot="7"] .panel').textContent()).includes(label), label);
    await page.keyboard.press("Escape");
  });

  await test("tasks: sorted by each column, all or open ones, a click tells the story", async () => {
    await page.click("#tab-tasks");
    const column = (number) => page.locator(`#tasks tbody tr td:nth-child(${number}), #tasks tbody tr th:nth-child(${number})`).allInnerTexts();
    await page.click("#tasks th button:has-text('Task')");
    assert.deepEqual(await column(1), [1, 2, 3, 4, 5].map((stop) => `uav stop ${stop}`));
    assert.equal(await page.getAttribute("#tasks th:nth-child(1)", "aria-sort"), "ascending");
    await page.click("#tasks th button:has-text('Task')");
    assert.deepEqual(await column(1), [5, 4, 3, 2, 1].map((stop) => `uav stop ${stop}`));
    assert.equal(await page.getAttribute("#tasks th:nth-child(1)", "aria-sort"), "descending");
    await page.click("#tasks th button:has-text('Calls')");
    const calls = (await page.evaluate(() => [...document.querySelectorAll("#tasks tbody tr")].map((row) => store.moment.tasks.find((task) => task.task === Number(row.dataset.task)).calls)));
    assert.deepEqual(calls, [...calls].sort((one, other) => one - other));
    await page.check('#tasks label:has-text("Open") input');
    const open = await page.evaluate(() => store.moment.tasks.filter((task) => !["unseen", "done", "expired", "called off"].includes(task.state)).length);
    assert.equal(await page.locator("#tasks tbody tr").count(), open);
    await page.check('#tasks label:has-text("All") input');
    assert.equal(await page.locator("#tasks tbody tr").count(), 5);
    const holder = page.locator("#tasks tbody td button.link:not([disabled])").first();
    const name = await holder.textContent();
    await holder.click();
    assert.equal(await page.evaluate(() => store.run.robots[[...store.selection.robots][0]].name), name);
    await page.click('#tasks tr[data-task="0"] th button');
    assert.equal(await page.isVisible("#inspector"), true);
    assert.equal(await page.evaluate(() => store.selection.task), 0);
  });

  await test("tabs: each shows its panel and hides the others", async () => {
    for (const tab of ["tasks", "inspector", "costs", "plots"]) {
      await page.click(`#tab-${tab}`);
      for (const other of ["tasks", "inspector", "costs", "plots"]) assert.equal(await page.isVisible(`#${other}`), other === tab, `${other} while ${tab} is chosen`);
      assert.equal(await page.getAttribute(`#tab-${tab}`, "aria-selected"), "true");
    }
    assert.match(await text(page, "#costs"), /There are no bids in this run/);
  });

  await test("inspector: earlier and later awards, why, the sequence diagram, all messages", async () => {
    await runTo(page, 20_000);
    await until(page, "it is over", () => store.standing.is === "over");
    const story = await page.evaluate(() => link.ask("task", { task: 1 }));
    assert.ok(story.awards.length >= 2, "this run has a task with several awards");
    await page.evaluate(async () => (await import("/js/store.js")).selectTask(1));
    await page.click("#tab-inspector");
    await page.getByText(`Award ${story.awards.length} of ${story.awards.length}`).waitFor();
    const name = (robot) => page.evaluate((robot) => store.run.robots[robot].name, robot);
    const explained = async (award) => {
      assert.ok((await text(page, "#inspector h3")).startsWith(`Why ${await name(award.chosen)}?`));
      const told = await page.locator("#inspector").innerText();
      for (const { robot } of [...award.offers, ...award.silent]) assert.ok(told.includes(await name(robot)), `robot ${robot} is not told of`);
      assert.equal(await page.locator("#inspector .offers tbody tr").count(), award.offers.length);
      assert.equal(await page.locator("#inspector .offers tr.chosen").innerText().then((row) => row.includes("✓")), true);
      assert.equal(await page.locator("#inspector .silent tbody tr").count(), award.silent.length);
    };
    await explained(story.awards.at(-1));
    await page.click("#inspector button:has-text('Earlier')");
    await page.getByText(`Award ${story.awards.length - 1} of ${story.awards.length}`).waitFor();
    await explained(story.awards.at(-2));
    await page.click("#inspector button:has-text('Later')");
    await page.getByText(`Award ${story.awards.length} of ${story.awards.length}`).waitFor();
    const messages = page.locator("#inspector .sequence-drawing .message");
    const few = await messages.count();
    assert.ok(few > 3 && few < story.messages.length);
    assert.equal((await page.locator("#inspector .sequence-drawing .broken").count()) > 0, story.messages.some((message) => message.lost), "lost ones are drawn broken");
    assert.ok((await page.locator("#inspector .sequence-drawing .cross.ignored").count()) > 0, "an X on those that ignored it");
    await page.click("#inspector button:has-text('Show all')");
    await until(page, "all messages", (all) => document.querySelectorAll("#inspector .sequence-drawing .message").length === all, story.messages.length);
    const lifelines = await page.locator("#inspector .lifeline").count();
    assert.ok(lifelines >= 13, `${lifelines} lifelines`);
    await page.click("#inspector button:has-text('Show what matters')");
    await until(page, "fewer", (few) => document.querySelectorAll("#inspector .sequence-drawing .message").length === few, few);
    await messages.nth(2).click({ position: { x: 5, y: 10 } });
    const { live, at } = await view(page);
    assert.ok(!live && story.messages.some((message) => message.at === at), `${at} is not the time of a message`);
    await page.click("#live");
    await page.click("#inspector summary:has-text('The same as a table')");
    await until(page, "every message is in the table", (all) => document.querySelectorAll("#inspector details table tbody tr").length === all, story.messages.length);
    await page.click("#inspector button:has-text('Clear')");
    await page.getByText("Nothing is selected.").first().waitFor();
    await page.click('.card[data-robot="4"] .card-head');
    await until(page, "the robot's own story", () => /What it said and heard/.test(document.querySelector("#inspector").textContent));
    await page.keyboard.press("Escape");
  });

  await test("plots: drawn when opened, click to go to a time, the same as a table", async () => {
    await page.click("#tab-plots");
    await page.waitForSelector("#plots .main-svg");
    const groups = await page.evaluate(async () => (await link.ask("plots")).groups.map((group) => group.name));
    await until(page, "a plot for each group", (count) => document.querySelectorAll("#plots .js-plotly-plot").length === count, groups.length);
    for (const wanted of [/message/i, /task/i, /shame/i]) assert.ok(groups.some((group) => wanted.test(group)), `${wanted} is not among ${groups}`);
    const plot = await page.locator("#plots .js-plotly-plot .nsewdrag").first().boundingBox();
    await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
    const { live, at } = await view(page);
    const end = await page.evaluate(() => store.standing.live_s);
    assert.ok(!live && Math.abs(at - end / 2) < end / 20, `${at} of ${end}`);
    await page.click("#live");
    await page.click("#plots summary");
    await until(page, "the last values", () => document.querySelectorAll("#plots details tbody tr").length > 5);
  });

  await page.context().close();
  await server.stop();

  await test("costs: a map for each bidder of the chosen task, what was chosen marked, read by pointing", async () => {
    const server = await serve(["hotspot"]);
    const page = await open(server);
    await runTo(page, 10_000);
    await page.click("#tab-costs");
    await page.waitForSelector("#costs .polar");
    const tasks = await page.evaluate(() => store.run.tasks.map(({ name }) => name));
    assert.deepEqual(await page.locator("#costs-task option").allTextContents(), tasks);
    for (const [task] of tasks.entries()) {
      await page.selectOption("#costs-task", String(task));
      const bids = await page.evaluate((task) => link.ask("costs", { task }), task);
      const winner = await page.evaluate((robot) => store.run.robots[robot].name, bids.chosen.robot);
      await until(page, `the bids of task ${task}`, ([count, winner]) => document.querySelectorAll("#costs .polar").length === count && document.querySelector("#costs .sentence")?.textContent.includes(`${winner} was chosen`), [bids.bids.length, winner]);
      assert.ok((await page.locator("#costs .polar").first().innerText()).includes(winner), "who was chosen comes first");
      assert.equal(await page.locator("#costs .polar .tick").count(), 1);
    }
    const last = page.locator("#costs .polar").last();
    const name = (await last.locator(".polar-name").innerText()).split(":")[0].trim();
    await last.click();
    await until(page, `slices of ${name}`, (name) => [...document.querySelectorAll("#costs h4")].some((title) => title.textContent.startsWith(`${name}: cost over time`)), name);
    await page.locator("#costs .polar canvas").first().scrollIntoViewIfNeeded();
    const canvas = await page.locator("#costs .polar canvas").first().boundingBox();
    await page.mouse.move(canvas.x + canvas.width * 0.8, canvas.y + canvas.height / 2);
    await until(page, "the cell is read", () => /heading .*: (cost|cannot)/.test(document.querySelector("#costs .readout").textContent));
    const colours = await page.locator("#costs .polar canvas").first().evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 3).join())).size;
    });
    assert.ok(colours > 20, `only ${colours} colours`);
    await page.context().close();
    await server.stop();
  });
}
