// The server goes away and comes back, or only the connection does: nothing is mixed, missing or doubled.
import assert from "node:assert/strict";
import { createServer, connect } from "node:net";
import { logInPage, logOfServer, noGap, open, runTo, serve, test, text, until } from "./kit.mjs";

/** A door between page and server, which can be shut. The server answers only to its own port, so that is put in. */
async function door(server) {
  const open = new Set();
  let shut = false;
  const listener = createServer((page) => {
    if (shut) return page.destroy();
    const onward = connect(server.port, "127.0.0.1");
    open.add(page);
    page.on("data", (chunk) => {
      const head = chunk.toString("latin1");
      onward.write(head.startsWith("GET ") ? Buffer.from(head.replaceAll(`:${listener.address().port}`, `:${server.port}`), "latin1") : chunk);
    });
    onward.on("data", (chunk) => page.write(chunk));
    for (const [one, other] of [[page, onward], [onward, page]]) {
      one.on("error", () => {});
      one.on("close", () => { open.delete(page); other.destroy(); });
    }
  });
  await new Promise((done) => listener.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${listener.address().port}/`,
    shut(yes) { shut = yes; if (yes) for (const page of open) page.destroy(); },
    close() { this.shut(true); listener.close(); },
  };
}

/** Where things are, to see whether anything jumps. */
const places = (page) => page.evaluate(() => ["init", "start", "step", "stop", "live", "share", "map", "log", "robots"].map((id) => {
  const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
  return `${id} ${[x, y, width, height].map(Math.round)}`;
}));

const REFUSED = /WebSocket connection to .* failed|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

export async function reconnect() {
  await test("reconnect: the server is killed: the page says so and its controls are off, in place; started again: it says that, and nothing is mixed", async () => {
    const server = await serve(["minefield"]);
    const page = await open(server);
    await runTo(page, 190);
    await page.click(".card-head >> nth=3");
    const old = await page.evaluate(() => ({ server: store.hello.server, lines: store.lines.length }));
    const before = await places(page);
    await server.stop("SIGKILL");
    await until(page, "the page says that there is no connection", () => document.body.dataset.link === "lost");
    assert.match(await text(page, "#link"), /no connection/);
    await page.getByText(/No connection for \d+ s\. Trying again/).waitFor();
    for (const id of ["init", "start", "step", "stop", "live"]) {
      assert.equal(await page.getAttribute(`#${id}`, "aria-disabled"), "true", id);
      assert.equal(await page.getAttribute(`#${id}`, "title"), "No connection", id);
    }
    assert.equal(await page.getAttribute('.bar-load button[type="submit"]', "aria-disabled"), "true");
    assert.equal(await page.isDisabled('.bar-speed input[type="range"]'), true);
    assert.deepEqual(await places(page), before, "something jumped");
    // What is known is still there to be read.
    assert.equal(await page.evaluate(() => store.lines.length), old.lines);
    await page.fill('#log input[type="search"]', "chooses");
    await until(page, "the log can be filtered without a server", () => /1 of/.test(document.querySelector(".log-count").textContent));
    await page.fill('#log input[type="search"]', "");

    const again = await serve(["minefield", "--seed", "2"], { port: server.port });
    await until(page, "the page is back", () => document.body.dataset.link === "open" && store.run?.seed === "2");
    await page.getByText("The server was started again").waitFor();
    assert.notEqual(await page.evaluate(() => store.hello.server), old.server);
    assert.equal(await page.evaluate(() => store.selection.robots.size), 0);
    await until(page, "it is at its beginning", () => store.standing?.is === "ready");
    assert.deepEqual(await logInPage(page), [], "lines of the old server");
    assert.equal(await page.getAttribute("#start", "aria-disabled"), "false");
    await runTo(page, 100);
    await until(page, "the log of the new one", () => store.lines.length > 3);
    await noGap(page);
    assert.deepEqual(await logInPage(page), await logOfServer(again));
    assert.equal(await page.getByText(/No connection for/).isVisible(), false);
    await page.context().close();
    await again.stop();
  }, { expected: REFUSED });

  await test("reconnect: the connection breaks while the run goes on: the log goes on without a gap or a double line", async () => {
    const server = await serve(["patrol"]);
    const gate = await door(server);
    const page = await open(gate);
    await page.evaluate(() => link.send({ do: "speed", speed: 20 }));
    await page.click("#start");
    for (let time = 0; time < 3; time += 1) {
      await until(page, "some lines", (least) => store.lines.length > least, time * 150 + 20);
      const known = await page.evaluate(() => store.lines.length);
      gate.shut(true);
      await until(page, "it is lost", () => store.link.state === "lost");
      // Meanwhile the run goes on.
      const there = async () => (await logOfServer(server)).length;
      const late = performance.now() + 20_000;
      while ((await there()) < known + 20 && performance.now() < late) await page.waitForTimeout(100);
      gate.shut(false);
      await until(page, "it is back", () => store.link.state === "open");
    }
    assert.equal(await page.getByText("The server was started again").count(), 0, "a break is not a restart");
    await until(page, "the run goes on", () => store.standing.is === "running" || store.standing.is === "over");
    await page.evaluate(() => link.send({ do: "pause" }));
    await until(page, "it stands", () => store.standing.is === "paused" || store.standing.is === "over");
    const there = await logOfServer(server);
    await until(page, "all lines are in", (count) => store.lines.length >= count, there.length);
    await noGap(page);
    assert.deepEqual(await logInPage(page), there);
    assert.match(await text(page, ".log-count"), new RegExp(`^${there.length.toLocaleString("en")} lines$`));
    await page.context().close();
    gate.close();
    await server.stop();
  }, { expected: REFUSED });

  await test("reconnect: Try now does not wait, and who looked at the past still does", async () => {
    const server = await serve(["minefield"]);
    const gate = await door(server);
    const page = await open(gate);
    await runTo(page, 200);
    await page.evaluate(() => link.lookAt(60));
    await until(page, "60 s", () => store.moment?.at === 60 && !store.moment.live);
    gate.shut(true);
    await until(page, "it is lost for some time", () => store.link.state === "lost" && store.link.attempt >= 3);
    gate.shut(false);
    await page.getByRole("button", { name: "Try now" }).click();
    await until(page, "it is back", () => store.link.state === "open");
    await until(page, "still at 60 s", () => !store.view.live && store.view.at === 60 && store.frame?.at === 60);
    assert.equal(await text(page, "#time"), "1:00.0");
    await page.context().close();
    gate.close();
    await server.stop();
  }, { expected: REFUSED });
}
