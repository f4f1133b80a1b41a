// Checks the examples of docs/console-wire.md against the types of the wire. A block of JSON that begins with ```json NAME is of
// that type of wire.d.ts; objects in tables that begin with {"do": are what a page says.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const document = join(here, '../../docs/console-wire.md');
const types = join(here, '../../crates/muster-console/wire.d.ts');

const lines = readFileSync(document, 'utf8').split('\n');
/** @type {{line: number, type: string, text: string}[]} */
const found = [];
for (let at = 0; at < lines.length; at += 1) {
  const fence = /^```json( (\w+))?$/.exec(lines[at]);
  if (fence) {
    const end = lines.indexOf('```', at);
    if (!fence[2]) fail(`${document}:${at + 1}: say which type of wire.d.ts this is: \`\`\`json Run, for instance`);
    found.push({ line: at + 2, type: fence[2], text: lines.slice(at + 1, end).join('\n') });
    at = end;
  } else {
    for (const [, text] of lines[at].matchAll(/`(\{"do":[^`]*\})`/g))
      found.push({ line: at + 1, type: 'FromPage', text });
  }
}
if (found.length < 20) fail(`${document}: there are only ${found.length} examples; were they written in another way?`);

const folder = mkdtempSync(join(tmpdir(), 'muster-wire-'));
try {
  const file = join(folder, 'examples.ts');
  const source = found.map(({ type, text }, at) => `const example${at}: Wire.${type} = ${text.replaceAll('\n', ' ')};`);
  writeFileSync(file, `${source.join('\n')}\nexport {};\n`);
  const tsc = join(here, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, ['--noEmit', '--strict', '--ignoreConfig', '--types', '', types, file]);
  if (status !== 0) {
    const named = String(stdout).replaceAll(/^\S*examples\.ts\((\d+),\d+\)/gm, (_, number) => {
      const example = found[Number(number) - 1];
      return `${document}:${example.line} (${example.type})`;
    });
    fail(named);
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${found.length} examples of docs/console-wire.md have the types of wire.d.ts`);

/** @param {string} why */
function fail(why) {
  console.error(why);
  process.exit(1);
}
