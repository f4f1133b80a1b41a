// Opens each report, as a person would: from a file, in light and in dark, and on paper.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const folder = resolve(process.argv[2]);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
let passed = 0;
let failed = 0;

async function test(name, body) {
  try {
    await body();
    passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${String(error.stack ?? error).replace(/^/gm, "        ")}`);
  }
}

// A page that keeps what the browser complains about and what it tries to load.
async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  const loads = [];
  page.on("console", (message) => {
    // Plotly's own reading back of its canvas, and what a software renderer says about it.
    const drawing = /willReadFrequently|GL Driver Message/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !drawing) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => loads.push(request.url()));
  const url = pathToFileURL(join(folder, name)).href;
  await page.goto(url);
  await page.waitForFunction(() => {
    const charts = [...document.querySelectorAll(".chart")];
    return charts.length > 0 && charts.every((chart) => chart.querySelector("svg.main-svg"));
  });
  // A surface is drawn when its canvas has been.
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".chart")].every((chart) => !chart.layout.scene || chart.querySelector(".gl-container canvas")),
  );
  return { page, complaints, url, loads: loads.filter((load) => load !== url && !load.startsWith("data:")) };
}

// What of each plot is really on the screen.
const drawn = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".chart")].map((chart) => ({
      id: chart.id,
      width: chart.getBoundingClientRect().width,
      marks: chart.querySelectorAll(
        ".scatterlayer path, .barlayer path, .boxlayer path, .heatmaplayer image, .polarsublayer path, .gl-container canvas",
      ).length,
      // A surface has its axes in a canvas and a polar plot has none with titles; both have data all the same.
      shape: chart.layout.scene ? "surface" : chart.layout.polar ? "polar" : "plane",
      points: chart.data.reduce((sum, trace) => sum + (trace.z ?? trace.r ?? trace.y ?? []).length, 0),
      traces: chart.data.length,
      legend: [...chart.querySelectorAll(".legendtext")].map((text) => text.textContent),
      titles: [...chart.querySelectorAll(".xtitle, .ytitle")].map((text) => text.textContent),
    })),
  );

// Plots whose legend lies over what is drawn.
const coveredPlots = () =>
  [...document.querySelectorAll(".chart")]
    .filter((chart) => {
      const legend = chart.querySelector(".legend")?.getBoundingClientRect();
      const area = chart.querySelector(".nsewdrag, .polarsublayer.frontplot")?.getBoundingClientRect();
      return legend && area && legend.bottom > area.top + 1 && legend.top < area.bottom;
    })
    .map((chart) => chart.id);

const shot = (page, name) => page.screenshot({ path: join(folder, name), fullPage: true });

const REPORTS = {
  "study.html": {
    plots: ["table-1-plot", "table-2-plot", "table-3-plot", "table-4-plot", "percentiles", "trade-off-plot"],
    tables: 7,
    details: "gage_2004",
  },
  "alliance.html": {
    plots: [
      "regions-plot",
      ...[4, 5, 6, 7].flatMap((figure) => [`figure-${figure}-without`, `figure-${figure}-with`]),
      "figure-8-modified-random",
      "figure-8-longest",
      "figure-8-preferred",
      "gaps-figure-10-report-1",
      "gaps-figure-10-report-2",
      "gaps-figure-10-instant-2",
      "gaps-figure-10-noise-2",
      "gaps-figure-10-failure-2",
      "gaps-larger-report-2",
      "gaps-larger-instant-2",
      "learning-ways",
      "learning-mu",
    ],
    // Claims and parts of them, Table 3, gaps, robots that stop.
    tables: 2 + 1 + 6 + 1,
    details: "parker_1995",
  },
  "tasking.html": {
    plots: [
      "map-hotspot",
      "map-hotspot-crossing",
      "figure-4",
      "figure-5",
      "figure-6",
      "load-tasks",
      "load-vehicles",
      "load-beside-drawn",
      "load-duration",
      "load-plot",
      "weaknesses-drawn",
      "weaknesses-fenced",
      "weaknesses-written",
      "elections-plot",
      "sampling-errors",
      "sampling-bytes",
    ],
    // Missions, what works as drawn, claims (the paper's and ours), load (over T, V and time, and by term), weaknesses,
    // elections, crashes (at least and at most once), loss, chains, partitions, sampling, and beside planners (a spare vehicle by
    // moment and in all, orders at one instant, what was given up).
    tables: 2 + 1 + 2 + 2 + 1 + 1 + 4 + 1 + 1 + 4,
    details: "runs",
  },
  "reception.html": {
    plots: ["shares-butler", "shares-leguin", "unease", "timeline", "plan", "caution-plot"],
    // Receptions, shares of two robots, panels, cautions, test vectors, Table 2, and checks by section.
    tables: 1 + 2 + 1 + 1 + 2 + 8,
    details: "cars_2002",
  },
  "party.html": {
    plots: ["shares-emotions", "shares-behaviours", "course-emotions", "course-behaviours"],
    tables: 3,
    details: "width_ft",
  },
  // Reports of missions have two more: messages and bytes by kind and by robot.
  "hotspot.html": {
    plots: ["map-fenced", "holders-fenced", "messages", "bids-fenced-1", "bids-fenced-2", "bids-fenced-3"],
    tables: 3 + 2,
    details: "corridor_m",
  },
  "patrol.html": {
    plots: [
      "map-fenced",
      "holders-fenced",
      "messages",
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((task) => `bids-fenced-${task}`),
    ],
    tables: 3 + 2,
    details: "corridor_m",
  },
  "run.html": {
    plots: ["map-affective", "map-greedy", "map-random", "messages", "shame"],
    tables: 5 + 2,
    details: "width_m",
  },
  "batch.html": {
    plots: [
      "distribution-messages",
      "distribution-wait",
      "map-affective",
      "map-greedy",
      "map-random",
      "messages",
      "shame",
    ],
    tables: 5 + 2,
    details: "width_m",
  },
  "boxes.html": { plots: ["map-iii", "timeline-iii", "box-iii", "messages"], tables: 3 + 2, details: "parker_1995" },
  "cleanup.html": {
    plots: [
      "distribution-messages",
      "distribution-wait",
      "messages",
      ...["preferred", "regret", "replan", "replan-broadcast"].flatMap((name) => [`map-${name}`, `timeline-${name}`]),
    ],
    tables: 1 + 4 + 1 + 2,
    details: "parker_1995",
  },
  "lost.html": { plots: ["map-affective", "map-greedy", "map-random", "messages", "shame"], tables: 5 + 2, details: "width_m" },
};

for (const [name, expected] of Object.entries(REPORTS)) {
  const { page, complaints, loads } = await open(name, { colorScheme: "light" });
  await test(`${name}: every plot is drawn`, async () => {
    const plots = await drawn(page);
    assert.deepEqual(plots.map((plot) => plot.id).sort(), [...expected.plots].sort());
    for (const plot of plots) {
      assert.ok(plot.marks > 0, `${plot.id} shows nothing`);
      assert.ok(plot.width > 250, `${plot.id} is ${plot.width} px wide`);
      assert.ok(plot.points > 0, `${plot.id} has no data`);
      if (plot.shape === "plane") assert.ok(plot.titles.length >= 1, `${plot.id} has no axis titles`);
      if (plot.shape !== "surface") assert.ok(plot.legend.length >= 1, `${plot.id} has no legend`);
    }
  });
  await test(`${name}: no legend covers its plot or its axes`, async () => {
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll(".chart")].flatMap((chart) => {
        const legend = chart.querySelector(".legend .bg")?.getBoundingClientRect();
        if (!legend) return [];
        const others = [...chart.querySelectorAll(".nsewdrag, .xtick text, .ytick text, .xtitle, .ytitle")];
        const hits = others.map((other) => other.getBoundingClientRect()).filter(
          (box) =>
            box.left < legend.right - 1 && legend.left + 1 < box.right && box.top < legend.bottom - 1 && legend.top + 1 < box.bottom,
        );
        return hits.length > 0 ? [chart.id] : [];
      }),
    );
    assert.deepEqual(covered, []);
  });
  await test(`${name}: nothing is loaded, nobody complains`, async () => {
    assert.deepEqual(loads, []);
    assert.deepEqual(complaints, []);
  });
  await test(`${name}: accessible in its outlines`, async () => {
    const outline = await page.evaluate(() => ({
      h1: document.querySelectorAll("h1").length,
      lang: document.documentElement.lang,
      captions: [...document.querySelectorAll("table")].map((table) => table.caption?.textContent ?? ""),
      unscoped: document.querySelectorAll("th:not([scope])").length,
      unnamed: [...document.querySelectorAll(".chart")].filter((chart) => !chart.getAttribute("aria-label")).length,
      figures: [...document.querySelectorAll("figure")].map(
        (figure) => (figure.querySelector("figcaption")?.textContent.length ?? 0) > 20 && figure.querySelector("h3"),
      ),
      dangling: [...document.querySelectorAll("nav a")].filter((link) => !document.querySelector(link.hash)).length,
    }));
    assert.equal(outline.h1, 1);
    assert.equal(outline.lang, "en");
    assert.equal(outline.captions.length, expected.tables);
    assert.ok(outline.captions.every((caption) => caption.length > 5));
    assert.equal(outline.unscoped, 0);
    assert.equal(outline.unnamed, 0);
    assert.ok(outline.figures.every(Boolean));
    assert.equal(outline.dangling, 0);
  });
  await test(`${name}: the page is no wider than the window`, async () => {
    for (const width of [1280, 700, 360]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(300);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide at ${width}`);
      assert.deepEqual(await page.evaluate(coveredPlots), [], `legends over plots at ${width}`);
      if (width < 1280) await shot(page, name.replace(".html", `-${width}.png`));
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.waitForTimeout(300);
  });
  await shot(page, name.replace(".html", "-light.png"));
  await test(`${name}: redrawn in dark, and back`, async () => {
    const ink = () =>
      page.evaluate(() => getComputedStyle(document.querySelector(".chart .xtick text")).fill);
    const light = await ink();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction((before) => getComputedStyle(document.querySelector(".chart .xtick text")).fill !== before, light);
    await shot(page, name.replace(".html", "-dark.png"));
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction((before) => getComputedStyle(document.querySelector(".chart .xtick text")).fill === before, light);
  });
  await test(`${name}: on paper, light even if the screen is dark`, async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.evaluate(() => {
      addEventListener("beforeprint", () => {
        window.printed = [...document.querySelectorAll(".chart")].map((chart) => ({
          ink: getComputedStyle(chart.querySelector(".xtick text, .angularaxistick text") ?? chart).fill,
          surface: Boolean(chart.layout.scene),
          width: chart.querySelector("svg.main-svg").getBoundingClientRect().width,
        }));
      });
    });
    const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true, printBackground: true });
    await writeFile(join(folder, name.replace(".html", ".pdf")), pdf);
    const printed = await page.evaluate(() => window.printed);
    for (const chart of printed) {
      if (!chart.surface) assert.equal(chart.ink, "rgb(27, 31, 36)");
      assert.ok(chart.width <= 680, `${chart.width} px do not fit on paper`);
    }
    await page.emulateMedia({ colorScheme: "light" });
  });
  await test(`${name}: says where it comes from`, async () => {
    await page.click("#provenance summary");
    const text = await page.textContent("#provenance");
    assert.match(text, /seed1\n/);
    assert.match(text, /commit[0-9a-f]{7,}|commitunknown/);
    assert.match(text, /muster (run|reproduce) /);
    assert.ok((await page.textContent("#provenance details pre")).includes(expected.details));
    JSON.parse(await page.textContent("#provenance details pre"));
  });
  await page.context().close();
}

await test("study.html: paper and ours in every sweep, all 54 cells in the tables", async () => {
  const { page } = await open("study.html");
  for (const plot of (await drawn(page)).filter((plot) => plot.id.startsWith("table-"))) {
    const expected = ["affective", "greedy", "random"].flatMap((name) => [`${name}, ours`, `${name}, paper`]);
    assert.deepEqual(plot.legend, expected);
  }
  assert.equal(await page.locator("#tables tbody tr").count(), 54);
  await page.context().close();
});

await test("alliance.html: strategies, rules and error bars in the legends and plots; Table 3 has ten rows", async () => {
  const { page } = await open("alliance.html");
  const bars = (id) => page.locator(`#${id} .errorbar`).count();
  for (const plot of await drawn(page)) {
    if (/^figure-/.test(plot.id)) {
      assert.deepEqual(plot.legend, ["strategy I", "strategy II", "strategy III"], plot.id);
      assert.equal(await bars(plot.id), 3 * 5, plot.id);
    } else if (/^gaps-/.test(plot.id)) {
      const larger = plot.id.startsWith("gaps-larger");
      const rules = ["preferred", "regret", ...(larger ? [] : ["replan", "replan-broadcast"])];
      assert.deepEqual(plot.legend, rules, plot.id);
      assert.equal(await bars(plot.id), rules.length * (larger ? 4 : 3), plot.id);
    }
  }
  assert.equal(await page.locator("#regions tbody tr").count(), 10);
  const verdicts = await page.locator("#claims table").first().locator("tbody td:nth-child(3)").allTextContents();
  const known = /^(✓ holds|✗ fails|≠ known-mismatch|[?] undecided|[?] depends)$/;
  assert.ok(verdicts.length >= 20 && verdicts.every((verdict) => known.test(verdict)), verdicts.join());
  await page.context().close();
});

await test("run.html: a hover shows numbers, the legend hides a line", async () => {
  const { page, complaints } = await open("run.html");
  const chart = page.locator("#messages");
  await chart.scrollIntoViewIfNeeded();
  const point = await chart.locator(".scatterlayer .point").nth(2).boundingBox();
  await page.mouse.move(point.x, point.y);
  await page.mouse.move(point.x + point.width / 2, point.y + point.height / 2);
  await page.waitForSelector("#messages .hoverlayer .hovertext");
  await chart.locator(".legendtoggle").first().click();
  await page.waitForFunction(() => document.getElementById("messages").data[0].visible === "legendonly");
  assert.equal(await page.locator('#messages .modebar-btn[data-title*="loud"], #messages .plotlyjsicon').count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

await test("odd.html: names are shown as they are", async () => {
  const { page, complaints } = await open("odd.html");
  const texts = await page.evaluate(() =>
    [...document.querySelectorAll("#shame .legendtext, #map-greedy .textpoint")].map((text) => text.textContent.trim()),
  );
  for (const name of ["@greedy", "a&b<i>%{x}"]) assert.ok(texts.includes(name), `${name} is not among ${texts}`);
  const chart = page.locator("#shame");
  await chart.scrollIntoViewIfNeeded();
  const index = await page.evaluate(() =>
    document.getElementById("shame").data.findIndex((trace) => trace.mode === "lines" && trace.name.startsWith("a&amp;b")),
  );
  await page.evaluate((curve) => Plotly.Fx.hover("shame", [{ curveNumber: curve, pointNumber: 1 }]), index);
  const hover = await page.textContent("#shame .hoverlayer .hovertext");
  assert.ok(hover.includes("a&b<i>%{x}"), hover);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

for (const name of ["run.html", "study.html", "alliance.html"]) {
  await test(`${name}: buttons show on hover, beside the heading, and cover nothing; on a narrow screen there are none`, async () => {
    const { page } = await open(name);
    for (const id of REPORTS[name].plots) {
      const chart = page.locator(`#${id}`);
      await chart.scrollIntoViewIfNeeded();
      const buttons = chart.locator(".modebar-group").first();
      // Scrolling may have brought the chart under the pointer: away from it, its buttons fade.
      await page.mouse.move(0, 0);
      await page.waitForFunction((id) => getComputedStyle(document.querySelector(`#${id} .modebar-group`)).opacity === "0", id);
      await chart.locator(".nsewdrag").hover();
      await page.waitForFunction((id) => getComputedStyle(document.querySelector(`#${id} .modebar-group`)).opacity === "1", id);
      const covered = await chart.evaluate((chart) => {
        const bar = chart.querySelector(".modebar").getBoundingClientRect();
        const heading = document.createRange();
        heading.selectNodeContents(chart.closest("figure").querySelector("h3"));
        const parts = ".legend .traces, .nsewdrag, .xtick text, .ytick text, .xtitle, .ytitle";
        const hit = (box) =>
          box.left < bar.right && bar.left < box.right && box.top < bar.bottom && bar.top < box.bottom;
        const hits = [...chart.querySelectorAll(parts), heading].filter((other) => hit(other.getBoundingClientRect()));
        return hits.map((hit) => hit.toString());
      });
      assert.deepEqual(covered, [], id);
      // The way there must not leave the plot, or they would vanish.
      await buttons.hover();
      await page.waitForTimeout(400);
      assert.equal(await buttons.evaluate((group) => getComputedStyle(group).opacity), "1", id);
    }
    await page.screenshot({ path: join(folder, name.replace(".html", "-hover.png")) });
    await page.setViewportSize({ width: 360, height: 900 });
    assert.equal(await page.locator(".modebar").first().isVisible(), false);
    await page.context().close();
  });
}

await test("run.html: says why", async () => {
  const { page } = await open("run.html");
  const lines = await page.locator("#why li").allTextContents();
  assert.ok(lines.length >= 5 && lines.every((line) => /^\d+\.\d s uav chooses idle-\d+ for uav stop \d: ETA/.test(line)), lines[0]);
  await page.context().close();
});

await test("boxes.html: tells the story of section 9", async () => {
  const { page } = await open("boxes.html");
  const lines = await page.locator("#why li").allTextContents();
  for (const told of [/r2-a starts push-right/, /genghis starts push-right/, /genghis starts go-home/])
    assert.ok(lines.some((line) => told.test(line)), `${told} is not among ${lines.join("; ")}`);
  // A bar for every push, and the way home.
  assert.ok((await page.locator("#timeline-iii .barlayer .point").count()) > 60);
  await page.context().close();
});

await test("tasking.html: the surface and the circle are drawn, not only there", async () => {
  const { page } = await open("tasking.html");
  await page.locator("#figure-4").scrollIntoViewIfNeeded();
  await page.waitForTimeout(500);
  const picture = await page.evaluate(() => Plotly.toImage("figure-4", { format: "png", width: 400, height: 400 }));
  const colours = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 40, 40);
    const { data } = context.getImageData(0, 0, 40, 40);
    return new Set(Array.from({ length: 1600 }, (_, at) => data.slice(4 * at, 4 * at + 3).join())).size;
  }, picture);
  assert.ok(colours > 50, `only ${colours} colours`);
  assert.equal(await page.locator("#figure-5 .polarsublayer .scatterlayer .trace").count(), 2 * 3);
  const verdicts = await page.locator("#claims tbody td:nth-child(2)").allTextContents();
  const known = /^(✓ holds|✗ fails|≠ known-mismatch|[?] undecided|[?] depends)$/;
  assert.ok(verdicts.length > 60 && verdicts.every((verdict) => known.test(verdict)), verdicts.join());
  assert.equal(await page.locator("#elections tbody tr").count(), 7);
  await page.context().close();
});

await test("reception.html: a bar for each emotion, the plan view of the paper, every check with its verdict", async () => {
  const { page } = await open("reception.html");
  const plots = await drawn(page);
  // As they are stacked, from the top.
  const emotions = ["FRUSTRATED", "CONCERNED", "CONFIDENT", "HAPPY"];
  for (const plot of plots.filter((plot) => plot.id.startsWith("shares-"))) assert.deepEqual(plot.legend, emotions, plot.id);
  assert.deepEqual(plots.find((plot) => plot.id === "plan").legend, ["food table", "guests", "robots"]);
  // Fixed obstacles, guests and robots, each to scale.
  assert.equal(await page.locator("#plan .shapelayer path").count(), 1 + 100 + 2);
  assert.deepEqual(await page.locator("#plan .textpoint").allTextContents(), ["Bu", "Le"]);
  const verdicts = await page.locator("#checks tbody td:nth-child(2)").allTextContents();
  assert.ok(verdicts.length === 60 && verdicts.every((verdict) => verdict === "✓ holds"), verdicts.join());
  await page.context().close();
});

await test("reception.svg: drawn, with a bar for each robot, crowd and emotion", async () => {
  const page = await browser.newPage({ viewport: { width: 760, height: 440 } });
  await page.goto(pathToFileURL(join(folder, "reception.svg")).href);
  assert.equal(await page.locator(".ours").count(), 2 * 6 * 4);
  await page.screenshot({ path: join(folder, "reception-figure-light.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(folder, "reception-figure-dark.png") });
  await page.close();
});

await test("hotspot.html: says who was chosen and why, and shows all bids", async () => {
  const { page } = await open("hotspot.html");
  const lines = await page.locator("#why li").allTextContents();
  for (const told of [/assigns hotspot verify to doug4/, /assigns hotspot drop to doug2/, /assigns hotspot assess to doug3/])
    assert.ok(lines.some((line) => told.test(line)), `${told} is not among ${lines.join("; ")}`);
  assert.equal(await page.locator("#holders-fenced .barlayer .point").count(), 3 + 3);
  const rows = await page.evaluate(() => document.getElementById("bids-fenced-1").data[0].z.length);
  assert.equal(rows, 3 * 8 + 2);
  await page.context().close();
});

await test("tasking.svg: drawn, with the paper's points and the samples of three vehicles", async () => {
  const page = await browser.newPage({ viewport: { width: 760, height: 440 } });
  await page.goto(pathToFileURL(join(folder, "tasking.svg")).href);
  assert.equal(await page.locator(".paper").count(), 2 + 1);
  assert.equal(await page.locator(".ours").count(), 17 + 16 + 18 + 3);
  await page.screenshot({ path: join(folder, "tasking-figure-light.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(folder, "tasking-figure-dark.png") });
  await page.close();
});

await test("figure.svg: drawn, with both papers' and our points", async () => {
  const page = await browser.newPage({ viewport: { width: 760, height: 440 } });
  await page.goto(pathToFileURL(join(folder, "figure.svg")).href);
  assert.equal(await page.locator(".paper").count(), 12 + 3);
  assert.equal(await page.locator(".ours").count(), 12 + 3);
  await page.screenshot({ path: join(folder, "figure-light.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.screenshot({ path: join(folder, "figure-dark.png") });
  await page.close();
});

await test("alliance.svg: drawn, with four rules in three regions", async () => {
  const page = await browser.newPage({ viewport: { width: 760, height: 440 } });
  await page.goto(pathToFileURL(join(folder, "alliance.svg")).href);
  assert.equal(await page.locator(".ours").count(), 12 + 4);
  assert.equal(await page.locator(".bar").count(), 12);
  assert.ok((await page.locator("desc").textContent()).includes("preferred, region 1"));
  const fill = () => page.locator(".preferred .ours").first().evaluate((mark) => getComputedStyle(mark).fill);
  const light = await fill();
  await page.screenshot({ path: join(folder, "alliance-figure-light.png") });
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual(await fill(), light);
  await page.screenshot({ path: join(folder, "alliance-figure-dark.png") });
  await page.close();
});

await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
