/** The part of each strategy as text: a table whose columns add up, and the correlation of their profits. */
import type { Portfolio, PortfolioPart } from '../equity/portfolio.ts';
import { fixed, money, percent, whole } from '../document/figures.ts';
import { aligned, section } from './text-parts.ts';

const LONGEST_NAME = 20;

export function portfolioLines(portfolio: Portfolio | null): string[] {
  if (portfolio === null) return [];
  const { strategies, rest, total, correlation } = portfolio;
  const rows = [
    ...strategies.map((part) => [...amountsOf(part), part.riskShare === null ? '–' : percent(part.riskShare, 0)]),
    ...[...rest, total].map((part) => [...amountsOf(part), '']),
  ];
  // Most runs have no funding; then the column would be in the way of longer numbers.
  const hasFunding = Number(total.funding) !== 0;
  const shown = (row: readonly string[]): string[] => row.filter((_, column) => column !== FUNDING || hasFunding);
  return [
    ...section('By strategy'),
    ...aligned(shown(['', 'fills', 'realised', 'open', 'fees', 'funding', 'net', 'risk']), rows.map(shown), 1),
    ...section('Correlation of their profits'),
    ...aligned(
      ['', ...strategies.map((_, k) => `[${k + 1}]`)],
      correlation.map((row, k) => [
        `[${k + 1}] ${clipped(strategies[k]!.name)}`,
        ...row.map((one) => (one === null ? '–' : fixed(one, 2))),
      ]),
      1,
    ),
  ];
}

const FUNDING = 5;

function amountsOf({ name, fills, realised, unrealised, fees, funding, net }: PortfolioPart): string[] {
  return [clipped(name), whole(fills), money(realised), money(unrealised), money(fees), money(funding), money(net)];
}

function clipped(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}
