/**
 * Takes the account lock and holds it for a moment, for tests with two processes. Prints "held" or "refused"; prints "overlap" if it finds
 * another holder's mark meanwhile. Usage: node lock-holder.ts <state folder> <mark file> <hold ms>
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountInUseError, takeAccountLock } from '../../../src/edge/file/account-lock.ts';

const [state = '', mark = '', holdMs = '0'] = process.argv.slice(2);
try {
  const lock = await takeAccountLock({
    origin: 'https://api.example.com',
    isLoopback: false,
    key: 'key',
    holder: { bot: `b${process.pid}`, store: 'none', folder: '' },
    env: { TICKWRIGHT_STATE_HOME: state },
  });
  try {
    closeSync(openSync(mark, 'wx'));
  } catch {
    writeSync(1, 'overlap\n');
  }
  writeSync(1, 'held\n');
  await sleep(Number(holdMs));
  rmSync(mark, { force: true });
  lock.release();
} catch (error) {
  if (!(error instanceof AccountInUseError)) throw error;
  writeSync(1, 'refused\n');
}
