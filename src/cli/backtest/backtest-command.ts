/** `backtest`: runs a strategy on a tape and prints a report. Loads the configuration schema only if a configuration is given. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import type { BacktestOptions } from '../../run/setup/options.ts';
import { configOf, requireTape, strategiesOf, withParams, type CliContext } from '../shell/cli-context.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { StrategyLog } from '../../run/backtest/strategy-log.ts';
import { safeText } from '../terminal/terminal.ts';
import type { TableFlags } from '../shell/show-result.ts';
import { detailOf, signalsOf, type WholeRunFlags } from './whole-runs.ts';

export interface BacktestFlags extends WholeRunFlags, TableFlags {
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
  readonly signals?: string;
}

export async function backtest(flags: BacktestFlags, context: CliContext): Promise<void> {
  const { guardStrategies } = await import('../../run/guard/guard.ts');
  const line = { what: 'backtest', noun: 'rows', isJson: flags.json === true };
  const lines = await strategyLog(flags, context);
  const { withProgress } = await import('../terminal/progress.ts');
  const report = await withParams(flags, () =>
    withProgress(context.io, line, (progress) => {
      const watch = { guard: (config: BotConfig) => guardStrategies(config, { isLive: false }), progress, strategyLog: lines.take };
      return backtestOf(flags, context, watch);
    }),
  ).finally(() => lines.end());
  const { printRunJson, showRun, writeRun } = await import('../shell/show-result.ts');
  await writeRun(report, flags, context.io);
  await (flags.json ? printRunJson(report, context.io) : showRun(report, flags, context.io));
  failFor(report, context);
}

/** What a caller hears of a backtest while it runs, and what guards its process or thread. */
export interface BacktestWatch extends Pick<BacktestOptions, 'progress' | 'strategyLog'> {
  readonly guard: (config: BotConfig) => void;
}

/** The report of the run that the flags state. @throws Failure, TapeError, ParamError */
export async function backtestOf(flags: BacktestFlags, context: CliContext, watch: BacktestWatch): Promise<RunReport> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('flag-value', { what: '--from must be before --to', where: 'backtest' });
  }
  if (flags.botFrom !== undefined && flags.to !== undefined && flags.botFrom >= flags.to) {
    throw new Failure('flag-value', { what: '--bot-from must be before --to', where: 'backtest' });
  }
  const tape = requireTape(flags.tape);
  const signals = await signalsOf(flags);
  const finer = detailOf(flags);
  const config = await configOf(flags, context);
  const named = strategiesOf(flags, config);
  const study =
    flags.study === undefined
      ? null
      : await (await import('../../run/search/from-study.ts')).fromStudy(flags.study, { strategies: named, tape, detail: finer });
  const [run, { setRuntimeFlags }] = await Promise.all([
    !flags.bracket
      ? import('../../run/backtest/backtest.ts').then((one) => one.runBacktest)
      : import('../../run/backtest/other-readings.ts').then((one) => one.runWithBracket),
    import('../../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  const { guard, ...told } = watch;
  guard(config);
  const detail = finer === undefined ? undefined : (await import('../../run/setup/instruments/detail.ts')).readDetail(tape, finer, flags);
  const report = await run({
    strategies: study?.strategies ?? named,
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
    signals,
    ...told,
  });
  return study === null ? report : study.reported(report);
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
