/** Lists the limits of a configuration that stop a bot that loses money. */
import type { BotConfig } from './model.ts';

/** Limits of the whole bot that count money. The limits of the other families bound single orders and positions, not what is lost. */
const OF_BOT = ['maxDailyLoss', 'maxDrawdown', 'minEquity'] as const;

export const LOSS_HINT = 'set risk.maxDailyLoss and risk.maxDrawdown, for example "2%" and "10%": docs/reference/limits.md';

/**
 * The stated loss limits as "maxDailyLoss 2%"; empty if nothing stops a loss. A daily loss of every strategy counts as well: together they
 * cover what the bot trades.
 */
export function lossLimitsOf({ risk, strategies }: Pick<BotConfig, 'risk' | 'strategies'>): string[] {
  const ofBot = OF_BOT.filter((key) => isOn(risk[key])).map((key) => `${key} ${risk[key]}`);
  if (ofBot.length > 0) return ofBot;
  const own = strategies.map((one) => one.risk?.maxDailyLoss);
  return own.length > 0 && own.every(isOn) ? own.map((value) => `maxDailyLoss ${String(value)} of a strategy`) : [];
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== 'off' && value !== Infinity;
}
