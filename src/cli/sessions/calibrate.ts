/** `calibrate`: fits the latency and the fill model of backtests to recorded sessions. */
import { shownJson } from '../../base/hidden.ts';
import type { Calibration } from '../../run/live/counterfactual/calibrate.ts';
import type { CliContext } from '../shell/context.ts';
import { marketTapeOf, type MarketTapeFlags } from './market-tape.ts';
import { table } from '../../report/document/text-table.ts';
import { safeText } from '../terminal/terminal.ts';

interface CalibrateFlags extends MarketTapeFlags {
  readonly session: string;
  readonly out?: string;
  readonly json?: true;
}

export async function runCalibrate({ session, out, json, ...flags }: CalibrateFlags, context: CliContext): Promise<void> {
  const { calibrate, writeCalibration } = await import('../../run/live/counterfactual/calibrate.ts');
  const found = await calibrate(session, marketTapeOf(flags));
  const written = out === undefined ? [] : writeCalibration(out, found);
  context.io.stdout.write(json ? `${shownJson(found)}\n` : safeText(textOf(found, written)));
}

function textOf({ chosen, fills, latency, notes }: Calibration, written: readonly string[]): string {
  const right = { align: 'right' } as const;
  const delays = table(
    [
      { title: 'latency (ms)' },
      ...['fitted', 'median', 'p99', 'most', 'spikes', 'forecast', 'error', 'error of default'].map((title) => ({ title, ...right })),
    ],
    latency.map(({ kind, fitted, median, p99, most, spikes, forecast, score, defaultScore }) => [
      kind,
      String(fitted),
      number(median, 0),
      number(p99, 0),
      number(most, 0),
      percent(spikes),
      String(forecast),
      number(score, 2),
      number(defaultScore, 2),
    ]),
  );
  const models = table(
    [{ title: 'fill model' }, ...['error, fitted', 'error, forecast', 'filled'].map((title) => ({ title, ...right }))],
    [
      ...fills.models.map(({ model, fitScore, score, filled }) => [model, number(fitScore, 4), number(score, 4), percent(filled)]),
      ['(live)', '', '', percent(fills.filled)],
    ],
  );
  const taken = [
    `latency: ${chosen.latency === null ? 'the default' : 'the measured delays'}`,
    `fill model: ${chosen.fillModel ?? 'the default'}`,
  ];
  return [
    delays,
    `\n${models}\n`,
    `${fills.fitted} resting orders were fitted, ${fills.forecast} forecast.\n\n`,
    `Chosen: ${taken.join(', ')}\n`,
    ...notes.map((note) => `  - ${note}\n`),
    ...(written.length > 0 ? [`Written: ${written.join(', ')}\n`] : []),
  ].join('');
}

function number(value: number, decimals: number): string {
  return Number.isFinite(value) ? value.toFixed(decimals) : '–';
}

function percent(share: number): string {
  return Number.isFinite(share) ? `${number(100 * share, 1)} %` : '–';
}
