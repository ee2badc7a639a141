/** `calibrate`: fits the latency and the fill model of backtests to recorded sessions. */
import type { Calibration } from '../../run/live/counterfactual/calibrate.ts';
import type { CliContext } from '../shell/cli-context.ts';
import { marketTapeOf, type MarketTapeFlags } from './market-tape.ts';
import { sentence, type Block, type Document, type Table } from '../../report/document/document.ts';
import { fixed, percent } from '../../report/document/figures.ts';
import { numbers } from '../../report/document/text-table.ts';
import { showDocument, tellWritten } from '../shell/show-result.ts';
import { printJson } from '../shell/print-json.ts';

interface CalibrateFlags extends MarketTapeFlags {
  readonly session: string;
  readonly out?: string;
  readonly json?: true;
}

export async function runCalibrate({ session, out, json, ...flags }: CalibrateFlags, context: CliContext): Promise<void> {
  const { calibrate, writeCalibration } = await import('../../run/live/counterfactual/calibrate.ts');
  const found = await calibrate(session, marketTapeOf(flags));
  const written = out === undefined ? [] : writeCalibration(out, found);
  if (json) printJson(context.io, 'calibrate', found);
  else await showDocument(calibrationDocument(found), context.io);
  tellWritten(context.io, ...written);
}

function calibrationDocument({ chosen, fills, latency, notes }: Calibration): Document {
  const delays: Table = {
    kind: 'table',
    columns: [
      { title: 'latency (ms)' },
      ...['fitted', 'median', 'p99', 'most', 'spikes', 'forecast', 'error', 'error of default'].map(numbers),
    ],
    rows: latency.map(({ kind, fitted, median, p99, most, spikes, forecast, score, defaultScore }) => [
      kind,
      String(fitted),
      ...[median, p99, most].map((ms) => number(ms, 0)),
      share(spikes),
      String(forecast),
      number(score, 2),
      number(defaultScore, 2),
    ]),
  };
  const models: Table = {
    kind: 'table',
    columns: [{ title: 'fill model' }, ...['error, fitted', 'error, forecast', 'filled'].map(numbers)],
    rows: [
      ...fills.models.map(({ model, fitScore, score, filled }) => [model, number(fitScore, 4), number(score, 4), share(filled)]),
      ['(live)', '', '', share(fills.filled)],
    ],
  };
  const taken = [
    `latency: ${chosen.latency === null ? 'the default' : 'the measured delays'}`,
    `fill model: ${chosen.fillModel ?? 'the default'}`,
  ];
  const blocks: readonly Block[] = [
    delays,
    models,
    sentence(`${fills.fitted} resting orders were fitted, ${fills.forecast} forecast.`),
    sentence(`Chosen: ${taken.join(', ')}`),
    ...(notes.length === 0 ? [] : [{ kind: 'notes', notes } as const]),
  ];
  return { title: 'Latency and fills of the recording', words: '', sections: [{ id: 'calibration', title: '', words: '', blocks }] };
}

const number = (value: number, decimals: number): string => (Number.isFinite(value) ? fixed(value, decimals) : '–');
const share = (value: number): string => (Number.isFinite(value) ? percent(value, 1) : '–');
