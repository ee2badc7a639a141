/** Gives what a program outside says to a strategy: it calls `onSignal`, and does nothing else. */
import type { StrategyRunner } from '../strategy/runner/strategy-runner.ts';
import type { OperatorCommand, OperatorResult } from './command.ts';
import { noStrategy, refused } from './refusals.ts';

export interface SignalReceivers {
  readonly runners: readonly StrategyRunner[];
  /** False before the bot is armed, and while it stops. */
  readonly isActive: boolean;
}

/** Refused if no such strategy runs, or it cannot be called now: a signal is not kept for later. */
export function giveSignal(
  { runners, isActive }: SignalReceivers,
  { strategy, text, by }: Extract<OperatorCommand, { name: 'signal' }>,
): OperatorResult {
  const runner = runners.find(({ name }) => name === strategy);
  if (runner === undefined)
    return noStrategy(
      strategy,
      runners.map(({ name }) => name),
    );
  const reason = runner.isDisabled
    ? 'was stopped for its errors'
    : runner.handlers.onSignal === undefined
      ? 'has no onSignal'
      : !isActive || runner.isWarming
        ? 'has not started'
        : '';
  if (reason !== '') return refused('refused', `${strategy} ${reason}`, 'signals are not kept: send it again when it can be called');
  runner.signal({ from: by, text });
  return { ok: true, did: [`${strategy} was called with the signal`], orders: [], flattens: '' };
}
