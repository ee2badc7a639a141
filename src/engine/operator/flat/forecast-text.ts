/** Forecasts as sentences. */
import { counted } from '../../../base/text/figures.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import type { Forecast, ForecastClose } from '../../../domain/messages/forecast.ts';
import { scopeInWords } from '../../state/events/halt-codes.ts';
import { KEPT_MS } from './forecast.ts';

/** What would be sent, in this order; then what stays, and what it costs. */
export function forecastText(forecast: Forecast): string[] {
  const { command, scope, cancels, closes, stays, fee, slippage, proofMs } = forecast;
  const sent = cancels.length + closes.reduce((sum, { orders }) => sum + orders.length, 0);
  const cost = closes.length === 0 ? '' : `; about ${fee || 'unknown'} of fees and ${slippage || 'unknown'} of slippage`;
  return [
    `${command} of ${scopeInWords(scope)} now: nothing was sent, and nothing is halted`,
    ...cancels.map(({ number, symbol, what, size, state }) => `cancels order ${number} ${symbol} ${what} ${size}: ${state}`),
    ...closes.map(closeText),
    ...stays,
    sent === 0
      ? 'there is nothing to send'
      : `in all ${counted(cancels.length, 'cancel')} and ${counted(sent - cancels.length, 'market order')}${cost}; proven flat ${formatDuration(proofMs)} after the last of them at the earliest`,
    `kept for ${formatDuration(KEPT_MS)}: the next ${command} of this scope is compared with it`,
  ];
}

function closeText({ symbol, side, size, orders, price, priceOf, ageMs, shown, fee, slippage, mayGrow, waits }: ForecastClose): string {
  const by = orders.length === 1 ? 'by a market order' : `by ${orders.length} market orders (${orders.join(', ')})`;
  const age = ageMs === null ? '' : `, ${(ageMs / 1_000).toFixed(1)} s old`;
  const less = shown !== '' && Number(shown) < Number(size) ? `, which shows ${shown}: the rest fills at worse prices` : '';
  const at = price === '' ? 'at an unknown price' : `at about ${price} (${priceOf}${age}${less})`;
  const grows = Number(mayGrow) > 0 ? `; ${mayGrow} more if its opening orders fill before their cancel` : '';
  const cost = price === '' ? '' : `: fee ${fee}, slippage ${slippage || 'unknown'}`;
  return `closes ${symbol} ${side} ${size} ${by} ${at}${cost}${grows}${waits === '' ? '' : `; waits: ${waits}`}`;
}
