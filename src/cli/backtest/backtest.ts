/** `backtest`: runs a strategy on a tape and prints a report. Loads the configuration schema only if a configuration is given. */
import { exitCode } from '../../base/exit-codes.ts';
import { Failure } from '../../base/failure.ts';
import {
  configOf,
  requireFlag,
  requireTape,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
} from '../shell/context.ts';
import type { RunReport } from '../../report/run-report.ts';
import type { OptionGroup } from '../shell/plain.ts';
import { safeText } from '../terminal/terminal.ts';
import { DETAIL_OPTION, detailOf, INSIDE_OPTION, SPREAD_OPTION, type SpreadModel } from './bar-flags.ts';
import { each, moment, numberBetween, pair, wholeNumber } from '../shell/values.ts';

export interface BacktestFlags extends ChoiceFlags, ConfigFlags {
  readonly tape?: string;
  readonly study?: string;
  readonly everyTick?: true;
  readonly spread?: SpreadModel;
  readonly detail?: string;
  readonly insideBars?: true;
  readonly speed: number;
  readonly from?: number;
  readonly to?: number;
  readonly botFrom?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly html?: string;
  /** False with --no-bracket. */
  readonly bracket: boolean;
  readonly json?: true;
  readonly all?: true;
}

export const BACKTEST_OPTIONS: readonly OptionGroup[] = [
  {
    title: 'What:',
    options: [
      { flags: '-t, --tape <folder>', description: 'the tape, made by `tape import` or `tape synth` (needed)' },
      { flags: '-s, --strategy <file>', description: 'a strategy file; repeatable', usual: 'those of the configuration', parse: each },
      { flags: '-p, --param <name=value>', description: 'a parameter of the strategy; repeatable', parse: pair },
      { flags: '--symbol <symbol>', description: 'a symbol to trade; repeatable', usual: 'all of the tape', parse: each },
      {
        flags: '--study <file>',
        description: 'the parameters of the best trial of this study; the report shows how much the search itself explains',
      },
    ],
  },
  {
    title: 'How:',
    options: [
      { flags: '--every-tick', description: 'show the strategy every row of the tape' },
      SPREAD_OPTION,
      DETAIL_OPTION,
      INSIDE_OPTION,
      {
        flags: '--speed <factor>',
        description: 'play the tape this many times faster, like `exchange --speed`',
        parse: numberBetween(0.001, 10_000),
        fallback: 1,
      },
      {
        flags: '--from <time>',
        description: 'first moment: milliseconds since 1970, or a UTC time such as 2024-08-08T23:55',
        parse: moment,
      },
      { flags: '--to <time>', description: 'moment to stop before', parse: moment },
      { flags: '--bot-from <time>', description: 'start the bot at this time; the market starts earlier', parse: moment },
      {
        flags: '--seed <number>',
        description: 'seed of all randomness',
        usual: 'that of the configuration',
        parse: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      },
      { flags: '-c, --config <file>', description: 'a configuration file', usual: 'the built-in defaults' },
      { flags: '--set <key=value>', description: 'one key of the configuration; repeatable', parse: each },
    ],
  },
  {
    title: 'The report:',
    options: [
      { flags: '-o, --out <file>', description: 'also write it as JSON to this file' },
      { flags: '--html <file>', description: 'also write it as a page for a browser, with charts' },
      { flags: '--no-bracket', description: 'without the pessimistic and the optimistic reading beside it, which run in threads' },
      { flags: '--json', description: 'print it as one JSON object' },
      { flags: '--all', description: 'print every metric (docs/reference/metrics.md), not only the chief ones' },
    ],
  },
];

export async function backtest(flags: BacktestFlags, context: CliContext): Promise<void> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('flag-value', { what: '--from must be before --to', where: 'backtest' });
  }
  if (flags.botFrom !== undefined && flags.to !== undefined && flags.botFrom >= flags.to) {
    throw new Failure('flag-value', { what: '--bot-from must be before --to', where: 'backtest' });
  }
  const tape = requireTape(requireFlag(flags.tape, '--tape FOLDER'));
  const finer = detailOf(flags);
  const config = await configOf(flags, context);
  const named = strategiesOf(flags, config);
  const study =
    flags.study === undefined
      ? null
      : await (await import('../../run/search/from-study.ts')).fromStudy(flags.study, { strategies: named, tape, detail: finer });
  const strategies = study?.strategies ?? named;
  const [{ guardStrategies }, run, { setRuntimeFlags }] = await Promise.all([
    import('../../run/guard/guard.ts'),
    !flags.bracket
      ? import('../../run/backtest/backtest.ts').then((one) => one.runBacktest)
      : import('../../run/backtest/bracket.ts').then((one) => one.runWithBracket),
    import('../../run/backtest/runtime-flags.ts'),
  ]);
  setRuntimeFlags();
  guardStrategies(config, { isLive: false });
  const detail = finer === undefined ? undefined : (await import('../../run/setup/detail.ts')).readDetail(tape, finer, flags);
  // Loaded only on a terminal: every other backtest starts sooner without it.
  const isWatched = context.io.isTty && flags.json !== true;
  const withLine = isWatched ? (await import('../terminal/progress.ts')).withProgress : null;
  const line = { what: 'backtest', noun: 'rows', isJson: false };
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
    });
  const result = await withParams(flags, () => (withLine === null ? watched() : withLine(context.io, line, watched)));
  const report = study === null ? result : study.reported(result);
  if (flags.out !== undefined || flags.html !== undefined) {
    const { writeReportJson, writeReportPage } = await import('../../run/report/report-files.ts');
    if (flags.out !== undefined) writeReportJson(flags.out, report);
    if (flags.html !== undefined) writeReportPage(flags.html, report);
    (await import('../result/show-result.ts')).tellWritten(context.io, flags.out, flags.html);
  }
  if (flags.json) {
    const { jsonPieces } = await import('../../report/write-json.ts');
    for (const piece of jsonPieces(report)) context.io.stdout.write(piece);
    context.io.stdout.write('\n');
  } else {
    const { formatReport } = await import('../../report/text/format-report.ts');
    context.io.stdout.write(formatReport(report, { isAll: flags.all === true }));
  }
  failFor(report, context);
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
