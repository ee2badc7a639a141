#!/usr/bin/env node
// The program's first file. Plain JavaScript, so that an old Node.js gets a sentence instead of a stack trace, and so that the
// cache of compiled code is on before the first TypeScript file is read: that saves half of every start.
import * as nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `error: tickwright needs Node.js 24.15 or newer, found ${process.versions.node} (${process.execPath})\n` +
      '  `npm ci` brings one along: use `npx tickwright …` or `npm run -s tickwright -- …`, or install a newer Node.js\n',
  );
  process.exitCode = 78;
} else {
  nodeModule.enableCompileCache?.();
  void import('./main.ts');
}
