// The first file of each thread: starts it fast, then loads the module that its first argument names.
import { flushCompileCache } from 'node:module';
import { startFast } from './fast-start.js';

startFast();
await import(process.argv[2]);
// A thread is ended from outside, which keeps nothing.
flushCompileCache();
