#!/usr/bin/env node
// The program's first file. Plain JavaScript, so that an old Node.js gets a sentence instead of a stack trace, and so that starts
// are made fast before the first TypeScript file is read: the cache of compiled code saves half of every start, and a tenth goes
// with the questions to the disk what a relative import of this folder may be: it is the file of that name.
import * as nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `error: tickwright needs Node.js 24.15 or newer, found ${process.versions.node} (${process.execPath})\n` +
      '  `npm ci` in its folder brings one along: `npm run -s tickwright -- …` there takes it; or install a newer Node.js\n',
  );
  process.exitCode = 78;
} else {
  // The cache holds the functions that are compiled with their module. A backtest is over soon and calls most of what it loads: with
  // this flag they all are, and a tenth of it is saved. Other commands have caches of their own, by the flags.
  if (process.argv[2] === 'backtest') {
    // What the runtime brings along is compiled for the flags it comes with: the parts that a backtest needs are loaded before.
    await Promise.all(['fs', 'path', 'url', 'util', 'zlib'].map((name) => import(`node:${name}`)));
    for (const stream of ['stdout', 'stderr']) Reflect.get(process, stream);
    setFlagsFromString('--no-lazy');
  }
  const { status } = nodeModule.enableCompileCache();
  if (status !== nodeModule.constants.compileCacheStatus.ENABLED) setFlagsFromString('--lazy');
  const folder = new URL('.', import.meta.url).href;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier.startsWith('.') && specifier.endsWith('.ts') && context.parentURL?.startsWith(folder);
      if (!isOwn) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
    },
  });
  void import('./main.ts');
}
