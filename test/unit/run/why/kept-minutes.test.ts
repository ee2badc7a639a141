/** Why nothing was traded in a minute is read from beside the recording, and is what the replay from the start gives. */
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../../src/base/time/time-spans.ts';
import type { WhyAnswer } from '../../../../src/control/answers.ts';
import { usageOf } from '../../../../src/edge/file/session-file.ts';
import { keptMinute } from '../../../../src/run/session/kept-minutes.ts';
import { programVersion } from '../../../../src/run/setup/version.ts';
import { whyAt } from '../../../../src/run/why/why-at.ts';
import { recordVirtualSession } from '../../../support/sessions/virtual-session.ts';

const sessions = mkdtempSync(join(tmpdir(), 'tickwright-kept-minutes-'));
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

const answered = (at: number, what = ''): Promise<WhyAnswer> => whyAt({ sessions, what, at, from: at - MINUTE_MS, isRunning: false });

async function replayed(at: number, what = ''): Promise<WhyAnswer> {
  renameSync(join(session, 'minutes'), join(session, 'hidden'));
  try {
    return await answered(at, what);
  } finally {
    renameSync(join(session, 'hidden'), join(session, 'minutes'));
  }
}

it('each minute that ended within the session is kept, and is what its replay gives', async () => {
  const headlines = new Set<string>();
  let lines = 0;
  for (let k = 0; k < MINUTES; k++) {
    const at = FIRST + k * MINUTE_MS;
    const kept = keptMinute(session, at, programVersion());
    expect(kept, new Date(at).toISOString()).not.toBe(null);
    const answer = await answered(at);
    expect(answer.ladders).toEqual(kept!.ladders);
    expect(answer, new Date(at).toISOString()).toEqual(await replayed(at));
    for (const { headline } of answer.ladders) headlines.add(headline);
    lines += answer.lines.length;
  }
  expect([...headlines].toSorted()).toEqual(['halts', 'intent', 'limits', 'quotes']);
  expect(lines).toBeGreaterThan(5);
});

it('a market, a strategy and a name that is neither get the answer of the replay; another moment than the end of a minute is replayed', async () => {
  const at = FIRST + MINUTE_MS;
  for (const what of ['BTCUSDT', 'ema-cross']) expect(await answered(at, what)).toEqual(await replayed(at, what));
  await expect(answered(at, 'nothing')).rejects.toThrow('"nothing": expected a strategy');
  const second = await whyAt({ sessions, what: '', at: at + 1_000, from: at, isRunning: false });
  expect([second.time, second.ladders.length]).toEqual([at + 1_000, 3]);
});

it('a minute that did not end within the session is not kept, nor one for another version of the program', () => {
  for (const at of [FIRST - MINUTE_MS, FIRST + MINUTES * MINUTE_MS, FIRST + 60 * MINUTE_MS]) {
    expect(keptMinute(session, at, programVersion())).toBe(null);
  }
  expect(keptMinute(session, FIRST, '0.0.0-other')).toBe(null);
});

it('the minutes count as bytes of the session', () => {
  const { bytes } = usageOf(session);
  const minutes = readdirSync(join(session, 'minutes'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(session, 'minutes', name),
  );
  const files = minutes.filter((path) => statSync(path).isFile());
  // 09 and 10 o'clock.
  expect(files).toHaveLength(2);
  const rest = ['000001.seg', 'texts.json'].map((name) => statSync(join(session, name)).size);
  expect(bytes).toBe([...rest, ...files.map((path) => statSync(path).size)].reduce((sum, one) => sum + one));
});
