#!/usr/bin/env node
// The program's first file. Plain JavaScript, so that an old Node.js gets a sentence instead of a stack trace.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isCompiled, startFast } from './fast-start.js';
import { takeKeysOut } from './take-keys-out.js';

// `npm run -s tickwright -- …` and `npm start` run in this package's folder; paths on a command line are those of its caller's folder.
const { npm_lifecycle_event: script, npm_package_json: manifest, INIT_CWD: caller } = process.env;
const isOwnScript =
  (script === 'tickwright' || script === 'start') && manifest === fileURLToPath(new URL('../package.json', import.meta.url));
if (isOwnScript && caller) process.chdir(caller);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `error: tickwright needs Node.js 22.19 or newer, found ${process.versions.node} (${process.execPath})\n` +
      (isCompiled
        ? '  install a newer one, and let `node` on PATH be it\n'
        : '  `npm ci` in its folder brings one along: `npm run -s tickwright -- …` there takes it; or install a newer Node.js\n'),
  );
  process.exitCode = 78;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // The program need not be loaded for it.
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${version}\n`);
} else {
  takeKeysOut();
  // The cache holds the functions that are compiled with their module. A backtest is over soon and calls most of what it loads: with
  // this flag they all are, and a tenth of it is saved. Other commands have caches of their own, by the flags.
  if (process.argv[2] === 'backtest') {
    // What the runtime brings along is compiled for the flags it comes with: the parts that a backtest needs are loaded before.
    const needed = ['child_process', 'events', 'fs', 'path', 'process', 'url', 'util', 'worker_threads', 'zlib'];
    await Promise.all(needed.map((name) => import(`node:${name}`)));
    for (const stream of ['stdout', 'stderr']) Reflect.get(process, stream);
    setFlagsFromString('--no-lazy');
  }
  if (!startFast()) setFlagsFromString('--lazy');
  if (isCompiled) void import('./main.js');
  else void import('./main.ts');
}
