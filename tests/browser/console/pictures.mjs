// Screenshots of the console for the documentation.
import { join } from "node:path";
import { muster, open, runTo, serve, until } from "./kit.mjs";

const select = (page, { robots = [], task = null, tab = null }) => page.evaluate(async ([robots, task, tab]) => {
  const { emit, put } = await import("/js/store.js");
  put("selection", { robots: new Set(robots), task });
  if (tab) emit("open", { tab });
}, [robots, task, tab]);

async function shoot(page, folder, name, part = null) {
  await page.mouse.move(2, 898);
  // Cards, answers and slow names are in.
  await page.waitForTimeout(1500);
  await (part ? page.locator(part) : page).screenshot({ path: join(folder, name) });
}

// A browser without a screen has no voice either; those that people use do.
const voice = () => { speechSynthesis.getVoices = () => [{ name: "a voice", lang: "en" }]; };

/** Takes them all. */
export async function pictures(folder) {
  const server = await serve(["minefield"]);
  const page = await open(server, { init: voice });

  // The second call: everybody hears it, nobody answers.
  await runTo(page, 20.5);
  await until(page, "20.5 s", () => store.moment?.at === 20.5);
  await runTo(page, 20.8);
  await shoot(page, folder, "console-help.png", "#map");

  // The first award, with the conversation before it.
  await page.setViewportSize({ width: 1440, height: 1500 });
  await runTo(page, 37.6);
  await select(page, { task: 0, tab: "inspector" });
  await page.waitForSelector("#inspector .sequence-drawing");
  await shoot(page, folder, "console-inspector.png", "#side");
  await page.setViewportSize({ width: 1440, height: 900 });

  // The third award: seven offers, five that keep silent.
  await runTo(page, 448);
  await until(page, "448 s", () => store.moment?.at === 448);
  await runTo(page, 448.06);
  await select(page, { task: 2, tab: "inspector" });
  await page.waitForSelector("#inspector .sequence-drawing");
  await shoot(page, folder, "console-minefield.png");

  await load(page, "boxes");
  await runTo(page, 200);
  await select(page, { robots: [0], tab: "inspector" });
  await shoot(page, folder, "console-boxes.png");

  await load(page, "hotspot");
  await runTo(page, 26);
  await until(page, "26 s", () => store.moment?.at === 26);
  await runTo(page, 26.5);
  await select(page, { task: 0, tab: "costs" });
  await page.waitForSelector("#costs .polar");
  await shoot(page, folder, "console-hotspot.png");

  await load(page, "reception");
  await page.click("#tab-tasks");
  await runTo(page, 140);
  await until(page, "140 s", () => store.moment?.at === 140);
  await runTo(page, 141);
  await page.waitForSelector(".card .is-emotion");
  await shoot(page, folder, "console-reception.png");
  await page.context().close();
  await server.stop();

  await muster("run", "minefield", "--record", "minefield.mcap");
  const recording = await serve(["minefield.mcap"], { command: "replay" });
  const dark = await open(recording, { colorScheme: "dark" });
  await dark.evaluate(() => link.lookAt(307.7));
  await until(dark, "the second award", () => store.moment?.at === 307.7);
  await select(dark, { task: 1, tab: "inspector" });
  await dark.waitForSelector("#inspector .sequence-drawing");
  await shoot(dark, folder, "console-replay.png");
  await dark.context().close();
  await recording.stop();
}

async function load(page, scenario) {
  await page.evaluate((scenario) => link.send({ do: "load", scenario, seed: "1" }), scenario);
  await until(page, scenario, (scenario) => store.run.scenario === scenario && store.standing?.is === "ready", scenario);
}
