/** This program beside others, in turns and in one run. A figure of another day is not printed. `npm run bench:peers` installs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directionOf, SELL } from '../../src/domain/codes.ts';
import { referenceW1 } from '../../test/support/backtest/reference-workloads.ts';
import { generateBars, generateMarket, generateTrades } from '../generate.ts';
import { hasPeer, python } from '../peers/peers.ts';
import type { Pass, WorkloadName } from '../workload.ts';
import { here, isQuick, jsonLines, judgedAbove, median, node, PAIRS, spreadOf, tell } from './table.ts';

interface PeerPass {
  readonly rows: number;
  readonly ms: number;
  readonly fills: number;
  readonly commands: number;
}

/** Rows of both workloads: hftbacktest holds 64 bytes an event. */
const ROWS = 2_000_000;
/** The first of them compiles and is not counted. */
const PASSES = '5';
const MISSING = 'not installed: npm run bench:peers';

const speedOf = (passes: readonly { readonly rows: number; readonly ms: number }[]): number =>
  median(passes.slice(1).map(({ rows, ms }) => rows / ms / 1000));
const each = ({ fills, commands }: PeerPass): string => `${fills} fills, ${commands} commands`;

/** W1 with the same fills, W2 where the work differs: hftbacktest has no amending and no partial fills here. */
export function hftbacktest(folder: string): void {
  for (const name of ['w1', 'w2'] as const) {
    const label = `${name.toUpperCase()} beside hftbacktest 2.4.4`;
    if (!hasPeer('hftbacktest')) {
      tell(label, MISSING, '', null);
      continue;
    }
    const tape = join(folder, `peer-${name}`);
    if (name === 'w1') generateTrades(tape, { rows: ROWS, seed: 1 });
    else generateMarket(tape, { rows: ROWS / 2, seed: 1 });
    const columns = join(folder, `columns-${name}`);
    node([here('peers/columns.ts'), tape, columns]);
    besideHft(name, label, tape, columns);
  }
}

function besideHft(name: WorkloadName, label: string, tape: string, columns: string): void {
  const ratios: number[] = [];
  let [ours, theirs]: [PeerPass[], PeerPass[]] = [[], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    ours = jsonLines<Pass>(node([here('workload.ts'), name, 'engine', tape, PASSES]));
    theirs = jsonLines<PeerPass>(python('hftbacktest', 'hft.py', [name, columns, PASSES, join(columns, 'fills')]));
    ratios.push(speedOf(ours) / speedOf(theirs));
  }
  const ratio = median(ratios);
  let isSame = true;
  if (name === 'w1') {
    isSame = areFills(tape, join(columns, 'fills')) && ours.at(-1)!.fills === theirs.at(-1)!.fills;
    tell(`${label}: fills, their times and prices`, `${theirs.at(-1)!.fills}, ${isSame ? 'equal' : 'DIFFERENT'}`, 'equal', isSame);
  } else tell(`${label}: theirs cancels and places, fills whole`, `${each(theirs.at(-1)!)}; ours ${each(ours.at(-1)!)}`, '', null);
  tell(
    `${label}: rows of ours by rows of theirs, with our report`,
    `${ratio.toFixed(2)} ± ${(spreadOf(ratios) / 2).toFixed(2)} × (${speedOf(ours).toFixed(2)} by ${speedOf(theirs).toFixed(2)} M/s)`,
    '≥ 1 ×',
    isSame && judgedAbove(ratio, 1, spreadOf(ratios)),
  );
  if (name === 'w1') return;
  const commands = ratios.map((one) => (one * ours.at(-1)!.commands) / theirs.at(-1)!.commands);
  tell(`${label}: commands of ours by commands of theirs in the same time`, `${median(commands).toFixed(2)} ×`, '', null);
}

/** True if the file has time and signed price of each fill of the reference, in order. */
function areFills(tape: string, file: string): boolean {
  const bytes = readFileSync(file);
  const found = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  let at = 0;
  let isSame = true;
  referenceW1(tape).fills.each(({ time, side, effect, price }) => {
    isSame &&= found[at] === time && found[at + 1] === (directionOf(side, effect) === SELL ? -price : price);
    at += 2;
  });
  return isSame && at === found.length;
}

/** Whole backtests of an EMA cross on bars, once their code is compiled. The peers simulate no venue. */
export function barPeers(folder: string): void {
  const count = isQuick ? 20_000 : 100_000;
  const what = `EMA cross on ${count} bars`;
  if (!hasPeer('vectorbt')) return tell(`${what}: vectorbt 1.2.0, backtesting.py 0.6.6`, MISSING, '', null);
  const tape = join(folder, 'peer-bars');
  generateBars(tape, { rows: count, seed: 1 });
  const csv = join(folder, 'peer-csv');
  node([here('../src/tickwright.js'), 'tape', 'export', tape, '--out', csv, '--format', 'csv']);
  for (const [peer, version] of [
    ['vectorbt', '1.2.0'],
    ['backtesting', '0.6.6'],
  ] as const) {
    const ratios = Array.from({ length: PAIRS }, () => {
      const ours = JSON.parse(node([here('bars.ts'), String(count), '5'])) as { bars: number; cpuMs: number };
      const theirs = jsonLines<PeerPass>(python('vectorbt', 'bars.py', [peer, join(csv, 'BTCUSDT.bars.csv'), '4']));
      return ours.bars / ours.cpuMs / 1000 / speedOf(theirs);
    });
    const ratio = median(ratios);
    tell(
      `${what}: trials of ours by runs of ${peer} ${version}, which simulates no venue`,
      `${ratio.toFixed(2)} ×`,
      '≥ 1 ×',
      judgedAbove(ratio, 1, spreadOf(ratios)),
    );
  }
}
