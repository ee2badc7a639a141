/** Strategies and symbols of a run as its configuration names them. */
import type { RunReport } from './run-report.ts';

export interface ShownStrategy {
  readonly name: string;
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
