/** The faults that call a person, one row each, for `npm run alerts`: how each is caused in a real bot on a real exchange, and the rule that tells it. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertRuleName } from '../src/base/tables/alert-rules.ts';
import type { ControlName } from '../src/control/commands.ts';
import { operate } from '../src/run/bot/outside/operate.ts';
import { addressOf, DEMO, launch, ROOT } from '../test/e2e/process.ts';
import { RISK, type Stage, type StageOptions } from '../test/e2e/stage.ts';
import type { AlertService } from '../test/support/monitor/alert-services.ts';
import { callWeb, tokenOf } from '../test/support/monitor/monitor-client.ts';
import { hasSmallDisk, smallDisk, type SmallDisk } from '../test/support/stores/small-disk.ts';

export interface Scene {
  readonly stage: Stage;
  /** The state folder of the bot. */
  readonly folder: string;
  /** The second channel, if the row wants one. */
  readonly second: AlertService | null;
  /** A small disk, if the row wants one. */
  readonly disk: SmallDisk | null;
}

export interface Row {
  readonly fault: string;
  readonly rule: AlertRuleName;
  /** Time that the rule or a limit waits by itself, and what makes it. */
  readonly waits?: readonly [ms: number, why: string];
  /** Sections of the configuration. */
  readonly config?: (scene: Scene) => Promise<NonNullable<StageOptions['config']>> | NonNullable<StageOptions['config']>;
  /** Variables of the bot's environment; `folder` is one for files of the row. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** A second channel beside the one at which messages are timed. */
  readonly hasSecond?: true;
  readonly hasDisk?: true;
  /** Returns the time of the cause by Date.now(), if that is not when it was called. */
  readonly cause: (scene: Scene) => Promise<number | void>;
}

const HOLDER = join(ROOT, 'test/e2e/strategies/holder.ts');
const ON_BTC = { account: 'account-1', symbol: 'BTCUSDT', side: 'LONG' } as const;
/** An answer that is lost is known to be lost after this time. */
const TIMEOUT_MS = 1_000;
/** A start may take so long. */
const START_MS = 45_000;

const typed = async ({ folder }: Scene, name: ControlName, given: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  const { isRefused, body } = await operate(folder, name, given);
  if (isRefused) throw new Error(`${name}: ${JSON.stringify(body)}`);
};

const impatient = async ({ stage }: Scene, external?: object): Promise<Record<string, unknown>> => ({
  venue: { baseUrl: await addressOf(stage.exchange), timeoutMs: TIMEOUT_MS },
  ...(external === undefined ? {} : { external }),
});

/** The holder opens again as soon as its leg is smaller: the next order of the bot. */
const openAgain = ({ stage }: Scene): Promise<void> => stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');

/** Longer than a busy machine keeps a bot from its turn. */
const SILENCE_MS = 15_000;
/** In this time more trades happen than the first page of a round asks for. */
const UNREAD_MS = 30_000;

/** Starts the watchdog of its bot. Returns when it watches. */
async function watchdogOf({ folder }: Stage): Promise<number> {
  const watchdog = launch(['watchdog', '--config', join(folder, 'bot.yaml')], DEMO);
  await watchdog.untilLogged('watchdog-watching');
  return Date.now();
}

/** A strategy whose text can be changed. */
const reloadable = (act: string): string => `import { defineStrategy } from 'tickwright'; export default defineStrategy({
  name: 'reloadable',
  create: () => ({
    onQuote(market, ctx) {
      ${act}
      if (market.long.lots === 0 && market.long.opening === 0) ctx.open(market, 'LONG', { size: 0.1, reason: 'hold' });
    },
  }),
});
`;

/** A module that Node loads before the program; its text is in a file of the folder. */
function preloaded(folder: string, text: string): Readonly<Record<string, string>> {
  const file = join(folder, 'preloaded.mjs');
  writeFileSync(file, text);
  return { NODE_OPTIONS: `--import=${file}` };
}

/** A minute in UTC that begins `aheadMs` from now at the earliest. */
function nextMinute(aheadMs: number): Date {
  return new Date(Math.ceil((Date.now() + aheadMs) / 60_000) * 60_000);
}

/** Opens are allowed until a minute that begins when the bot runs. */
function hoursEnd(): Row {
  let at = 0;
  return {
    fault: 'the hours of trading end',
    rule: 'market',
    config: () => {
      const closes = nextMinute(START_MS);
      at = closes.getTime();
      const others = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) => minute !== closes.getUTCMinutes());
      return { risk: { ...RISK, tradingHours: `${others.join(',')} * * * *` }, alerts: { rules: { market: 'warning' } } };
    },
    cause: () => until(at),
  };
}

/** A built-in of the runtime gives wrong answers from some time on, so that a check of a leg fails at its next fill. */
function checkFails(): Row {
  let file = '';
  return {
    fault: 'a check of its own state fails',
    rule: 'bug',
    config: () => ({ external: { position: 'adopt' } }),
    env: (folder) => {
      file = join(folder, 'broken');
      const text = `import { existsSync } from 'node:fs';
const real = Number.isSafeInteger;
let isBroken = false;
Number.isSafeInteger = (value) => real(value) && !(isBroken && new Error().stack.includes('leg.ts'));
setInterval(() => (isBroken ||= existsSync(${JSON.stringify(file)})), 20).unref();
`;
      return preloaded(folder, text);
    },
    cause: async (scene) => {
      writeFileSync(file, '');
      await openAgain(scene);
    },
  };
}

/** Returns `at` then. @throws Error if it is over */
async function until(at: number): Promise<number> {
  if (at < Date.now()) throw new Error(`the start took longer than ${START_MS / 1_000} s`);
  await sleep(at - Date.now());
  return at;
}

function throwing(): Record<string, unknown> {
  return {
    strategies: [
      { file: HOLDER, symbols: ['BTCUSDT'] },
      { file: join(ROOT, 'test/e2e/monitor/throws.ts'), symbols: ['ETHUSDT'] },
    ],
  };
}

const throws = (scene: Scene, times: number): Promise<unknown> =>
  Promise.all(Array.from({ length: times }, () => typed(scene, 'signal', { strategy: 'throws', text: 'throw' })));

export const ROWS: readonly Row[] = [
  { fault: 'a person halts', rule: 'operator', cause: (scene) => typed(scene, 'halt') },
  { fault: 'a person kills', rule: 'kill', cause: (scene) => typed(scene, 'kill', { wait: 0 }) },
  { fault: 'kill -9', rule: 'bot-lost', cause: ({ stage }) => stage.bot.kill('SIGKILL') },
  { fault: 'SIGSTOP: it stands still', rule: 'bot-lost', cause: async ({ stage }) => stage.bot.send('SIGSTOP') },
  {
    fault: 'SIGSTOP: the watchdog acts',
    rule: 'watchdog',
    waits: [SILENCE_MS, 'watchdog.silenceMs'],
    config: () => ({ watchdog: { start: 'apart', silenceMs: SILENCE_MS } }),
    cause: async ({ stage }) => {
      await watchdogOf(stage);
      stage.bot.send('SIGSTOP');
      return Date.now();
    },
  },
  {
    fault: 'the venue refuses the watchdog’s key',
    rule: 'watchdog-unable',
    waits: [10_000, 'ten seconds of trouble count'],
    config: async ({ stage }) => {
      const credentials = join(stage.folder, 'watchdog.yaml');
      writeFileSync(credentials, 'key: "demo-key"\nsecret: "wrong"\npassphrase: "demo-pass"\n', { mode: 0o600 });
      return { watchdog: { start: 'apart', credentials } };
    },
    cause: ({ stage }) => watchdogOf(stage),
  },
  {
    fault: 'its watchdog is killed',
    rule: 'watchdog-unable',
    waits: [5_000, 'the bot waits so long for another'],
    config: () => ({ watchdog: { start: 'apart' } }),
    cause: async ({ stage }) => {
      const watchdog = launch(['watchdog', '--config', join(stage.folder, 'bot.yaml')], DEMO);
      await watchdog.untilLogged('watchdog-watching');
      const at = Date.now();
      await watchdog.kill('SIGKILL');
      return at;
    },
  },
  {
    fault: 'it stops and leaves an order',
    rule: 'orders-left',
    config: () => ({ strategies: [{ file: join(ROOT, 'test/e2e/strategies/rests.ts'), symbols: ['BTCUSDT'] }] }),
    cause: async ({ stage: { bot } }) => {
      await bot.untilLogged('order-placed');
      const at = Date.now();
      bot.send('SIGTERM');
      return at;
    },
  },
  { fault: 'it is asked to stop', rule: 'stopped', cause: async ({ stage }) => stage.bot.send('SIGTERM') },
  {
    fault: 'the store is lost while it runs',
    rule: 'store',
    cause: async ({ folder }) => {
      for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `store.sqlite${end}`), { force: true });
    },
  },
  {
    fault: 'trades are read again too late',
    rule: 'market-data',
    config: () => ({
      strategies: [
        { file: HOLDER, symbols: ['BTCUSDT'] },
        { file: join(ROOT, 'test/e2e/strategies/joiner.ts'), symbols: ['ETHUSDT'] },
      ],
    }),
    cause: async ({ stage }) => {
      await stage.faults([{ fault: 'status', status: 503, endpoints: ['E8'] }]);
      await sleep(UNREAD_MS);
      // The page before the newest one never comes: what lies between is lost.
      await stage.faults([{ fault: 'mixup', endpoints: ['E8'] }]);
      return Date.now();
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
    cause: async ({ stage }) =>
      void (await stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '-20000' })),
  },
  {
    fault: 'the equity falls, liquidation is near',
    rule: 'liquidation',
    config: () => ({ risk: { ...RISK, liquidationBuffer: '0.5' } }),
    cause: async ({ stage }) =>
      void (await stage.operator('deposit', { account: 'account-1', wallet: 'futures', coin: 'USDT', amount: '-99000' })),
  },
  {
    fault: 'another program uses our name',
    rule: 'two-bots',
    cause: async ({ stage }) => {
      const clientOid = stage.orders('OPEN')[0]!.clientOid.replace(/-[0-9a-z]+$/, '-zzz');
      const params = {
        symbol: 'BTCUSDT',
        marginMode: 'CROSS',
        size: '0.1',
        side: 'SHORT',
        tradeSide: 'OPEN',
        orderType: 'MARKET',
        clientOid,
      };
      await stage.operator('call', { account: 'account-1', endpoint: 'E12', params });
    },
  },
  {
    fault: 'the answer to another order',
    rule: 'two-bots',
    config: async ({ stage }) => {
      await stage.faults([{ fault: 'mixup', endpoints: ['E12'] }]);
      return { external: { position: 'adopt' } };
    },
    cause: openAgain,
  },
  {
    fault: 'a spot order whose answer is lost',
    rule: 'order-unknown',
    config: async (scene) => {
      await scene.stage.faults([{ fault: 'drop', phase: 'after', endpoints: ['E1'] }]);
      const strategies = [
        { file: HOLDER, symbols: ['BTCUSDT'] },
        { file: join(ROOT, 'bench/strategies/spot-at-signal.ts'), symbols: ['spot:BTCUSDT'] },
      ];
      return { ...(await impatient(scene)), strategies };
    },
    cause: (scene) => typed(scene, 'signal', { strategy: 'spot-at-signal', text: 'buy' }),
  },
  {
    fault: 'an order lands after it was given up',
    rule: 'order-unknown',
    config: (scene) => impatient(scene, { position: 'adopt' }),
    cause: async (scene) => {
      const { stage } = scene;
      const before = stage.orders('OPEN').length;
      await stage.faults([{ fault: 'late', endpoints: ['E12'], ms: 12_000, count: 1 }]);
      await openAgain(scene);
      // It is given up and sent as another order; then the first one lands.
      while (stage.orders('OPEN').length < before + 2) await sleep(20);
      return Date.now();
    },
  },
  {
    fault: 'an answer is lost, and reads fail',
    rule: 'order-unresolved',
    waits: [13_000, 'the time-out of the request, 10 s, then the rule waits'],
    config: () => ({ external: { position: 'adopt' } }),
    cause: async (scene) => {
      await scene.stage.faults([
        { fault: 'drop', phase: 'after', endpoints: ['E12'], count: 1 },
        { fault: 'status', status: 503, endpoints: ['E17', 'E18'] },
      ]);
      await openAgain(scene);
    },
  },
  {
    fault: 'money is withdrawn',
    rule: 'theft',
    waits: [60_000, 'withdrawals are read each minute, poll.withdrawals'],
    cause: async ({ stage }) => void (await stage.operator('withdrawal', { account: 'account-1', coin: 'USDT', amount: '500' })),
  },
  {
    fault: 'a person changes the leverage',
    rule: 'account',
    cause: async ({ stage }) => void (await stage.operator('leverage', { ...ON_BTC, leverage: 7 })),
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
    cause: async ({ stage }) => void (await stage.operator('revoke-key', { account: 'account-1' })),
  },
  {
    fault: 'a strategy throws',
    rule: 'strategy-error',
    config: throwing,
    cause: async (scene) => void (await throws(scene, 1)),
  },
  {
    fault: 'a strategy throws ten times',
    rule: 'strategy',
    config: throwing,
    cause: async (scene) => void (await throws(scene, 10)),
  },
  {
    fault: 'a reloaded strategy throws',
    rule: 'reload',
    config: ({ stage }) => {
      const file = join(stage.folder, 'reloadable.ts');
      writeFileSync(file, reloadable(''));
      return { strategies: [{ file, symbols: ['BTCUSDT'] }] };
    },
    cause: async (scene) => {
      writeFileSync(join(scene.stage.folder, 'reloadable.ts'), reloadable("throw new Error('the new text');"));
      await typed(scene, 'reload', { strategy: 'reloadable' });
    },
  },
  {
    fault: 'a symbol is removed, its position stays',
    rule: 'unwatched',
    config: () => ({ strategies: [{ file: HOLDER, symbols: ['BTCUSDT', 'ETHUSDT'] }] }),
    cause: async (scene) => {
      const { bot } = scene.stage;
      await bot.until('both are held', () => new Set(bot.logged('fill').map(({ symbol }) => symbol)).size === 2);
      const at = Date.now();
      await typed(scene, 'remove', { strategy: 'holder', symbol: 'BTCUSDT', position: 'keep' });
      return at;
    },
  },
  checkFails(),
  {
    fault: 'the disk of its recording is full',
    rule: 'disk',
    hasDisk: true,
    config: ({ folder, disk }) => {
      mkdirSync(folder, { mode: 0o700 });
      symlinkSync(disk!.folder, join(folder, 'sessions'));
      return { record: { enabled: true } };
    },
    cause: async ({ disk }) => disk!.fill(),
  },
  {
    fault: 'a token of `open` is used twice',
    rule: 'intruder',
    cause: async ({ folder }) => {
      const { url, token } = await tokenOf(folder);
      for (let k = 0; k < 2; k++) await callWeb(url, 'POST', '/api/login', {}, { token });
    },
  },
  {
    fault: 'the venue refuses each open',
    rule: 'error',
    config: () => ({ external: { position: 'adopt' } }),
    cause: async (scene) => {
      await scene.stage.faults([{ fault: 'refuse', endpoints: ['E12'], msg: 'Insufficient balance' }]);
      await openAgain(scene);
    },
  },
  hoursEnd(),
  {
    fault: 'a fill',
    rule: 'fill',
    config: () => ({ alerts: { rules: { fill: 'info' } } }),
    cause: (scene) => typed(scene, 'flatten'),
  },
  {
    fault: 'a channel refuses each message',
    rule: 'channel',
    waits: [30_000, 'the rule waits'],
    hasSecond: true,
    cause: async (scene) => {
      scene.second!.always = { status: 500 };
      await typed(scene, 'halt');
    },
  },
];

/** Why the row cannot run here; "" if it can. */
export function lacking({ hasDisk }: Row): string {
  return hasDisk === true && !hasSmallDisk('the alert of a full disk') ? 'takes the right to mount a tmpfs' : '';
}

export const diskOf = ({ hasDisk }: Row): SmallDisk | null => (hasDisk === true ? smallDisk(2_048) : null);
