/** The result of `capacity` for people: profit and profit per size against the size of positions. */
import { dot, line, plot, ruleAt, type Place } from '../../html/plot/plot.ts';
import { axisOf, plainTick, scaleOf } from '../../html/plot/scale.ts';
import type { CapacityResult, CapacityRow } from '../../research/capacity-result.ts';
import { notesSection, sentence, type Cell, type Chart, type Document } from '../document.ts';
import { numbers } from '../text-table.ts';
import { money, profit, signedMoney, whole } from '../figures.ts';

export function capacityDocument(result: CapacityResult): Document {
  const { strategy, rows, impact } = result;
  const sizes = Object.entries(rows[0]?.sizes ?? {}).map(([name, value]) => `${name}=${value}`);
  return {
    title: `Capacity of ${strategy}`,
    words: `${rows.length} runs on the same tape, each with larger sizes, limits and deposits`,
    sections: [
      {
        id: 'sizes',
        title: 'Profit against size',
        words: sizes.length === 0 ? '' : `${sizes.join(', ')} is the size of 1`,
        blocks: [
          sentence(result.sentence),
          {
            kind: 'beside',
            look: 'two',
            blocks: [chartOf(result, 'Net profit', ({ net }) => net), chartOf(result, 'Net profit per size', ({ perSize }) => perSize)],
          },
          {
            kind: 'table',
            columns: ['times', 'net', 'net per size', 'slippage', 'largest position', 'turnover', 'trades', 'refused'].map(numbers),
            rows: rows.map(rowOf),
          },
        ],
      },
      ...notesSection(impact === '' ? [] : [impact]),
    ],
  };
}

/** A curve over the sizes, each twice the one before; the vertical lines are where the profit per size halves and where it peaks. */
function chartOf({ rows, halvesAt, peaksAt }: CapacityResult, title: string, valueOf: (row: CapacityRow) => number): Chart {
  const draw: Chart['draw'] = () => {
    const last = Math.log(rows.at(-1)!.multiple) || 1;
    const across = (multiple: number): number => Math.log(multiple) / last;
    const y = scaleOf([0, ...rows.map(valueOf)], plainTick);
    const places = rows.map((row): Place => [across(row.multiple), y.at(valueOf(row))]);
    const step = Math.ceil(rows.length / 6);
    const ticks = rows.filter((_, k) => k % step === 0).map(({ multiple }) => ({ at: across(multiple), text: `${multiple}×` }));
    const marks = [
      ruleAt('y', y.at(0), 'start'),
      ...(halvesAt === null ? [] : [ruleAt('x', across(halvesAt), 'start')]),
      ...(peaksAt === null ? [] : [ruleAt('x', across(peaksAt), 'start')]),
      line(places, ''),
      ...rows.map((row, k) => dot(places[k]!, '', `${row.multiple} times: ${signedMoney(valueOf(row))}`)),
    ];
    return plot({ x: { title: 'size', ticks }, y: axisOf(y, 'quote coin'), marks, label: `${title} against size` });
  };
  return { kind: 'chart', title, words: 'vertical: half of the profit per size, and the peak', draw };
}

function rowOf({ multiple, net, perSize, slippage, largest, turnover, trades, refused }: CapacityRow): Cell[] {
  return [whole(multiple), profit(net), profit(perSize), money(slippage), whole(largest), whole(turnover), whole(trades), whole(refused)];
}
