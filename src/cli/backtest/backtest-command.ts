/** `backtest`: runs a strategy on a tape and prints a report. Loads the configuration schema only if a configuration is given. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import { configOf, requireTape, strategiesOf, withParams, type CliContext } from '../shell/cli-context.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { StrategyLog } from '../../run/backtest/strategy-log.ts';
import { safeText } from '../terminal/terminal.ts';
import type { TableFlags } from '../shell/show-result.ts';
import { detailOf, type WholeRunFlags } from './whole-runs.ts';

interface BacktestFlags extends WholeRunFlags, TableFlags {
  readonly study?: string;
  readonly botFrom?: number;
  readonly out?: string;
  readonly html?: string;
  /** False with --no-bracket. */
  readonly bracket: boolean;
  readonly json?: true;
  readonly all?: true;
  readonly log?: string;
  readonly trades?: string;
}

export async function backtest(flags: BacktestFlags, context: CliContext): Promise<void> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('flag-value', { what: '--from must be before --to', where: 'backtest' });
  }
  if (flags.botFrom !== undefined && flags.to !== undefined && flags.botFrom >= flags.to) {
    throw new Failure('flag-value', { what: '--bot-from must be before --to', where: 'backtest' });
  }
  const tape = requireTape(flags.tape);
  const finer = detailOf(flags);
  const config = await configOf(flags, context);
  const named = strategiesOf(flags, config);
  const study =
    flags.study === undefined
      ? null
      : await (await import('../../run/search/from-study.ts')).fromStudy(flags.study, { strategies: named, tape, detail: finer });
  const strategies = study?.strategies ?? named;
  const [{ guardStrategies }, run, { setRuntimeFlags }, { withProgress }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    !flags.bracket
      ? import('../../run/backtest/backtest.ts').then((one) => one.runBacktest)
      : import('../../run/backtest/other-readings.ts').then((one) => one.runWithBracket),
    import('../../run/backtest/runtime-flags.ts'),
    import('../terminal/progress.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(config, { isLive: false });
  const detail = finer === undefined ? undefined : (await import('../../run/setup/detail.ts')).readDetail(tape, finer, flags);
  const line = { what: 'backtest', noun: 'rows', isJson: flags.json === true };
  const lines = await strategyLog(flags, context);
  const watched = (progress?: (rows: number, share: number) => void): ReturnType<typeof run> =>
    run({
      strategies,
      tape,
      config,
      everyTick: flags.everyTick === true,
      spread: flags.spread,
      detail,
      insideBars: flags.insideBars,
      speed: flags.speed,
      from: flags.from,
      to: flags.to,
      botFrom: flags.botFrom,
      seed: flags.seed ?? config.seed,
      progress,
      strategyLog: lines.take,
    });
  const result = await withParams(flags, () => withProgress(context.io, line, watched)).finally(() => lines.end());
  const report = study === null ? result : study.reported(result);
  const { printRunJson, showRun, writeRun } = await import('../shell/show-result.ts');
  await writeRun(report, flags, context.io);
  await (flags.json ? printRunJson(report, context.io) : showRun(report, flags, context.io));
  failFor(report, context);
}

/** What strategies write by `ctx.log`: to --log, else to stderr, where a line of progress gives way. */
async function strategyLog({ log }: BacktestFlags, { io }: CliContext): Promise<StrategyLog> {
  const { strategyLogFile, strategyLogText } = await import('../../run/backtest/strategy-log.ts');
  if (log !== undefined) return strategyLogFile(log);
  return strategyLogText(io.isTty ? { write: (text) => io.stderr.write(`\r\u001b[2K${text}`) } : io.stderr);
}

/** The report is complete, but a strategy did not do all that it should: its handlers threw. The last line says so, below a long report. */
function failFor({ failed, threw = [] }: RunReport, context: CliContext): void {
  const lines = [
    ...failed.map(({ strategy, why }) => `${strategy} was disabled ${why}`),
    ...threw.map(({ strategy, why }) => `${strategy} threw ${why}`),
  ];
  for (const line of lines) context.io.stderr.write(`error: ${safeText(line)}\n`);
  if (lines.length > 0) context.exit(exitCode.failed);
}
