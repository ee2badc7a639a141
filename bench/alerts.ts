/**
 * Measures how long after a fault a person is told: each row of alert-faults.ts is a fault of a real bot, the alert that it leads to, and the seconds
 * from the fault to the message at the channel. Promised: five seconds, except where the rule waits by itself. `npm run alerts -- [words of names]`.
 * Ends with 1 if one is later, or if a rule has no fault.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALERT_RULES, type AlertRule, type AlertRuleName } from '../src/base/tables/alert-rules.ts';
import { cleanUp, freshFolder } from '../test/e2e/process.ts';
import { Stage } from '../test/e2e/stage.ts';
import { ntfyService, type AlertService } from '../test/support/monitor/alert-services.ts';
import { diskOf, lacking, ROWS, type Row, type Scene } from './alert-faults.ts';

const PROMISED_MS = 5_000;
/** Rules that no fault causes, and why. */
const APART: Partial<Record<AlertRuleName, string>> = { day: 'no fault: the summary at midnight UTC' };
/** After this the row counts as never told, and a monitor as one that does not start. */
const NEVER_MS = 120_000;
const START_MS = 600_000;

async function until(test: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(5)) if (test()) return true;
  return false;
}

const channelOf = (name: string, { url }: AlertService): string =>
  `  - { name: ${name}, kind: ntfy, url: "${url}", topic: bot, token: tk }\n`;

/** A bot with its position, the alerts of which go to `push`. */
async function prepared(row: Row, push: AlertService, second: AlertService | null): Promise<Scene> {
  const env = row.env?.(freshFolder()) ?? {};
  const stage = new Stage({ env: { TICKWRIGHT_MONITOR_ENABLED: 'start', ...env } });
  const scene: Scene = { stage, folder: join(stage.folder, 'bot'), second, disk: diskOf(row) };
  const file = join(stage.folder, 'alerts.yaml');
  const channels = [channelOf('push', push), ...(second === null ? [] : [channelOf('second', second)])];
  writeFileSync(file, `channels:\n${channels.join('')}`, { mode: 0o600 });
  const { alerts, ...more } = (await row.config?.(scene)) ?? {};
  await stage.startBot({ config: { ...more, alerts: { file, ...(alerts as object | undefined) } } });
  const log = join(scene.folder, 'monitor.log');
  const isConnected = (): boolean => existsSync(log) && readFileSync(log, 'utf8').includes('"state":"connected"');
  if (!(await until(isConnected, START_MS))) throw new Error('the monitor did not start');
  await stage.untilHeld(1);
  return scene;
}

/** Milliseconds from the fault to the message; Infinity if there is none. */
async function measured(row: Row, push: AlertService, second: AlertService | null): Promise<number> {
  const scene = await prepared(row, push, second);
  try {
    const { title } = ALERT_RULES[row.rule];
    push.taken.length = 0;
    let [from, failed] = [Date.now(), ''];
    let isCaused = false;
    row.cause(scene).then(
      (at) => {
        isCaused = true;
        if (typeof at === 'number') from = at;
      },
      (error: unknown) => (failed = String(error)),
    );
    const isTold = (): boolean => push.taken.some((one) => String(one['title']).endsWith(`stage: ${title}`));
    const isWaiting = (end: number): boolean => Date.now() < end || !isCaused;
    for (const end = Date.now() + NEVER_MS; isWaiting(end); await sleep(5)) {
      if (isTold()) {
        // A cause that says when it was has not always said so by now.
        const told = Date.now();
        await until(() => isCaused || failed !== '', PROMISED_MS);
        return told - from;
      }
      if (failed !== '') throw new Error(`${row.fault}: ${failed}`);
    }
    console.error(scene.stage.bot.err.slice(-3_000));
    console.error(push.taken.map((one) => one['title']));
    return Infinity;
  } finally {
    scene.disk?.remove();
  }
}

const words = process.argv.slice(2);
const chosen = ROWS.filter(({ fault, rule }) => words.length === 0 || words.some((word) => `${fault} ${rule}`.includes(word)));
let late = 0;
console.log('fault                                      alert             seconds  ');
for (const row of chosen) {
  const lacks = lacking(row);
  if (lacks !== '') {
    console.log(`${row.fault.padEnd(42)} ${row.rule.padEnd(17)} SKIPPED: ${lacks}`);
    continue;
  }
  const push = await ntfyService('tk');
  const second = row.hasSecond === true ? await ntfyService('tk') : null;
  const ms = await measured(row, push, second).catch((error: unknown) => {
    console.error(error);
    return Infinity;
  });
  await cleanUp();
  await push.close();
  await second?.close();
  const { afterMs = 0 }: AlertRule = ALERT_RULES[row.rule];
  const [waitsMs, why] = row.waits ?? [afterMs, afterMs === 0 ? '' : 'the rule waits'];
  const isLate = ms > PROMISED_MS;
  const isMeant = isLate && waitsMs >= PROMISED_MS - 1_000 && ms <= waitsMs + PROMISED_MS;
  if (isLate && !isMeant) late++;
  const waits = waitsMs === 0 ? '' : `, of which ${waitsMs / 1_000}: ${why}`;
  console.log(
    `${row.fault.padEnd(42)} ${row.rule.padEnd(17)} ${(ms / 1_000).toFixed(2).padStart(7)}${waits}${isLate ? '  LATER than 5 s' : ''}`,
  );
}
const without = (Object.keys(ALERT_RULES) as AlertRuleName[]).filter((name) => !ROWS.some(({ rule }) => rule === name));
if (words.length === 0)
  for (const name of without) console.log(`${'not caused'.padEnd(42)} ${name.padEnd(17)}       -  ${APART[name] ?? 'HAS NO FAULT'}`);
console.log(late === 0 ? 'kept: at most 5 s, or as long as the rule waits by itself' : `not kept: ${late} later than 5 s`);
process.exitCode = late === 0 && without.every((name) => APART[name] !== undefined) ? 0 : 1;
