/** Strategies and symbols of a run as its configuration names them. */
import type { RunReport } from './run-report.ts';

export interface ShownStrategy {
  readonly name: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly symbols?: readonly string[];
}

export function shownStrategies({ config }: Pick<RunReport, 'config'>): readonly ShownStrategy[] {
  return (config['strategies'] as readonly ShownStrategy[] | undefined) ?? [];
}

/** "ema-cross, grid". */
export function strategyNames(report: Pick<RunReport, 'config'>): string {
  return shownStrategies(report)
    .map(({ name }) => name)
    .join(', ');
}

/** "Backtest of ema-cross on BTCUSDT": the traded symbols, or those of the tape if the report has none. */
export function runTitle({ config, kind, tape }: Pick<RunReport, 'config' | 'kind' | 'tape'>): string {
  const traded = [...new Set(shownStrategies({ config }).flatMap(({ symbols }) => symbols ?? []))];
  const symbols = traded.length === 0 ? tape.symbols : traded;
  const shown = symbols.length > 6 ? `${symbols.length} symbols` : symbols.join(', ');
  return `${kind === 'session' ? 'Session' : 'Backtest'} of ${strategyNames({ config }) || 'no strategy'} on ${shown}`;
}
