/** What the script of a page reads from packed bars and lines. */
import { runInNewContext } from 'node:vm';
import { inlined } from '../../../src/browser/inline.ts';
import type { BarColumns, PackedBars } from '../../../src/report/market/market-chart.ts';
import type { PackedPoints } from '../../../src/report/market/drawings.ts';

interface Unpacking {
  readonly unpackedBars: (packed: PackedBars) => BarColumns;
  readonly unpackedPoints: (
    packed: Omit<PackedPoints, 'barMs'>,
    barMs: number,
  ) => { readonly time: readonly number[]; readonly value: readonly number[] };
}

const script = inlined(new URL('../../../src/browser/packed.js', import.meta.url));
const found = runInNewContext(`${script}; ({ unpackedBars, unpackedPoints })`, { atob, Uint8Array }) as Unpacking;

/** Columns of this realm. */
const own = <Columns>(columns: Columns): Columns => JSON.parse(JSON.stringify(columns)) as Columns;

export const unpackedBars: Unpacking['unpackedBars'] = (packed) => own(found.unpackedBars(packed));
export const unpackedPoints: Unpacking['unpackedPoints'] = (packed, barMs) => own(found.unpackedPoints(packed, barMs));
