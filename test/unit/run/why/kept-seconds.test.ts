/** Why nothing was traded at the end of each second is read from beside the recording, and is what the replay from the start gives. */
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../../src/base/time/time-spans.ts';
import type { WhyAnswer } from '../../../../src/control/answers.ts';
import { usageOf } from '../../../../src/edge/file/session-file.ts';
import type { PlayWatch } from '../../../../src/run/replay/timeline.ts';
import { Player } from '../../../../src/run/replay/player.ts';
import { openSession, settingsOf } from '../../../../src/run/replay/replay.ts';
import { type KeptAnswer, keptAnswer, SecondWriter } from '../../../../src/run/session/kept-seconds.ts';
import { LogLines } from '../../../../src/run/session/log-lines.ts';
import { programVersion } from '../../../../src/run/setup/version.ts';
import { whyAt } from '../../../../src/run/why/why-at.ts';
import { recordVirtualSession } from '../../../support/sessions/virtual-session.ts';

const sessions = mkdtempSync(join(tmpdir(), 'tickwright-kept-seconds-'));
const FIRST = Date.parse('2026-11-30T09:57:00Z');
/** The session begins and ends within a minute. */
const STARTED = FIRST - 17_300;
const MINUTES = 5;
let session = '';

beforeAll(async () => {
  session = await recordVirtualSession({
    sessions,
    startedAt: STARTED,
    durationMs: MINUTES * MINUTE_MS,
    choices: [
      { file: 'strategies/ema-cross.ts', symbols: ['BTCUSDT'], params: {} },
      { file: 'test/e2e/strategies/idle.ts', symbols: ['BTCUSDT', 'ETHUSDT'], params: {} },
    ],
    // The second opening order of a minute is refused.
    risk: { maxOrdersPerMinute: 1 },
    isSilent: (since) => since > 3.4 * MINUTE_MS && since < 4.4 * MINUTE_MS,
    acts: (since, bot) => {
      const command = { by: 'test', why: 'a test', scope: '' } as const;
      // The first event after the end of a minute: it belongs to the next.
      if (since === FIRST - STARTED + MINUTE_MS) bot.operate({ ...command, name: 'halt' });
      if (since === 2.5 * MINUTE_MS) bot.operate({ ...command, name: 'resume', confirmed: false });
    },
  });
});

afterAll(() => rmSync(sessions, { recursive: true, force: true }));

const kept = (at: number, spanMs = MINUTE_MS): KeptAnswer | null => keptAnswer(session, at - spanMs, at, programVersion());

const answered = (at: number, what = '', spanMs = MINUTE_MS): Promise<WhyAnswer> =>
  whyAt({ sessions, what, at, from: at - spanMs, isRunning: false });

async function replayed(at: number, what = '', spanMs = MINUTE_MS): Promise<WhyAnswer> {
  renameSync(join(session, 'seconds'), join(session, 'hidden'));
  try {
    return await answered(at, what, spanMs);
  } finally {
    renameSync(join(session, 'hidden'), join(session, 'seconds'));
  }
}

/** Asks the kernel of one replay at the end of each second, before the first event after it. */
async function replayedSeconds(): Promise<ReadonlyMap<number, Pick<KeptAnswer, 'ladders' | 'lines'>>> {
  const found = new Map<number, Pick<KeptAnswer, 'ladders' | 'lines'>>();
  const opened = openSession(session);
  const lines = new LogLines(0, Infinity);
  let next = Math.ceil(STARTED / SECOND_MS) * SECOND_MS;
  const watch: PlayWatch = {
    event({ at }) {
      for (; next <= at; next += SECOND_MS) {
        const ladders = player.kernel.why.at({ now: next, endedAt: 0, outside: null });
        found.set(next, { ladders, lines: lines.take() });
      }
    },
    record: () => undefined,
  };
  const { head, entries } = opened;
  const player = new Player(head, await settingsOf(opened, head.strategies, head.snapshot), entries, { watch, log: lines });
  lines.clock = player.clock;
  player.play({});
  expect(player.result().divergence).toBe(null);
  return found;
}

it('each second that ended within the session is kept, and is what the replay gives', async () => {
  const seconds = await replayedSeconds();
  expect(seconds.size).toBeGreaterThan(MINUTES * 60 - 10);
  const texts = new Set<string>();
  for (const [at, { ladders, lines }] of seconds) {
    expect(kept(at, SECOND_MS), new Date(at).toISOString()).toEqual({ ladders, lines, isChosen: false });
    texts.add(JSON.stringify(ladders));
  }
  expect(texts.size).toBe(seconds.size);
  const [first, last] = [Math.min(...seconds.keys()), Math.max(...seconds.keys())];
  for (const at of [first, FIRST, FIRST + 1.7 * MINUTE_MS, FIRST + 3.9 * MINUTE_MS, last]) {
    const whole = Math.floor(at / SECOND_MS) * SECOND_MS;
    expect(await answered(whole, '', SECOND_MS)).toEqual(await replayed(whole, '', SECOND_MS));
  }
});

it('each minute that ended within the session is what its replay gives', async () => {
  const headlines = new Set<string>();
  let lines = 0;
  for (let k = 0; k < MINUTES; k++) {
    const at = FIRST + k * MINUTE_MS;
    const answer = await answered(at);
    expect(answer.ladders, new Date(at).toISOString()).toEqual(kept(at)?.ladders);
    expect(answer, new Date(at).toISOString()).toEqual(await replayed(at));
    for (const { headline } of answer.ladders) headlines.add(headline);
    lines += answer.lines.length;
  }
  expect([...headlines].toSorted()).toEqual(['halts', 'intent', 'limits', 'quotes']);
  expect(lines).toBeGreaterThan(5);
});

it('a market, a strategy and a name that is neither get the answer of the replay; another moment than the end of a second is replayed', async () => {
  const at = FIRST + MINUTE_MS;
  for (const what of ['BTCUSDT', 'ema-cross']) expect(await answered(at, what)).toEqual(await replayed(at, what));
  await expect(answered(at, 'nothing')).rejects.toThrow('"nothing": expected a strategy');
  expect(kept(at + 500, 500)).toBe(null);
  const within = await answered(at + 500, '', 500);
  expect([within.time, within.ladders.length]).toEqual([at + 500, 3]);
});

it('what did not end within the session is not kept, nor what is longer than a minute or of another version of the program', () => {
  for (const at of [FIRST - MINUTE_MS, FIRST + MINUTES * MINUTE_MS, FIRST + 60 * MINUTE_MS]) expect(kept(at)).toBe(null);
  expect(kept(FIRST + MINUTE_MS, 2 * MINUTE_MS)).toBe(null);
  expect(keptAnswer(session, FIRST - MINUTE_MS, FIRST, '0.0.0-other')).toBe(null);
});

it('the seconds count as bytes of the session', () => {
  const { bytes } = usageOf(session);
  const paths = readdirSync(join(session, 'seconds'), { recursive: true, encoding: 'utf8' }).map((name) => join(session, 'seconds', name));
  const files = paths.filter((path) => statSync(path).isFile());
  // 09 and 10 o'clock.
  expect(files).toHaveLength(2);
  const rest = ['000001.seg', 'texts.json'].map((name) => statSync(join(session, name)).size);
  expect(bytes).toBe([...rest, ...files.map((path) => statSync(path).size)].reduce((sum, one) => sum + one));
});

describe('a time without events', () => {
  /** The seconds after the start that are kept of `count` ladders, with events at these milliseconds after it. */
  function keptOf(count: number, startedAt: number, events: readonly number[]): number[] {
    const folder = mkdtempSync(join(sessions, 'gap-'));
    const writer = new SecondWriter(folder, { startedAt, version: '1' });
    const at = ({ now }: { readonly now: number }): unknown => Array.from({ length: count }, (_, k) => ({ strategy: 's', symbol: k, now }));
    writer.kernel = { why: { at }, setups: [] } as unknown as SecondWriter['kernel'];
    for (const ms of events) if (startedAt + ms >= writer.next) writer.end(startedAt + ms, (text) => text);
    writer.write(1);
    writer.close();
    return Array.from({ length: 200 }, (_, k) => k + 1).filter((second) => {
      const end = startedAt + second * SECOND_MS;
      const found = keptAnswer(folder, end - SECOND_MS, end, '1');
      if (found !== null) expect(found.ladders).toMatchObject(Array.from({ length: count }, () => ({ now: end })));
      return found !== null;
    });
  }

  it('has its seconds up to the end of the minute, the last ones where all would hold up the bot', () => {
    expect(keptOf(10, FIRST, [0, 3_500])).toEqual([1, 2, 3]);
    expect(keptOf(10, FIRST, [0, 999, 1_000, 21_000])).toEqual([1, 17, 18, 19, 20, 21]);
    expect(keptOf(10, FIRST, [0, 190_500, 191_000])).toEqual([56, 57, 58, 59, 60, 191]);
    expect(keptOf(50, FIRST, [0, 3_000, 4_100])).toEqual([3, 4]);
    expect(keptOf(1, FIRST + 30_000, [0, 100_000])).toEqual(Array.from({ length: 30 }, (_, k) => k + 1));
  });

  it('has none of a bot with more than 50 strategies × markets', () => {
    expect(keptOf(51, FIRST, [0, 1_000, 2_000])).toEqual([]);
  });
});
