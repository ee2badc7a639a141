/** The part of each strategy in the result of one wallet, and how their profits move together. */
import type { Portfolio, PortfolioPart } from '../../equity/portfolio.ts';
import type { Cell, Section, Table } from '../document.ts';
import { numbers, words } from '../text-table.ts';
import { fixed, money, percent, profit, whole } from '../figures.ts';
import { scriptedChart } from '../scripted-chart.ts';

const REST: Readonly<Record<string, string>> = {
  netting: 'the venue has one average price where strategies share a leg: realised there, open here',
  external: 'fills without a strategy',
  insurance: 'losses beyond the margin, which the fund of the venue paid',
};

export function portfolioSection(portfolio: Portfolio | null): Section[] {
  if (portfolio === null) return [];
  return [
    {
      id: 'strategies',
      link: 'Strategies',
      title: 'By strategy',
      words: 'the part of each in the result of one wallet; every column adds up',
      blocks: [
        partsOf(portfolio),
        {
          kind: 'beside',
          look: 'two',
          blocks: [
            scriptedChart('chart-strategies', 'Net profit by strategy', 'since the start, fees and funding included'),
            correlationOf(portfolio),
          ],
        },
      ],
    },
  ];
}

function partsOf({ strategies, rest, total }: Portfolio): Table {
  // Most runs have no funding; then the column would be in the way of longer numbers.
  const hasFunding = Number(total.funding) !== 0;
  const rowOf = (
    { name, fills, realised, unrealised, fees, funding, net }: PortfolioPart,
    note: string,
    shares: readonly string[],
  ): Cell[] => [
    note === '' ? name : { text: name, words: note },
    whole(fills),
    profit(realised),
    profit(unrealised),
    { text: money(fees), value: fees },
    ...(hasFunding ? [profit(funding)] : []),
    profit(net),
    ...shares,
  ];
  const share = (value: number | null, digits?: number): string => (value === null ? '–' : percent(value, digits));
  return {
    kind: 'table',
    columns: [
      words(''),
      ...['fills', 'realised', 'open', 'fees', ...(hasFunding ? ['funding'] : []), 'net', 'volatility a year', 'risk'].map(numbers),
    ],
    rows: [
      ...strategies.map((part) => rowOf(part, '', [share(part.volatility), share(part.riskShare, 0)])),
      ...rest.map((part) => rowOf(part, REST[part.name] ?? '', ['', ''])),
      rowOf({ ...total, name: 'wallet' }, '', ['', '']),
    ],
  };
}

/** A row and a column for each strategy, coloured by how strongly two of them move together. */
function correlationOf({ strategies, correlation }: Portfolio): Table {
  return {
    kind: 'table',
    title: 'Correlation of their profits',
    words: '1 together, 0 apart, −1 against each other, by period',
    columns: [words(''), ...strategies.map((_, k) => numbers(String(k + 1)))],
    rows: correlation.map((row, i): Cell[] => [
      `${i + 1} ${strategies[i]!.name}`,
      ...row.map((one, k): Cell => ({ text: one === null ? '–' : fixed(one, 2), value: one, shade: i === k ? 0 : (one ?? 0) })),
    ]),
  };
}
