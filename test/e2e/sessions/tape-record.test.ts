/** `tape record` and `run --record` on the paper exchange, killed in the middle: the rows are those that the exchange served. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { tapeInfo, type TapeInfo } from '../../../src/tape/quality/info.ts';
import { readManifest } from '../../../src/tape/read.ts';
import { streamsOf } from '../../../src/tape/streams-of.ts';
import { rowsOf, type Row } from '../../support/tape/tape-rows.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, type Program } from '../process.ts';

afterEach(cleanUp);

const SYMBOL = 'BTCUSDT';

function rows(folder: string, kind: string): Row[] {
  const [stream] = streamsOf(folder, readManifest(folder), (info) => info.symbol === SYMBOL && info.kind === kind, true);
  const all = stream === undefined ? [] : rowsOf(stream);
  stream?.close();
  return all;
}

function countOf(folder: string): number {
  return existsSync(join(folder, 'tape.json')) ? readable(folder) : 0;
}

function readable(folder: string): number {
  try {
    return readManifest(folder).rows;
  } catch (error) {
    if ((error as Error).message.includes('a recording without any')) return 0;
    throw error;
  }
}

/** A tape, and an exchange that serves it in real time. */
async function served(): Promise<{ folder: string; tape: string; url: string; exchange: Program }> {
  const folder = freshFolder();
  const tape = join(folder, 'tape');
  await runToEnd(['tape', 'synth', '--out', tape, '--symbol', SYMBOL, '--duration', '2m', '--seed', '3']);
  const exchange = launch(['exchange', '--tape', tape, '--port', '0', '--state', join(folder, 'exchange')]);
  return { folder, tape, url: await addressOf(exchange), exchange };
}

/** Holds the recorded rows against the served ones. Returns the number of trades that are missing between the first and the last. */
function compare(recording: string, tape: string): number {
  const source = new Map(rows(tape, 'trades').map((row) => [row[1], row]));
  const trades = rows(recording, 'trades');
  // The exchange plays the tape now: times are moved by a constant.
  const moved = trades[0]![0] - source.get(trades[0]![1])![0];
  for (const [time, id, ...rest] of trades) expect([time - moved, id, ...rest]).toEqual(source.get(id));
  expect(trades.every(([, id], k) => k === 0 || id > trades[k - 1]![1])).toBe(true);
  const shown = new Set(rows(tape, 'quotes').map((row) => row.join()));
  const quotes = rows(recording, 'quotes');
  for (const [time, ...rest] of quotes) expect(shown).toContain([time - moved, ...rest].join());
  expect(new Set(quotes.map((row) => row.join())).size).toBe(quotes.length);
  return trades.at(-1)![1] - trades[0]![1] + 1 - trades.length;
}

async function untilRows(program: Program, folder: string, more: number): Promise<void> {
  const before = countOf(folder);
  await program.until(`${more} more rows`, () => countOf(folder) >= before + more);
}

describe('recordings', () => {
  it('of a venue alone go on after kill -9 without a missing trade; they backtest, are told by `tape info`, and take few bytes', async () => {
    const { folder, tape, url, exchange } = await served();
    const out = join(folder, 'recorded');
    const set = ['--set', `venue.baseUrl=${url}`];
    const args = ['tape', 'record', '--config', 'config/paper.yaml', '--out', out, '--symbol', SYMBOL, '--json', ...set];
    for (let kill = 0; kill < 2; kill++) {
      const recorder = launch(args);
      await untilRows(recorder, out, 60);
      if (kill === 0) {
        const other = await runToEnd(args);
        expect([other.code, other.err]).toEqual([75, expect.stringContaining('in use by process')]);
      }
      await recorder.kill('SIGKILL');
      // A reader needs no recorder.
      expect(compare(out, tape)).toBe(0);
    }
    const last = await runToEnd([...args, '--for', '2s']);
    expect([last.code, last.err]).toEqual([0, '']);
    expect(JSON.parse(last.out)).toMatchObject({ folder: out, gaps: 0 });
    await exchange.kill('SIGTERM');
    expect(compare(out, tape)).toBe(0);
    expect(readdirSync(out).toSorted()).toEqual(['BTCUSDT.quotes.tape', 'BTCUSDT.trades.tape', 'tape.json']);

    const info = JSON.parse((await runToEnd(['tape', 'info', out, '--json'])).out) as TapeInfo;
    expect(info.recording!.spans).toHaveLength(3);
    expect(info.recording!.gaps).toEqual([]);
    expect(info.bytesPerRow).toBeLessThan(20);
    const text = (await runToEnd(['tape', 'info', out])).out;
    expect(text).toContain('in 3 runs');
    const test = await runToEnd(['backtest', '--strategy', 'strategies/quoter.ts', '--tape', out, '--json']);
    expect([test.code, test.err]).toEqual([0, '']);
  });

  it('of a bot (--record, or record.tape) hold what its polls showed, and note what it missed', async () => {
    const { folder, tape, url } = await served();
    const out = join(folder, 'recorded');
    const settings = {
      'venue.baseUrl': url,
      'store.folder': join(folder, 'bot'),
      orderHorizonMs: 2000,
      listLagMs: 2000,
      'poll.quotes': 500,
    };
    const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const args = ['run', '--config', 'config/paper.yaml', '--strategy', 'strategies/ema-cross.ts', '--symbol', SYMBOL, ...set];
    const first = launch([...args, '--record', out], DEMO);
    await untilRows(first, out, 60);
    await first.kill('SIGKILL');
    expect(compare(out, tape)).toBe(0);
    // Longer than a gap is.
    await sleep(5_500);
    const second = launch([...args, '--set', `record.tape=${out}`], DEMO);
    await untilRows(second, out, 60);
    await second.kill('SIGINT');
    const missing = compare(out, tape);
    const { recording } = tapeInfo(out);
    expect(recording!.gaps.filter(({ cause }) => cause === 'stopped')).toMatchObject([{ kind: 'quotes', symbol: '' }]);
    // The bot reads back as far as its strategy needs: what it did not read is told.
    expect(recording!.gaps.filter(({ cause }) => cause === 'missed').length).toBe(missing > 0 ? 1 : 0);
    expect((await runToEnd(['tape', 'info', out])).out).toMatch(/all quotes not recorded for \d/);

    // The sessions of the bot saw the same market.
    const exported = async (name: string, from: readonly string[], kind: string): Promise<string[]> => {
      const ran = await runToEnd(['tape', 'export', ...from, '--out', join(folder, name), '--json']);
      expect([ran.code, ran.err]).toEqual([0, '']);
      return readFileSync(join(folder, name, `${SYMBOL}.${kind}.csv`), 'utf8')
        .trim()
        .split('\n')
        .slice(1);
    };
    const session = ['--session', join(folder, 'bot')];
    const idOf = (line: string): string => line.split(',')[1]!;
    const recorded = new Map((await exported('csv', [out], 'trades')).map((line) => [idOf(line), line]));
    const common = (await exported('seen', session, 'trades')).filter((line) => recorded.has(idOf(line)));
    expect(common.length).toBeGreaterThan(30);
    for (const line of common) expect(line).toBe(recorded.get(idOf(line)));
    const quotes = new Set(await exported('csv', [out], 'quotes'));
    expect((await exported('seen', session, 'quotes')).filter((line) => quotes.has(line)).length).toBeGreaterThan(0);
  });

  it('say that another market began where the exchange is a new one', async () => {
    const folder = freshFolder();
    const out = join(folder, 'recorded');
    for (const seed of ['1', '2']) {
      const exchange = launch(['exchange', '--synth', '--seed', seed, '--port', '0', '--state', join(folder, seed)]);
      const args = ['tape', 'record', '--config', 'config/paper.yaml', '--out', out, '--symbol', SYMBOL, '--json'];
      const recorder = launch([...args, '--set', `venue.baseUrl=${await addressOf(exchange)}`]);
      await untilRows(recorder, out, 20);
      await recorder.kill('SIGINT');
      await exchange.kill('SIGTERM');
      expect((JSON.parse(recorder.out) as { findings: string[] }).findings).toEqual(
        seed === '1' ? [] : [expect.stringMatching(/^BTCUSDT: from 20\d\d-.* on the recording shows another market/)],
      );
    }
    expect((await runToEnd(['tape', 'info', out])).out).toContain('the recording shows another market');
  });
});
