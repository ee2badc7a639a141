/** Observations of a configuration for test/unit/config/config-keys.test.ts: each result differs if its key differs. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotConfig } from '../../src/config/model.ts';
import { LONG, PLACE } from '../../src/domain/codes.ts';
import { ClientIds } from '../../src/domain/orders/client-ids.ts';
import { emptyCommand } from '../../src/domain/orders/command.ts';
import type { ExternalKind } from '../../src/domain/messages/external.ts';
import type { KernelOptions } from '../../src/engine/options.ts';
import type { StrategyHandlers } from '../../src/engine/strategy/definition/types.ts';
import type { Answer, Query } from '../../src/ports/venue.ts';
import { kernelSettings } from '../../src/run/bot/preflight.ts';
import { openRecorder } from '../../src/run/session/open-recorder.ts';
import { Secret } from '../../src/base/secret.ts';
import { btc, MemoryLog, orderReport, positionReport, pushedRig, rig, settleReads, type Rig } from './engine/engine-kit.ts';
import { runToEnd } from '../e2e/process.ts';

/** The recordings after a start: an old one (three days, 2 MB), and that of the start itself. */
export function sessionsKept(config: BotConfig): unknown {
  const state = mkdtempSync(join(tmpdir(), 'tickwright-sessions-'));
  const old = join(state, 'sessions', '2026-01-01T00-00-00-000Z');
  const file = join(old, '000001.seg');
  mkdirSync(old, { recursive: true });
  writeFileSync(file, Buffer.alloc(2 * 1_048_576));
  const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000);
  utimesSync(file, threeDaysAgo, threeDaysAgo);
  const recovered = { ids: ClientIds.begin({ bot: 'a', epoch: 1 }), journalEnd: Infinity };
  const credentials = { key: new Secret('k'), secret: new Secret('s'), passphrase: new Secret('p') };
  const parts = {
    config: { ...config, store: { ...config.store, folder: state } },
    instruments: [btc()],
    recovered,
    snapshot: null,
    credentials,
  };
  openRecorder({ ...parts, startedAt: Date.now(), log: new MemoryLog() })?.close();
  const kept = [existsSync(old), readdirSync(join(state, 'sessions')).length];
  rmSync(state, { recursive: true });
  return kept;
}

const EQUITY = 1_000_000_000_000;

/** The kernel options that a live bot derives from the configuration. */
function told(config: BotConfig): Partial<KernelOptions> {
  const { strategies: _none, instruments: _one, ...settings } = kernelSettings(config, { instruments: [btc()], strategies: [] });
  return settings;
}

const haltsOf = (r: Rig): string[] => r.kernel.status().halts.map(({ code }) => code);

/** A bot on a pushed venue: a few orders, then the equity falls by half while one rests. */
export function limitedBy(config: BotConfig): unknown {
  let equity = EQUITY / 10;
  const r = pushedRig(
    {},
    {
      risk: told(config).risk!,
      pushed: { equity: () => equity, account: () => ({ available: 0, locked: 0, unrealised: 0 }), positions: () => [] },
    },
  );
  r.advance(1000);
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  const placed = [1, 2, 3, 4, 5, 6].map((k) => r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 1000 - k, '0.1'));
  for (const n of placed) if (n > 0) r.venue.accepted(n, `v${n}`);
  equity /= 2;
  r.advance(2000);
  return [placed.map((n) => n > 0), haltsOf(r), r.venue.commands.length];
}

/** Seconds until the bot halts because positions or the account cannot be read. */
export const unreadAfter =
  (kind: 'positions' | 'account') =>
  (config: BotConfig): unknown => {
    const r = rig({}, told(config));
    r.kernel.inbox.start();
    for (let second = -10; second <= 90; second++) {
      r.advance(1000);
      for (const query of second < 0 ? [] : r.open.splice(0)) {
        if (query.kind === kind) r.venue.failed(query, 'time-out');
        else r.open.push(query);
      }
      settleReads(r, [], []);
      if (haltsOf(r).length > 0) return [second, haltsOf(r)];
    }
    return 'never';
  };

const ACCOUNT = {
  instrument: 0,
  equity: EQUITY,
  available: EQUITY,
  locked: 0,
  unrealised: 0,
  marginMode: 0,
  longLeverage: 10,
  shortLeverage: 10,
};
const WITHDRAWAL = { id: 'w1', coin: 'USDT', size: '5', status: 'pending', toAddress: 'x' };
/** A position at 1000.0 whose mark price is beyond its liquidation price. */
const DOOMED = positionReport(LONG, 100, { liquidationPrice: 1001, markPrice: 1000.1 });

/** The venue's answers after the event, if they differ from the usual ones; null for a failure. */
const ANSWERS: Readonly<Record<ExternalKind, (query: Query) => Answer | null | undefined>> = {
  position: ({ kind }) => (kind === 'positions' ? { kind, positions: [positionReport(LONG, 100)] } : undefined),
  liquidation: () => undefined,
  withdrawal: ({ kind }) => (kind === 'withdrawals' ? { kind, withdrawals: [WITHDRAWAL] } : undefined),
  transfer: ({ kind }) => changed(kind, { available: EQUITY * 0.9, equity: EQUITY * 0.9 }),
  equityDrop: ({ kind }) => changed(kind, { equity: EQUITY * 0.4, unrealised: -EQUITY * 0.6 }),
  leverage: ({ kind }) => changed(kind, { longLeverage: 20 }),
  marginMode: ({ kind }) => changed(kind, { marginMode: 1 }),
  offline: ({ kind, instrument }) => ((kind === 'trades' || kind === 'positions') && instrument === 0 ? null : undefined),
};

function changed(kind: Query['kind'], fields: Partial<typeof ACCOUNT>): Answer | undefined {
  return kind === 'account' ? ({ kind, account: { ...ACCOUNT, ...fields } } as never) : undefined;
}

/** The halts of a bot after this event. */
export const happened =
  (event: ExternalKind) =>
  (config: BotConfig): unknown => {
    const isPosition = event === 'liquidation';
    const r = rig({ onTrade: () => undefined }, told(config));
    r.kernel.inbox.start();
    const found = new Set<string>();
    for (let step = 0; step < 200; step++) {
      const isOver = step > 40;
      // Queries caused by an answer are answered as well.
      for (let k = 0; k < r.open.length; k++) {
        const query = r.open[k]!;
        const answer = isOver ? ANSWERS[event](query) : undefined;
        if (answer === undefined) continue;
        r.open.splice(k--, 1);
        const now = r.clock.time;
        if (answer === null) r.venue.failed(query, 'unknown-instrument');
        else r.venue.answered(query, answer, now, now);
      }
      settleReads(r, [], isPosition && !isOver ? [{ ...DOOMED, updatedAt: r.clock.time } as never] : []);
      r.advance(250);
      for (const code of haltsOf(r)) found.add(code);
    }
    return [...found].filter((code) => code.startsWith('external-'));
  };

/** The fate of an open order with the bot's id that its journal does not contain. */
export function unknownOwnOrder(config: BotConfig): unknown {
  const r = rig({}, told(config));
  const command = { ...emptyCommand(), kind: PLACE, seq: 99, price: 9_990, size: 10, time: r.clock.time };
  r.kernel.inbox.start();
  for (let step = 0; step < 20; step++) {
    settleReads(r, [orderReport(command, 'open')], []);
    r.advance(250);
  }
  // The operator reports that the journal is lost.
  r.kernel.inbox.rotateEpoch();
  return [r.venue.commands.map(({ kind }) => kind), haltsOf(r)];
}

/** The fate of orders and position of a strategy that was stopped for its errors. */
export function strategyStopped(config: BotConfig): unknown {
  let isFaulty = false;
  const handlers: StrategyHandlers = {
    onQuote() {
      if (isFaulty) throw new Error('a fault');
    },
  };
  const r = pushedRig(handlers, { ...told(config), polls: null });
  const [market] = r.ctx().markets;
  const held = r.ctx().open(market!, 'LONG', { size: '0.1' });
  r.venue.accepted(held, 'v1');
  r.venue.pushedFill(held, 100, 10_002);
  const rests = r.ctx().limit(market!, 'LONG', 'OPEN', 999, '0.1');
  r.venue.accepted(rests, 'v2');
  const before = r.venue.commands.length;
  isFaulty = true;
  for (let k = 0; k < 20; k++) r.kernel.inbox.onQuote(0, 10_000 - k, 5_000, 10_002, 5_000);
  r.advance(1000);
  return r.venue.commands.slice(before).map(({ kind, effect }) => `${kind} ${effect}`);
}

/** Result of `tickwright backtest` with a strategy whose first handler is this code. */
const backtestOf = async (folder: string, tape: string, code: string, set: Readonly<Record<string, unknown>>): Promise<unknown> => {
  const at = mkdtempSync(join(folder, 'own-'));
  const strategy = join(at, 'own.ts');
  const handler = `onQuote() { ${code} }`;
  writeFileSync(
    strategy,
    `import { defineStrategy } from 'tickwright';\nlet isDone = false; void isDone;\nexport default defineStrategy({ name: 'own', create: () => ({ ${handler} }) });\n`,
  );
  const flags = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${String(value)}`]);
  return (await runToEnd(['backtest', '--no-bracket', '--tape', tape, '--strategy', strategy, ...flags])).code;
};

/** With a strategy whose handler takes two seconds, and with one that reads the clock. */
export const slowBacktest = (folder: string, tape: () => string) => (config: BotConfig) =>
  backtestOf(folder, tape(), 'if (isDone) return; isDone = true; for (const end = Date.now() + 2000; Date.now() < end;);', {
    strategyGuard: 'off',
    handlerLimitMs: config.handlerLimitMs,
  });
export const clockBacktest = (folder: string, tape: () => string) => (config: BotConfig) =>
  backtestOf(folder, tape(), 'Date.now();', { strategyGuard: config.strategyGuard });
