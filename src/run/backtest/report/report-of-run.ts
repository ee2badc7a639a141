/** The report of a run that has ended. */
import { universeReport } from './universe-report.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import { refusalsOf } from '../../../engine/status.ts';
import { backtestReport, type BacktestReport } from '../../../report/backtest-report.ts';
import { executionOf } from '../../../report/decisions.ts';
import type { Attribution } from '../../../domain/attribution.ts';
import type { Drawings } from '../../../report/market/drawings.ts';
import type { ChartLevels } from '../../../report/market/chart-bars.ts';
import type { EquityCurve } from '../../../report/equity/equity-curve.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import { totalsOf } from './account-of-run.ts';
import { failedOf, notesOf, threwOf } from './run-notes.ts';
import type { Ambiguity } from '../counts/ambiguity.ts';
import type { Drive } from '../loop/drive.ts';
import { ambiguityNotes } from '../inputs/runs-on-bars.ts';
import { marketCharts } from './market-charts.ts';
import type { QuietLog } from '../counts/quiet-log.ts';
import type { RunCounters } from '../counts/run-counters.ts';
import { configOf } from './report-config.ts';
import { venueRowNotes, type VenueRows } from '../venue/venue-rows.ts';
import type { BacktestParts } from '../inputs/backtest-parts.ts';
import type { SpotBook } from '../../../report/fills/spot-book.ts';
import type { PeriodSeries } from '../../../report/equity/period-series.ts';
import type { MarketView } from '../venue/market-view.ts';

/** What a run was made of, and what it left. */
export interface EndedRun extends BacktestParts {
  readonly kernel: Kernel;
  readonly sim: VenueSim;
  readonly drive: Pick<Drive, 'rows' | 'first' | 'last'>;
  readonly symbols: readonly string[];
  /** null if the run was not on bars. */
  readonly ambiguity: Ambiguity | null;
  /** Commands that no bar met. */
  readonly unmet: number;
  /** Indices of the instruments that strategies trade. */
  readonly traded: ReadonlySet<number>;
  readonly counters: RunCounters;
  readonly levels: ChartLevels;
  readonly drawings: Drawings;
  readonly log: QuietLog;
  readonly spot: SpotBook | null;
  readonly attribution: Attribution | null;
  readonly curve: EquityCurve;
  readonly periods: PeriodSeries;
  readonly sees: MarketView;
  readonly sampleMs: number;
  readonly venueRows: VenueRows;
  readonly wallMs: number;
}

export function reportOf(run: EndedRun): BacktestReport {
  const { options, market, tape, strategies, impact = null, extras = {}, venueRows, sampleMs, sees, wallMs } = run;
  const { kernel, sim, drive, symbols, ambiguity, unmet, traded, counters, levels, drawings, log, spot, attribution, curve, periods } = run;
  const { instruments, guessed, adjusted } = market;
  const { manifest } = tape;
  const status = kernel.status();
  return backtestReport({
    failed: failedOf({ status, log }),
    threw: threwOf({ status, log }),
    tape: {
      rows: drive.rows,
      isBars: ambiguity === null ? undefined : true,
      symbols,
      from: drive.first,
      to: drive.last,
    },
    config: { ...configOf(options, strategies, instruments), ...(impact === null ? {} : { impact: Object.fromEntries(impact) }) },
    orders: { ...counters.counts(), refused: refusalsOf([status]), blocked: counters.blockage.found() },
    strategyFunnels: kernel.why.funnels(),
    universes: universeReport(strategies, counters.universes.choices, guessed),
    instruments,
    fills: counters.fills,
    brackets: counters.brackets,
    managed: counters.managed.closed(),
    excursions: counters.watch.excursions,
    execution: executionOf(counters.decisions, counters.watch),
    market: (trades) =>
      marketCharts(
        tape,
        instruments.filter(({ index }) => traded.has(index)),
        { from: drive.first, to: drive.last, isOnBars: ambiguity !== null, levels, drawings },
        trades,
      ),
    curve,
    periods,
    attribution,
    ...totalsOf(sim, spot),
    notes: notesOf({
      sees,
      barNotes: [
        ...(extras.notes ?? []),
        ...venueRowNotes(venueRows, instruments),
        ...(ambiguity === null ? [] : ambiguityNotes(ambiguity, unmet)),
      ],
      options,
      manifest,
      instruments,
      strategies,
      guessed,
      adjusted,
      sampleMs,
      status,
      sim,
      impact,
      counters,
      log,
      spot,
    }),
    wallMs,
  });
}
