/** Compares a new configuration with a bot that has the old one, running or stopped. */
import type { OrderAnswer, StatusAnswer } from '../../control/answers.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { operate, stateFolder } from '../bot/outside/operate.ts';
import { preflightOf } from '../bot/preflight.ts';
import { effectsOf, type Effect, type KnownBot } from './effects.ts';

export interface CheckedChange {
  /**
   * From where the positions and orders are: a bot that runs, the files of one that was stopped or that ended without a stop, or neither. Of one
   * that ended without a stop, positions and strategies are those of its last saved status, up to five seconds before its end.
   */
  readonly bot: 'running' | 'stopped' | 'ended' | 'unknown';
  /** Of what is known of it, in milliseconds since 1970; 0 if nothing is. */
  readonly time: number;
  readonly effects: readonly Effect[];
}

/** @throws Failure, StrategyError, ParamError, PollPlanError if no bot can be started with the new configuration, or the bot does not answer */
export async function checkChange(before: BotConfig, after: BotConfig): Promise<CheckedChange> {
  const planned = { ...(await preflightOf(after)), config: after };
  const folder = stateFolder(before);
  const [status, orders] = [await operate(folder, 'status', {}, before), await operate(folder, 'orders', {}, before)];
  if (status.by === 'silent')
    throw new Failure('bot-missing', {
      what: 'the bot of the old configuration runs, but does not answer',
      where: folder,
      hint: 'try again in a moment',
    });
  const isKnown = !status.isRefused && !orders.isRefused;
  const known: KnownBot | null = isKnown
    ? { status: status.body as StatusAnswer, orders: (orders.body as { orders: readonly OrderAnswer[] }).orders }
    : null;
  return {
    bot: known === null ? 'unknown' : whichOf(known.status),
    time: known?.status.time ?? 0,
    effects: effectsOf(before, planned, known),
  };
}

function whichOf({ isRunning, phase }: StatusAnswer): 'running' | 'stopped' | 'ended' {
  return isRunning ? 'running' : phase === 'stopped' ? 'stopped' : 'ended';
}
