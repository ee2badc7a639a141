#!/usr/bin/env node
/** `npm create tickwright my-bot` is `tickwright init my-bot`; flags are those of init. */
import { createRequire } from 'node:module';

const place = import.meta.resolve('tickwright/package.json');
const { bin } = createRequire(import.meta.url)('tickwright/package.json');
process.argv.splice(2, 0, 'init');
await import(new URL(bin.tickwright, place).href);
