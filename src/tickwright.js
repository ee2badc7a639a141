#!/usr/bin/env node
// The command `tickwright`. Plain JavaScript that any Node can read, so that an old one gets a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `error: tickwright needs Node.js 24.15 or newer, found ${process.versions.node} (${process.execPath})\n` +
      '  `npm ci` brings one along: use `npx tickwright …` or `npm run -s tickwright -- …`, or install a newer Node.js\n',
  );
  process.exitCode = 78;
} else {
  import('./main.ts');
}
