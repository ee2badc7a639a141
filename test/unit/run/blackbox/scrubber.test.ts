/** What becomes of the ids in an entry of a session that may be sent. */
import { expect, it } from 'vitest';
import { isWatchdogSeq, parseClientId, watchdogClientId } from '../../../../src/domain/orders/command.ts';
import { ClientIds, UNKNOWN_OWN_ID, type SavedIds } from '../../../../src/domain/orders/client-ids.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import { FIELD_RULES } from '../../../../src/run/blackbox/allowed-fields.ts';
import { BOT, Scrubber } from '../../../../src/run/blackbox/scrubber.ts';

const EPOCH = 1_700_000_000;
const CLOSE = watchdogClientId({ bot: 'tw', epoch: EPOCH }, 0, 1);

function scrubber(): Scrubber {
  return new Scrubber({ startedAt: EPOCH * 1000, bot: 'tw', symbols: ['BTCUSDT'], texts: [], renames: new Map() });
}

it('keeps the closes of a watchdog in the table of ids, so that its orders stay explained', () => {
  const ids: SavedIds = { epochs: [{ epoch: EPOCH, from: 1 }], lostUpTo: EPOCH - 1, seen: 0, closes: [[7, CLOSE]] };
  const scrubbed = scrubber().scrub({ ids }) as { ids: SavedIds };
  const [[seq, clientId]] = scrubbed.ids.closes as [[number, string]];
  expect([seq, isWatchdogSeq(parseClientId(BOT, clientId).seq)]).toEqual([7, true]);
  const table = new ClientIds(BOT, scrubbed.ids);
  expect([table.seqOf(clientId, 8), table.isUnexplained(7)]).toEqual([7, false]);
  // The same id elsewhere is the same other id.
  const one = scrubber();
  const twice = one.scrub({ ids, clientId: CLOSE }) as { ids: SavedIds; clientId: string };
  expect(twice.clientId).toBe(twice.ids.closes![0]![1]);
  expect(JSON.stringify(twice)).not.toContain(CLOSE);
});

it('keeps a command that takes closes of a watchdog over', () => {
  const command = {
    name: 'import-closes',
    closes: [{ clientId: CLOSE, symbol: 'BTCUSDT', side: 0, size: 3, time: EPOCH * 1000 }],
    by: 'watchdog',
    why: 'x',
  };
  const scrubbed = scrubber().scrub({ command }) as { command: typeof command };
  expect(scrubbed.command).toMatchObject({ name: 'import-closes', closes: [{ symbol: 'BTCUSDT', side: 0, size: 3 }] });
  const { seq } = parseClientId(BOT, scrubbed.command.closes[0]!.clientId);
  expect(isWatchdogSeq(seq)).toBe(true);
  const ids = ClientIds.begin({ bot: BOT, epoch: 1 });
  expect(ids.seqOf(scrubbed.command.closes[0]!.clientId, 9)).toBe(UNKNOWN_OWN_ID);
});

/** Each part of the state of a kernel: this does not compile without one. */
const SNAPSHOT_KEYS: Readonly<Record<keyof KernelSnapshot, true>> = {
  added: true,
  allocation: true,
  brackets: true,
  executions: true,
  explained: true,
  forecasts: true,
  guards: true,
  knownUntil: true,
  halts: true,
  legs: true,
  losses: true,
  lostTriggers: true,
  marginSteps: true,
  modes: true,
  nextSeq: true,
  orders: true,
  params: true,
  reloads: true,
  schedules: true,
  state: true,
  strategies: true,
  symbols: true,
  trades: true,
  universes: true,
  version: true,
  watch: true,
};

it('has a rule for each part of the state that a session begins with but forecasts, and keeps every field of a strategy that was added', () => {
  // What a rehearsal said is of no use without the prices and orders in its words: the flatten after it is then not compared.
  expect(Object.keys(SNAPSHOT_KEYS).filter((key) => !FIELD_RULES.has(key))).toEqual(['forecasts']);
  const one = scrubber();
  const added = { grid: { bot: 'grid', symbols: ['BTCUSDT'], params: { range: '3' }, at: EPOCH * 1000 } };
  const scrubbed = one.scrub({ snapshot: { version: 1, added } }) as { snapshot: { added: Record<string, object> } };
  expect([...one.leftOut]).toEqual([]);
  expect(Object.values(scrubbed.snapshot.added).map((each) => Object.keys(each))).toEqual([['bot', 'symbols', 'params', 'at']]);
});

it('keeps what a strategy makes of words of its text and of numbers, and numbers each other word of it', () => {
  const texts = ["trade.reason = 'rung-' + n; note(`level${k} of größe_ ${price}`, label)"];
  const one = new Scrubber({ startedAt: EPOCH * 1000, bot: 'tw', symbols: ['BTCUSDT'], texts, renames: new Map() });
  const made = ['rung-12', 'rung-12/BTCUSDT', 'level3 of größe_ 57003.70', '5m', 'rung'];
  expect(made.map((reason) => one.scrub({ reason }))).toEqual(made.map((reason) => ({ reason })));
  expect(JSON.parse(one.state(JSON.stringify({ 'rung-1': ['rung-2', 7] })))).toEqual({ 'rung-1': ['rung-2', 7] });
  // The strategy gets the other text of a parameter, and makes its reasons of that one.
  const scrubbed = one.scrub({ params: { label: 'secret' }, reason: 'secret-4' }) as { params: { label: string }; reason: string };
  expect(scrubbed.reason).toBe(`${scrubbed.params.label}-4`);
  for (const secret of ['secret', 'rung-secret', 'rungs4x', '550e8400', '1234567890123', 'a1b2c3'])
    expect(JSON.stringify(one.scrub({ reason: secret }))).not.toContain(secret.replace('rung-', ''));
});
