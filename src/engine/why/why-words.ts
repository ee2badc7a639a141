/** Times, spans and intents in words, for the answers of `why`. */
import { EFFECTS, MARKET, SIDES } from '../../domain/codes.ts';
import { formatLots, formatTicks, type Instrument } from '../../domain/instrument.ts';
import type { Activity } from '../state/activity/activity.ts';

/** "10:32:04 UTC". */
export function timeWords(time: number): string {
  const seconds = Math.floor(time / 1_000) % 86_400;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')} UTC`;
}

/** "850 ms", "12 s", "14 min", "3 h". */
export function spanWords(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** "LONG OPEN 0.01 at 100.5": the last order that a strategy asked for. */
export function intentWords({ last }: Activity, instrument: Instrument): string {
  const price = last.trigger > 0 ? last.trigger : last.price;
  const size = Number.isSafeInteger(last.size) && last.size > 0 ? formatLots(last.size, instrument) : 'no valid size';
  const at =
    last.type === MARKET && last.trigger === 0 ? 'at the market' : `at ${price > 0 ? formatTicks(price, instrument) : 'no valid price'}`;
  return `${SIDES[last.side]} ${EFFECTS[last.effect]} ${size} ${at}`;
}
