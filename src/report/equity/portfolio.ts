/** The result of several strategies on one wallet: the part of each, how their returns move together, and who carries the risk. */
import { formatMoney } from '../../domain/instrument.ts';
import { ONE } from '../../domain/amounts/units.ts';
import { correlationMatrix, riskShares } from '../../statistics/portfolio.ts';
import { deviation } from '../../statistics/samples/moments.ts';
import type { Attribution } from '../../domain/attribution.ts';

/** Amounts are decimal strings in the quote coin; `net` = realised + unrealised − fees + funding. */
export interface PortfolioPart {
  readonly name: string;
  readonly fills: number;
  readonly realised: string;
  readonly unrealised: string;
  readonly fees: string;
  readonly funding: string;
  readonly net: string;
}

export interface PortfolioStrategy extends PortfolioPart {
  /** Standard deviation of a year of its profit as a share of the wallet; null without two different returns. */
  readonly volatility: number | null;
  /** Its share of the variance of the wallet; all of them add up to 1. Below 0 it hedges the others. */
  readonly riskShare: number | null;
}

export interface Portfolio {
  readonly strategies: readonly PortfolioStrategy[];
  /**
   * What belongs to no strategy, so that each column adds up to `total`. `netting`: the venue has one average price for lots that the
   * strategies bought at different ones, which moves profit between realised and unrealised; its net is 0, but in a live session for what
   * the venue's records say otherwise than the fills. `external`: fills without a strategy and lots held before a live session. `insurance`: losses beyond the margin that the venue's fund paid; they are only in `net`.
   */
  readonly rest: readonly PortfolioPart[];
  /** The wallet: its columns are those of `pnl`, and `net` is the change of the equity. */
  readonly total: PortfolioPart;
  /** Columns of equal length: end of each period of `returns`, begun by the start of the run, and the net profit of each strategy so far. */
  readonly series: { readonly time: readonly number[]; readonly profit: readonly (readonly number[])[] };
  /** Correlation of the profits of periods, strategy by strategy; null where one of them never changed. */
  readonly correlation: readonly (readonly (number | null)[])[];
}

interface Amounts {
  readonly fills: number;
  readonly realised: number;
  readonly unrealised: number;
  readonly fees: number;
  readonly funding: number;
  /** Money beyond the other columns. */
  readonly more?: number;
}

export interface PortfolioInputs extends Required<Amounts> {
  readonly attribution: Attribution;
  /** Equity at each sample of the attribution, and the periods in a year. */
  readonly equity: readonly number[];
  readonly perYear: number;
}

export function portfolioOf({ attribution, equity, perYear, more: insurance, ...wallet }: PortfolioInputs): Portfolio {
  const parts = attribution.parts.map(({ name, fills, realised, fees, funding }, k) => {
    return { name, fills, realised, unrealised: attribution.unrealised(k), fees, funding };
  });
  const strategies = parts.slice(0, -1);
  const changes = attribution.parts.map(({ nets }) => sharesOf(nets, equity));
  const own = changes.slice(0, -1);
  const whole = Float64Array.from(own[0] ?? [], (_, t) => changes.reduce((sum, one) => sum + one[t]!, 0));
  const risks = riskShares(own, whole);
  const shown = strategies.map((part, k) => ({
    ...partOf(part.name, part),
    volatility: known(deviation(own[k]!) * Math.sqrt(perYear)),
    riskShare: known(risks[k]!),
  }));
  return {
    strategies: shown,
    rest: restOf(parts, wallet, insurance),
    total: partOf('wallet', { ...wallet, more: insurance }),
    series: {
      time: attribution.time,
      profit: attribution.parts.slice(0, -1).map(({ nets }) => nets.map((net) => net / ONE)),
    },
    correlation: correlationMatrix(own).map((row) => row.map(known)),
  };
}

function restOf(parts: readonly Amounts[], wallet: Amounts, insurance: number): PortfolioPart[] {
  const missing = (key: 'realised' | 'unrealised'): number => parts.reduce((left, part) => left - part[key], wallet[key]);
  const external = parts.at(-1)!;
  const rest: PortfolioPart[] = [];
  const moved = { fills: 0, realised: missing('realised'), unrealised: missing('unrealised'), fees: 0, funding: 0 };
  if (moved.realised !== 0 || moved.unrealised !== 0) rest.push(partOf('netting', moved));
  if (external.fills > 0 || external.funding !== 0) rest.push(partOf('external', external));
  if (insurance !== 0) rest.push(partOf('insurance', { fills: 0, realised: 0, unrealised: 0, fees: 0, funding: 0, more: insurance }));
  return rest;
}

function partOf(name: string, { fills, realised, unrealised, fees, funding, more = 0 }: Amounts): PortfolioPart {
  return {
    name,
    fills,
    realised: formatMoney(realised),
    unrealised: formatMoney(unrealised),
    fees: formatMoney(fees),
    funding: formatMoney(funding),
    net: formatMoney(realised + unrealised - fees + funding + more),
  };
}

/** Change of the profit in each period as a share of the equity at its start; 0 once the wallet has nothing. */
function sharesOf(nets: readonly number[], equity: readonly number[]): Float64Array {
  return Float64Array.from({ length: Math.max(0, nets.length - 1) }, (_, t) => {
    return equity[t]! > 0 ? (nets[t + 1]! - nets[t]!) / equity[t]! : 0;
  });
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
