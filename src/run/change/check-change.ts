/** Compares a new configuration with a bot that has the old one, running or stopped. */
import { existsSync } from 'node:fs';
import type { OrderAnswer, RefusalAnswer, StatusAnswer } from '../../control/answers.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { operate } from '../bot/outside/operate.ts';
import { stateFolder } from '../setup/state-folder.ts';
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

/** @throws Failure, StrategyError, ParamError, PollPlanError if no bot can be started with the new configuration, or nothing answers for the bot */
export async function checkChange(before: BotConfig, after: BotConfig): Promise<CheckedChange> {
  const planned = { ...(await preflightOf(after)), config: after };
  const known = await knownBot(before);
  return {
    bot: known === null ? 'unknown' : whichOf(known.status),
    time: known?.status.time ?? 0,
    effects: effectsOf(before, planned, known),
  };
}

function whichOf({ isRunning, phase }: StatusAnswer): 'running' | 'stopped' | 'ended' {
  return isRunning ? 'running' : phase === 'stopped' ? 'stopped' : 'ended';
}

/** The bot of this configuration; null if it has no state folder. @throws Failure bot-missing if there is one, and nothing answers for it */
export async function knownBot(config: BotConfig): Promise<KnownBot | null> {
  const folder = stateFolder(config);
  if (!existsSync(folder)) return null;
  const answerOf = async (name: 'status' | 'orders'): Promise<object> => {
    const { body, isRefused } = await operate(folder, name, {}, config);
    if (!isRefused) return body;
    const { message, hint } = body as RefusalAnswer;
    throw new Failure('bot-missing', { what: message, where: folder, hint });
  };
  const status = (await answerOf('status')) as StatusAnswer;
  const { orders } = (await answerOf('orders')) as { readonly orders: readonly OrderAnswer[] };
  return { status, orders };
}
