import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import type { SavedHalt } from '../../../../src/domain/messages/saved-halt.ts';
import { DurableHalts } from '../../../../src/run/bot/store/durable-halts.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';

const KILL: SavedHalt = { scope: 'bot', code: 'kill', detail: '', since: 5, by: 'ann', seq: 0 };
const SYMBOL: SavedHalt = { scope: 'symbol:BTCUSDT', code: 'operator', detail: 'news', since: 6, by: 'ann', seq: 0 };
const OF_COMMAND: SavedHalt = { scope: 'symbol:BTCUSDT', code: 'outcome-unknown', detail: '', since: 6, by: 'bot', seq: 9 };

let folder: string;
let log: MemoryLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-halts-'));
  log = new MemoryLog();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): DurableHalts => new DurableHalts(join(folder, 'bot'), log);
const file = (): string => join(folder, 'bot.halts.json');
const saved = (halts: readonly SavedHalt[]): KernelSnapshot => ({ version: 1, nextSeq: 3, orders: [], halts, strategies: {} });

describe('the marker file', () => {
  test('keeps a halt that a person must end, also if the store is gone', () => {
    const halts = open();
    expect(halts.restored(null, 1)).toBeNull();
    halts.stand([KILL, OF_COMMAND]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(open().restored(null, 1)?.halts).toEqual([KILL]);
  });

  test('drops a halt only after its end is durable in the journal', () => {
    const halts = open();
    halts.restored(null, 1);
    halts.stand([KILL, SYMBOL]);
    halts.stand([SYMBOL]);
    expect(open().restored(null, 1)?.halts).toEqual([KILL, SYMBOL]);
    halts.settled();
    expect(open().restored(null, 1)?.halts).toEqual([SYMBOL]);
    halts.stand([]);
    halts.settled();
    expect(open().restored(null, 1)).toBeNull();
  });

  test('keeps an ended halt while a new one is written before the journal is durable', () => {
    const halts = open();
    halts.restored(null, 1);
    halts.stand([KILL]);
    halts.stand([]);
    halts.stand([SYMBOL]);
    expect(open().restored(null, 1)?.halts).toEqual([KILL, SYMBOL]);
  });

  test('has the newest reason of a halt, also if the journal does not', () => {
    const halts = open();
    halts.restored(null, 1);
    halts.stand([SYMBOL]);
    const again = { ...SYMBOL, detail: 'news; and more' };
    halts.stand([again]);
    expect(open().restored(saved([SYMBOL, OF_COMMAND]), 1)?.halts).toEqual([OF_COMMAND, again]);
  });

  test('adds to the journal’s halts, and logs that', () => {
    open().stand([KILL, SYMBOL]);
    const restored = open().restored(saved([SYMBOL, OF_COMMAND]), 1);
    expect(restored?.halts).toEqual([SYMBOL, OF_COMMAND, KILL]);
    expect(restored?.nextSeq).toBe(3);
    expect(log.lines.at(-1)).toMatchObject({ event: 'halts-from-marker', fields: { halts: ['bot kill'] } });
  });

  test('halts the bot if it is damaged, until a person confirms', () => {
    open().stand([KILL]);
    writeFileSync(file(), readFileSync(file(), 'utf8').slice(0, 40));
    expect(open().restored(saved([]), 7)?.halts).toMatchObject([{ scope: 'bot', code: 'marker-damaged', since: 7 }]);
  });
});
