/** Writes a report as JSON in pieces, because millions of fills exceed the largest string. */
import type { BacktestReport } from './backtest-report.ts';

const PER_PIECE = 10_000;

/** The same text as JSON.stringify(report), in order, without the last newline. */
export function* jsonPieces(report: BacktestReport): Generator<string> {
  let isFirst = true;
  for (const [key, value] of Object.entries(report)) {
    if (value === undefined) continue;
    const name = `${isFirst ? '{' : ','}${JSON.stringify(key)}:`;
    isFirst = false;
    if (!Array.isArray(value) || value.length <= PER_PIECE) {
      yield name + JSON.stringify(value);
      continue;
    }
    yield `${name}[`;
    for (let from = 0; from < value.length; from += PER_PIECE) {
      yield (from === 0 ? '' : ',') + JSON.stringify(value.slice(from, from + PER_PIECE)).slice(1, -1);
    }
    yield ']';
  }
  yield '}';
}
