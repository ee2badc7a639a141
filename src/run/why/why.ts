/**
 * `why` from another process: a running bot is asked for now; a moment of the past and what an order came from are computed here, from the
 * recording, so that the bot never waits for it.
 */
import { join } from 'node:path';
import { DAY_MS, MINUTE_MS, SECOND_MS, dayAt } from '../../base/time/time-spans.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import type { StatusAnswer, StoryAnswer, WhyAnswer } from '../../control/answers.ts';
import { causesOf, whyAt, type WhyQuestion } from './why-at.ts';
import { REPLAYED_ELSEWHERE } from '../bot/control/why-answers.ts';
import { operate } from '../bot/outside/operate.ts';
import type { Operated } from '../bot/outside/operator-answer.ts';
import { runningIn } from '../bot/outside/reach.ts';

type Given = Readonly<Record<string, unknown>>;

/** @throws Failure for an invalid time, or a moment without a recording */
export async function why(folder: string, given: Given, config: BotConfig | null): Promise<Operated> {
  const what = typeof given['what'] === 'string' ? given['what'] : '';
  const sessions = join(folder, 'sessions');
  const asked = given['at'];
  if (typeof asked === 'string') {
    const isRunning = runningIn(folder) !== null;
    const moment = momentOf(asked, Date.now());
    return replayed(folder, () => whyAt({ sessions, what, ...moment, isRunning }));
  }
  const now = await operate(folder, 'why', given, config);
  if ('steps' in now.body) return { ...now, body: await withCauses(now.body as StoryAnswer, sessions) };
  if ((now.body as { code?: string }).code !== REPLAYED_ELSEWHERE) return now;
  const at = Date.now();
  const stoppedAt = ((await operate(folder, 'status', {}, config)).body as StatusAnswer).time;
  return replayed(folder, async () => ({ ...(await lastOf({ sessions, what, at, from: at, isRunning: false })), stoppedAt }));
}

/** Without a recording there is nothing to say but that it is stopped. */
async function lastOf(question: WhyQuestion): Promise<WhyAnswer> {
  try {
    return await whyAt(question);
  } catch (error) {
    if (!(error instanceof Failure) || error.failure !== 'session-missing') throw error;
    return { time: question.at, isReplayed: true, ladders: [], lines: [] };
  }
}

async function replayed(folder: string, compute: () => Promise<object>): Promise<Operated> {
  try {
    return { by: 'running', folder, body: await compute(), isRefused: false };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { by: 'running', folder, body: { ok: false, code: 'bad-request', message: error.message, hint: '' }, isRefused: true };
  }
}

/** The steps of the recording, with the texts of the journal, which knows prices and profit. */
async function withCauses(story: StoryAnswer, sessions: string): Promise<StoryAnswer> {
  const seen = await causesOf(sessions, story.number).catch(() => null);
  if (seen === null || !seen.steps.some(({ what }) => what === 'request')) return story;
  const own = [...story.steps];
  const steps = seen.steps.map((step) => {
    const k = own.findIndex(({ what }) => what === step.what);
    return k < 0 ? step : own.splice(k, 1)[0]!;
  });
  return { ...story, steps: [...steps, ...own].toSorted((a, b) => a.time - b.time) };
}

/**
 * The moment that a text names, in UTC, and the first moment of it: "10:32" is that minute of today, or of yesterday if it has not come yet,
 * and is answered for its end, as a second is. @throws Failure for any other text
 */
export function momentOf(text: string, now: number): { readonly from: number; readonly at: number } {
  const clock = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  const isWhole = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(\.\d{1,3})?)?Z?$/.exec(text);
  if (clock !== null) {
    const midnight = dayAt(now);
    const time = Date.parse(`1970-01-01T${clock[1]}:${clock[2]}:${clock[3] ?? '00'}Z`);
    if (!Number.isNaN(time)) return spanOf(midnight + time > now ? midnight + time - DAY_MS : midnight + time, clock[3] === undefined, now);
  }
  if (isWhole !== null) {
    const time = Date.parse(`${isWhole[1]}T${isWhole[2]}${isWhole[3] ?? ''}Z`);
    if (!Number.isNaN(time)) return spanOf(Math.floor(time / SECOND_MS) * SECOND_MS, isWhole[3] === undefined, now);
  }
  throw new Failure('command-line', {
    what: `expected a time in UTC such as 10:32 or 2026-11-22T10:32:05, found "${text}"`,
    where: '--at',
  });
}

function spanOf(time: number, isMinute: boolean, now: number): { readonly from: number; readonly at: number } {
  return { from: time, at: Math.min(Math.max(now, time + 1), time + (isMinute ? MINUTE_MS : SECOND_MS)) };
}
