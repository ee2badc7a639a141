/** What the script of a page reads from packed bars and lines. */
import { runInNewContext } from 'node:vm';
import { readFileSync } from 'node:fs';
import type { BarColumns, PackedBars } from '../../../src/report/market/chart-bars.ts';
import type { PackedPoints } from '../../../src/report/market/drawings.ts';

interface Unpacking {
  readonly unpackedBars: (packed: PackedBars) => BarColumns;
  readonly unpackedPoints: (
    packed: Omit<PackedPoints, 'barMs'>,
    barMs: number,
  ) => { readonly time: readonly number[]; readonly value: readonly number[] };
}

const script = readFileSync(new URL('../../../src/report/html/browser/packed.js', import.meta.url), 'utf8');
const window = { report: {} as Unpacking };
runInNewContext(script, { atob, Uint8Array, window });
const found = window.report;

/** Columns of this realm. */
const own = <Columns>(columns: Columns): Columns => JSON.parse(JSON.stringify(columns)) as Columns;

export const unpackedBars: Unpacking['unpackedBars'] = (packed) => own(found.unpackedBars(packed));
export const unpackedPoints: Unpacking['unpackedPoints'] = (packed, barMs) => own(found.unpackedPoints(packed, barMs));
