// Several people look at one run; and who may not.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { kit, logInPage, logOfServer, noGap, open, runTo, serve, standing, test, text, until } from "./kit.mjs";

export async function viewers() {
  await test("two viewers: what one starts the other sees; one looks back while the other stays live; both logs are equal", async () => {
    const server = await serve(["minefield"]);
    const [one, other] = [await open(server), await open(server)];
    await until(one, "two viewers", () => store.standing?.viewers === 2);
    assert.match(await text(other, "#link"), /2 viewers/);
    await one.click(".bar-speed .segments button:text-is('100×')");
    await one.click("#start");
    await standing(other, "running");
    assert.equal(await text(other, "#start"), "Pause");
    await until(other, "its speed, too", () => store.standing.speed === 100);
    await until(other, "some lines", () => store.lines.length > 8);
    // One goes back; the other stays where it is.
    await one.click("#timeline button[aria-label='To the start']");
    await until(one, "the past", () => !store.view.live && store.frame?.at === 0 && !store.frame.live);
    const seen = await other.evaluate(() => store.frame.at);
    await until(other, "live and going on", (seen) => store.view.live && store.frame.live && store.frame.at > seen, seen);
    assert.deepEqual(await one.evaluate(() => [store.view.live, store.frame.at]), [false, 0]);
    assert.equal(await text(one, "#time"), "0:00.0");
    // Lines come to both all the same.
    const lines = await one.evaluate(() => store.lines.length);
    await until(one, "lines come while it looks back", (lines) => store.lines.length > lines, lines);
    await other.click("#start");
    await standing(one, "paused");
    await one.click("#live");
    await until(one, "live again", () => store.view.live && store.frame?.live);
    const there = await logOfServer(server);
    for (const page of [one, other]) {
      await until(page, "all lines", (count) => store.lines.length === count, there.length);
      await noGap(page);
      assert.deepEqual(await logInPage(page), there);
    }
    // A selection is one's own, a load is everybody's.
    await one.click(".card-head >> nth=2");
    assert.equal(await other.evaluate(() => store.selection.robots.size), 0);
    await other.selectOption('select[name="scenario"]', "boxes");
    await other.click('.bar-load button[type="submit"]');
    await until(one, "boxes for both", () => store.run.scenario === "boxes" && store.lines.length <= 2);
    await other.context().close();
    await until(one, "one viewer", () => store.standing.viewers === 1);
    await one.context().close();
    await server.stop();
  });
}

export async function safety() {
  const server = await serve(["minefield"]);

  await test("safety: every answer carries the policy, also what is not there", async () => {
    const paths = ["/", "/js/main.js", "/js/map/gl.js", "/css/base.css", "/favicon.svg", "/run.log", "/plotly.js", "/no/such/thing", "/js/../../Cargo.toml"];
    for (const path of paths) {
      const answer = await fetch(new URL(path, server.url));
      const policy = answer.headers.get("content-security-policy") ?? "";
      for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
        assert.ok(policy.includes(part), `${path} has no ${part}: ${policy}`);
      assert.ok(!/unsafe-inline|unsafe-eval|\*/.test(policy), policy);
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff", path);
      await answer.arrayBuffer();
    }
    assert.equal((await fetch(new URL("/no/such/thing", server.url))).status, 404);
  });

  await test("safety: a page of another site can neither talk to the console nor frame it, nor read its log", async () => {
    const elsewhere = createServer((_, answer) => {
      answer.setHeader("content-type", "text/html");
      answer.end("<!doctype html><title>elsewhere</title><p>Elsewhere</p>");
    });
    await new Promise((done) => elsewhere.listen(0, "127.0.0.1", done));
    const page = await kit.browser.newPage();
    await page.goto(`http://127.0.0.1:${elsewhere.address().port}/`);
    const heard = await page.evaluate((url) => new Promise((done) => {
      const socket = new WebSocket(`${url.replace("http", "ws")}ws`), events = [];
      for (const kind of ["open", "message", "error", "close"]) socket.addEventListener(kind, () => { events.push(kind); if (kind === "close") done(events); });
    }), server.url);
    assert.deepEqual(heard, ["error", "close"], "the WebSocket is refused");
    const log = await page.evaluate((url) => fetch(`${url}run.log`).then((answer) => answer.text(), (error) => String(error)), server.url);
    assert.match(log, /TypeError/, "the log cannot be read");
    const framed = await page.evaluate((url) => new Promise((done) => {
      const frame = document.createElement("iframe");
      frame.src = url;
      frame.onload = () => { let reached = null; try { reached = frame.contentWindow.location.href; } catch { reached = "another origin"; } done(reached); };
      document.body.append(frame);
    }), server.url);
    const inside = page.frames().find((frame) => frame !== page.mainFrame());
    const shown = await inside.evaluate(() => document.getElementById("bar") !== null).catch(() => false);
    assert.equal(shown, false, `the console is shown in a frame (${framed})`);
    // Nor by another name that leads to this machine.
    const { get } = await import("node:http");
    const status = await new Promise((done, refuse) => get({ host: "127.0.0.1", port: server.port, path: "/", headers: { host: "evil.example" } }, (answer) => { answer.resume(); done(answer.statusCode); }).on("error", refuse));
    assert.ok(status >= 400, `${status} for another name`);
    await page.close();
    elsewhere.close();
  });

  await test("safety: names from a scenario are text, whatever they are", async () => {
    const page = await open(server);
    const name = '<img src=x onerror="window.hit=1">';
    await page.evaluate((name) => { store.run.robots[3].name = name; store.run.tasks[0].name = name; }, name);
    await runTo(page, 200);
    await page.evaluate(async (name) => {
      store.run.robots[3].name = name;
      const { emit, selectRobot, selectTask } = await import("/js/store.js");
      emit("run", store.run); selectRobot(3); selectTask(0); emit("open", { tab: "inspector" });
    }, name);
    await page.waitForSelector("#inspector .sequence-drawing");
    assert.ok((await page.locator("#robots").textContent()).includes(name));
    assert.equal(await page.evaluate(() => window.hit ?? document.querySelectorAll("img[src=x]").length), 0);
    await page.context().close();
  });
  await server.stop();
}
