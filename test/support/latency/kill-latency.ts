/**
 * Measures the time from an operator's kill until nothing is held, while the venue refuses a share of all requests and asks for a pause of
 * a minute: a real bot and a real exchange as processes. The exchange's ledger shows when it was flat, the bot's log when the bot knew it.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, adminOf, type Program } from '../../e2e/process.ts';
import { Scene } from '../../e2e/scene.ts';

const TOKEN = 'token-of-the-measurement';

export interface KillRun {
  /**
   * Milliseconds from the request until the ledger is flat without own orders, and until the bot reports it; Infinity if it did not happen.
   */
  readonly flatMs: number;
  readonly knownMs: number;
  /** Own orders and positions at the exchange at the time of the request. */
  readonly orders: number;
  readonly legs: number;
  /** Refused requests, and requests sent during a pause, by endpoint. */
  readonly refused: number;
}

export interface KillOptions {
  readonly seed: number;
  /** The share of requests that is refused. */
  readonly share: number;
  readonly retryAfter: string;
  readonly withinMs: number;
  readonly settings?: readonly string[];
}

/** Open own orders and held lots, by the ledger. */
function remainsOf(folder: string): { orders: number; legs: number } {
  const { orders, fills } = readLedger(folder);
  const lots = new Map<string, number>();
  for (const { instrument, side, effect, size } of fills) {
    const leg = `${instrument} ${side}`;
    lots.set(leg, (lots.get(leg) ?? 0) + (effect === 0 ? size : -size));
  }
  return { orders: orders.filter(({ ended }) => ended === null).length, legs: [...lots.values()].filter((size) => size !== 0).length };
}

/** Lets a busy bot trade, makes the venue refuse, sends `kill`, and waits. The caller cleans up. */
export async function killRun({
  seed,
  share,
  retryAfter,
  withinMs,
  settings = [],
}: KillOptions): Promise<KillRun & { readonly bot: Program }> {
  const scene = new Scene(seed);
  const exchange = scene.exchange('0', ['--admin-port', '0'], { TICKWRIGHT_ADMIN_TOKEN: TOKEN });
  const bot = scene.run(await addressOf(exchange), settings);
  await bot.untilLogged('fill', 6);
  await bot.until('something is held and something rests', () => isBusy(remainsOf(scene.ledgerFolder)));
  const faults = `${await adminOf(exchange)}/faults`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const rules = [{ fault: 'status', phase: 'before', status: 429, retryAfter, endpoints: 'all', probability: share }];
  const put = await fetch(faults, { method: 'PUT', headers, body: JSON.stringify({ seed, rules }) });
  if (put.status !== 200) throw new Error(await put.text());
  // Typical pauses of a bot that has been refused for a while.
  await sleep(2_000);
  const before = remainsOf(scene.ledgerFolder);
  const from = performance.now();
  const called = await callControl(scene.botFolder, { method: 'POST', name: 'kill', given: { by: 'measurement', wait: 0 } });
  if (!called.isThere || called.status !== 200) throw new Error(JSON.stringify(called));
  let [flatMs, knownMs] = [Infinity, Infinity];
  while (performance.now() - from < withinMs && (flatMs === Infinity || knownMs === Infinity)) {
    const { orders, legs } = remainsOf(scene.ledgerFolder);
    const now = performance.now() - from;
    if (orders + legs > 0) flatMs = Infinity;
    else if (flatMs === Infinity) flatMs = now;
    if (bot.logged('halt-lifted').some(({ code }) => code === 'flatten')) knownMs = Math.min(knownMs, now);
    await sleep(50);
  }
  const refused = readLedger(join(scene.ledgerFolder)).faults.length;
  return { flatMs, knownMs, ...before, refused, bot };
}

function isBusy({ orders, legs }: { orders: number; legs: number }): boolean {
  return orders >= 3 && legs >= 2;
}
