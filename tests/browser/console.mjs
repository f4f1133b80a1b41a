// Opens the console in a real browser: every control, by mouse and by keyboard, and what must hold whatever is done.
//   node console.mjs MUSTER [FOLDER] [SUBJECT…]     FOLDER, if given and not "-", gets screenshots; SUBJECTs: only these
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { accessibility } from "./console/accessibility.mjs";
import { cars } from "./console/cars.mjs";
import { controls, layers } from "./console/controls.mjs";
import { crowd } from "./console/crowd.mjs";
import { keyboard } from "./console/keyboard.mjs";
import { begin, end, kit } from "./console/kit.mjs";
import { opening, replay } from "./console/opening.mjs";
import { panes } from "./console/panes.mjs";
import { pictures } from "./console/pictures.mjs";
import { reconnect } from "./console/reconnect.mjs";
import { safety, viewers } from "./console/viewers.mjs";

const SUBJECTS = { opening, controls, layers, panes, keyboard, cars, reconnect, viewers, safety, replay, crowd, accessibility };

const [binary, folder = "-", ...only] = process.argv.slice(2);
await begin(resolve(binary));
try {
  for (const [name, subject] of Object.entries(SUBJECTS)) {
    if (!only.length || only.includes(name)) await subject();
  }
  if (folder !== "-") {
    await mkdir(folder, { recursive: true });
    await pictures(resolve(folder));
  }
} finally {
  await end();
}
console.log(`${kit.passed} passed, ${kit.failed} failed`);
process.exitCode = kit.failed === 0 ? 0 : 1;
