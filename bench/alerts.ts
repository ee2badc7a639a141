/**
 * Measures how long after a fault a person is told: each row is a fault of a real bot, the alert that it leads to, and the seconds from the fault to
 * the message at the channel. Promised: five seconds, except where the rule waits by itself. `npm run alerts -- [words of names]`. Ends with 1 if one
 * is later.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALERT_RULES, type AlertRule, type AlertRuleName } from '../src/base/alert-rules.ts';
import { operate } from '../src/run/bot/outside/operate.ts';
import { cleanUp, ROOT } from '../test/e2e/process.ts';
import { RISK, Stage } from '../test/e2e/stage.ts';
import { ntfyService, type AlertService } from '../test/support/monitor/alert-services.ts';

const PROMISED_MS = 5_000;
/** After this the row counts as never told, and a monitor as one that does not start. */
const NEVER_MS = 120_000;
const START_MS = 600_000;

/** Rules that no row measures, and why. */
const APART: Partial<Record<AlertRuleName, string>> = {
  liquidation: 'as loss-limit: a halt',
  'two-bots': 'as store: a halt',
  'order-unknown': 'told when the bot gives up reading: after orderHorizonMs',
  theft: 'as position: a halt that the next read raises',
  account: 'as position: a halt that the next read raises',
  bug: 'as strategy: an event of the log',
  reload: 'as strategy: an event of the log',
  unwatched: 'as strategy: an event of the log',
  disk: 'as strategy: an event of the log; the disk has to be full',
  intruder: 'as strategy: an event of the log',
  day: 'once a day',
  fill: 'off by default',
  market: 'off by default',
  error: 'as strategy: an event of the log',
};

interface Scene {
  readonly stage: Stage;
  readonly folder: string;
}

interface Row {
  readonly fault: string;
  readonly rule: AlertRuleName;
  /** Time that the rule or a limit waits by itself, and what makes it. */
  readonly waits?: readonly [ms: number, why: string];
  /** Sections of the configuration. */
  readonly config?: (stage: Stage) => Promise<Record<string, unknown>> | Record<string, unknown>;
  /** Returns when the cause was there, if that is not when it was called. */
  readonly cause: (scene: Scene) => Promise<unknown>;
}

const ROWS: readonly Row[] = [
  { fault: 'a person halts', rule: 'operator', cause: ({ folder }) => operate(folder, 'halt', {}) },
  { fault: 'a person kills', rule: 'kill', cause: ({ folder }) => operate(folder, 'kill', { wait: 0 }) },
  { fault: 'kill -9', rule: 'bot-lost', cause: ({ stage }) => stage.bot.kill('SIGKILL') },
  { fault: 'SIGSTOP: it stands still', rule: 'bot-lost', cause: async ({ stage }) => stage.bot.send('SIGSTOP') },
  { fault: 'it is asked to stop', rule: 'stopped', cause: async ({ stage }) => stage.bot.send('SIGTERM') },
  {
    fault: 'the store is lost while it runs',
    rule: 'store',
    cause: async ({ folder }) => {
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `store.sqlite${end}`), { force: true });
    },
  },
  {
    fault: 'the venue’s clock is an hour off',
    rule: 'clock',
    cause: ({ stage }) => stage.faults([{ fault: 'skew', endpoints: 'all', ms: 3_600_000 }]),
  },
  { fault: 'a person trades on the leg', rule: 'position', cause: ({ stage }) => stage.byHand('BTCUSDT', 'LONG', 'OPEN', '0.2') },
  {
    fault: 'the equity falls below minEquity',
    rule: 'loss-limit',
    config: () => ({ risk: { ...RISK, minEquity: '90000 USDT' } }),
    cause: ({ stage }) => stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '-20000' }),
  },
  {
    fault: 'an answer is lost, and reads fail',
    rule: 'order-unresolved',
    waits: [13_000, 'the time-out of the request, 10 s, then the rule waits'],
    config: () => ({ external: { position: 'adopt' } }),
    cause: async ({ stage }) => {
      await stage.faults([
        { fault: 'drop', phase: 'after', endpoints: ['E12'], count: 1 },
        { fault: 'status', status: 503, endpoints: ['E17', 'E18'] },
      ]);
      await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
    },
  },
  { fault: 'the venue says nothing', rule: 'venue', cause: async ({ stage }) => stage.exchange.send('SIGSTOP') },
  {
    fault: 'the venue answers 503',
    rule: 'venue',
    cause: ({ stage }) => stage.faults([{ fault: 'status', phase: 'before', status: 503, endpoints: 'all' }]),
  },
  {
    fault: 'positions cannot be read',
    rule: 'blind',
    waits: [15_000, 'risk.maxPositionAgeMs'],
    cause: ({ stage }) => stage.faults([{ fault: 'status', phase: 'before', status: 503, endpoints: ['E19', 'E20'] }]),
  },
  {
    fault: 'the venue refuses the key',
    rule: 'key',
    cause: ({ stage }) => stage.operator('revoke-key', { account: 'account-1' }),
  },
  {
    fault: 'a strategy throws',
    rule: 'strategy-error',
    config: throwing,
    cause: ({ folder }) => operate(folder, 'signal', { strategy: 'throws', text: 'throw' }),
  },
  {
    fault: 'a strategy throws ten times',
    rule: 'strategy',
    config: throwing,
    cause: ({ folder }) => Promise.all(Array.from({ length: 12 }, () => operate(folder, 'signal', { strategy: 'throws', text: 'throw' }))),
  },
];

function throwing(): Record<string, unknown> {
  return {
    strategies: [
      { file: join(ROOT, 'test/e2e/strategies/holder.ts'), symbols: ['BTCUSDT'] },
      { file: join(ROOT, 'test/e2e/monitor/throws.ts'), symbols: ['ETHUSDT'] },
    ],
  };
}

async function until(test: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(5)) if (test()) return true;
  return false;
}

/** Milliseconds from the fault to the message; Infinity if there is none. */
async function measured({ rule, config, cause }: Row, push: AlertService): Promise<number> {
  const stage = new Stage({ env: { TICKWRIGHT_MONITOR_ENABLED: 'start' } });
  const folder = join(stage.folder, 'bot');
  const file = join(stage.folder, 'alerts.yaml');
  writeFileSync(file, `channels:\n  - { name: push, kind: ntfy, url: "${push.url}", topic: bot, token: tk }\n`, { mode: 0o600 });
  await stage.startBot({ config: { alerts: { file }, ...(await config?.(stage)) } });
  const log = join(folder, 'monitor.log');
  const isConnected = (): boolean => existsSync(log) && readFileSync(log, 'utf8').includes('"state":"connected"');
  if (!(await until(isConnected, START_MS))) throw new Error('the monitor did not start');
  await stage.untilHeld(1);
  const { title } = ALERT_RULES[rule];
  push.taken.length = 0;
  const from = Date.now();
  void cause({ stage, folder });
  const isTold = await until(() => push.taken.some((one) => String(one['title']).endsWith(`stage: ${title}`)), NEVER_MS);
  return isTold ? Date.now() - from : Infinity;
}

const words = process.argv.slice(2);
const chosen = ROWS.filter(({ fault, rule }) => words.length === 0 || words.some((word) => `${fault} ${rule}`.includes(word)));
let late = 0;
console.log('fault                                 alert             seconds  ');
for (const row of chosen) {
  const push = await ntfyService('tk');
  const ms = await measured(row, push).catch((error: unknown) => {
    console.error(error);
    return Infinity;
  });
  await cleanUp();
  await push.close();
  const { afterMs = 0 }: AlertRule = ALERT_RULES[row.rule];
  const [waitsMs, why] = row.waits ?? [afterMs, afterMs === 0 ? '' : 'the rule waits'];
  const isLate = ms > PROMISED_MS;
  const isMeant = isLate && waitsMs >= PROMISED_MS - 1_000 && ms <= waitsMs + PROMISED_MS;
  if (isLate && !isMeant) late++;
  const waits = waitsMs === 0 ? '' : `, of which ${waitsMs / 1_000}: ${why}`;
  console.log(
    `${row.fault.padEnd(37)} ${row.rule.padEnd(17)} ${(ms / 1_000).toFixed(2).padStart(7)}${waits}${isLate ? '  LATER than 5 s' : ''}`,
  );
}
if (words.length === 0) {
  for (const name of Object.keys(ALERT_RULES) as AlertRuleName[]) {
    if (ROWS.some(({ rule }) => rule === name)) continue;
    const { afterMs = 0 }: AlertRule = ALERT_RULES[name];
    console.log(`${'not injected'.padEnd(37)} ${name.padEnd(17)}       -  ${APART[name] ?? `waits ${afterMs / 1_000} s by itself`}`);
  }
}
console.log(late === 0 ? 'kept: at most 5 s, or as long as the rule waits by itself' : `not kept: ${late} later than 5 s`);
process.exitCode = late === 0 ? 0 : 1;
