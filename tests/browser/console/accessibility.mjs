// Nothing that axe finds wrong, in light and in dark, wherever a person may be.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { muster, open, runTo, serve, standing, test, until } from "./kit.mjs";

async function clean(page, what) {
  for (const colorScheme of ["light", "dark"]) {
    await test(`axe finds nothing: ${what}, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} of ${nodes[0].target}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary ?? ""}`);
      assert.deepEqual(found, []);
    });
  }
}

export async function accessibility() {
  const server = await serve();
  const page = await open(server);
  await clean(page, "nothing loaded");

  await page.click('[data-scenario="minefield"]');
  await standing(page, "ready");
  await page.keyboard.press("?");
  await page.waitForSelector("dialog#help[open]");
  await clean(page, "the keys");
  await page.keyboard.press("Escape");

  await runTo(page, 190);
  await page.locator(".card-head").nth(4).click();
  await page.click("#tab-tasks");
  await page.click('#tasks tr[data-task="0"] button.link');
  await page.waitForSelector("#inspector .sequence-drawing");
  await page.click(".map-legend-open");
  await clean(page, "minefield with the inspector and the legend open");

  await page.click("#tab-plots");
  await page.waitForSelector("#plots .main-svg");
  await clean(page, "plots");

  await page.evaluate(() => link.send({ do: "load", scenario: "hotspot", seed: "1" }));
  await until(page, "hotspot", () => store.run.scenario === "hotspot" && store.standing?.is === "ready");
  await runTo(page, 10_000);
  await page.click("#tab-costs");
  await page.waitForSelector("#costs .polar");
  await clean(page, "hotspot with costs");

  await page.evaluate(() => link.send({ do: "load", scenario: "reception", seed: "1" }));
  await until(page, "reception", () => store.run.scenario === "reception" && store.standing?.is === "ready");
  await runTo(page, 142);
  await page.waitForSelector(".card .is-emotion");
  await page.waitForSelector('body[data-layout="cars"]');
  await clean(page, "reception in four corners");
  await page.context().close();
  await server.stop();

  await muster("run", "minefield", "--record", "axe.mcap");
  const replay = await serve(["axe.mcap"], { command: "replay" });
  const recording = await open(replay);
  await recording.evaluate(() => link.lookAt(200));
  await until(recording, "200 s", () => store.moment?.at === 200);
  await clean(recording, "a recording");
  await recording.context().close();
  await replay.stop();
}
