/** Other markets like that of a tape: its bars drawn in blocks, or a synthetic market fitted to its quotes and trades. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRows, readManifest } from '../../tape/read.ts';
import { fittedMarket } from '../../tape/synth/fit.ts';
import { synthTape } from '../../tape/synth/synth.ts';
import { hasBarMarket } from '../backtest/inputs/runs-on-bars.ts';
import type { LoadedMarket } from '../backtest/trials.ts';
import { barDraws } from './drawn-bars.ts';

export interface MarketSource {
  readonly words: string;
  /** Null if the tape cannot be drawn again. */
  readonly draw: ((seed: number) => LoadedMarket) | null;
  /** Removes what was written. */
  close(): void;
}

/** Recorded mark prices belong to the prices of the tape alone. */
function withoutMarks(market: LoadedMarket): LoadedMarket {
  return { ...market, venueRows: { ...market.venueRows, marks: [] } };
}

/** The same seeds give the same markets. @throws TapeError */
export function marketSource(market: LoadedMarket, seed: number): MarketSource {
  const { rows } = market;
  const nothing = (): void => undefined;
  if (hasBarMarket(rows.manifest)) {
    if (rows.streams.some(({ info }) => info.kind === 'bars' && info.rows < 3))
      return { words: 'there are too few bars to draw from', draw: null, close: nothing };
    const detail = market.detail === undefined ? '' : ', without finer data';
    const words = `the bars of the tape in blocks, each with the shape that it had beside the close before it${detail}`;
    const drawn = barDraws(rows);
    return { words, draw: (k) => ({ ...withoutMarks(market), rows: drawn(k), detail: undefined }), close: nothing };
  }
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-markets-'));
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const fitted = fittedMarket(rows.folder, join(folder, 'fit'), seed);
    if (fitted === null) {
      close();
      return { words: 'a symbol has no quotes or no change of price to fit a synthetic market to', draw: null, close: nothing };
    }
    const { from, to } = readManifest(rows.folder);
    const drawn = join(folder, 'drawn');
    const { instruments } = market.instruments;
    return {
      words: 'synthetic markets with the rows a second, depth and volatility of the tape',
      draw(k) {
        synthTape(drawn, { ...fitted, seed: k, start: from, seconds: (to - from) / 1000, overwrite: true });
        const gridOf = (symbol: string): (typeof instruments)[number] | undefined =>
          instruments.find((one) => one.symbol === symbol && one.product === 'futures');
        return { ...withoutMarks(market), rows: loadRows(drawn, { gridOf }) };
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
