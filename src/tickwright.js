#!/usr/bin/env node
// The program's first file. Plain JavaScript, so that an old Node.js gets a sentence instead of a stack trace, and so that starts
// are made fast before the first TypeScript file is read: the cache of compiled code saves half of every start, and a tenth goes
// with the questions to the disk what a relative import of this folder may be: it is the file of that name.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// `npm run -s tickwright -- …` and `npm start` run in this package's folder; paths on a command line are those of its caller's folder.
const { npm_lifecycle_event: script, npm_package_json: manifest, INIT_CWD: caller } = process.env;
const isOwnScript =
  (script === 'tickwright' || script === 'start') && manifest === fileURLToPath(new URL('../package.json', import.meta.url));
if (isOwnScript && caller) process.chdir(caller);

const [major, minor] = process.versions.node.split('.').map(Number);
const folder = new URL('.', import.meta.url).href;
// In a checkout the sources run as they are; the package holds them compiled.
const isCompiled = existsSync(new URL('main.js', folder));
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `error: tickwright needs Node.js 22.19 or newer, found ${process.versions.node} (${process.execPath})\n` +
      (isCompiled
        ? '  install a newer one, and let `node` on PATH be it\n'
        : '  `npm ci` in its folder brings one along: `npm run -s tickwright -- …` there takes it; or install a newer Node.js\n'),
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
  // As --disable-proto=delete does: text from outside can then not reach the prototype of all objects by that name.
  Reflect.deleteProperty(Object.prototype, '__proto__');
  // Older lines call some of what is used here experimental, on stderr, where a machine reads logs.
  const tellers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const tell of tellers) tell(warning);
  });
  const [ending, format] = isCompiled ? ['.js', 'module'] : ['.ts', 'module-typescript'];
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier.startsWith('.') && specifier.endsWith(ending) && context.parentURL?.startsWith(folder);
      if (!isOwn) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format, shortCircuit: true };
    },
  });
  if (isCompiled) void import('./main.js');
  else void import('./main.ts');
}
