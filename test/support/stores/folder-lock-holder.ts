/** Takes the lock of a folder, says its process and keeps it until it is killed, for tests with two processes. Usage: node folder-lock-holder.ts <lock file> */
import { writeSync } from 'node:fs';
import { takeLock } from '../../../src/edge/file/lock.ts';

takeLock(process.argv[2]!, (message) => new Error(message));
writeSync(1, `${process.pid}\n`);
setInterval(() => {}, 60_000);
