/** `optimize`: searches the parameters of a strategy on a tape. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { exitCode } from '../../base/exit-codes.ts';
import { Failure } from '../../base/failure.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { FIGURES, USUAL_FIGURES } from '../../run/search/results/figures.ts';
import type { OptimizeOptions } from '../../run/search/optimize.ts';
import type { StudyProgress } from '../../run/search/study/run-study.ts';
import { programVersion } from '../../run/setup/version.ts';
import { SAMPLERS } from '../../search/samplers/table.ts';
import { detailOf } from '../backtest/bar-flags.ts';
import { configOf, requireFlag, requireTape, strategiesOf, withParams, type CliContext } from '../shell/context.ts';
import { SAMPLER_NAMES, SEARCH_OPTIONS, type OptimizeFlags } from './search-options.ts';
import { showResult } from '../result/show-result.ts';
import { addOptions, ANY_KEY, EXITS, helpText, withOtherHelp, type HelpParts } from '../shell/help.ts';

const PARTS: HelpParts = {
  examples: [
    ['tickwright optimize --strategy strategies/ema-cross.ts --tape tapes/btc --param fast=2..20 --param slow=20..200:5'],
    [
      'tickwright optimize --strategy my.ts --tape tapes/btc --by sharpe --constraint "trades>=30" --study my.study --trials 500',
      'goes on after a Ctrl-C',
    ],
    ['tickwright optimize --strategy my.ts --tape tapes/btc --by totalReturn,maxDrawdown --sampler nsga2', 'two objectives: a front'],
  ],
  notes: [
    `Samplers: ${SAMPLER_NAMES.map((name) => `${name}, ${SAMPLERS[name].doc}`).join('; ')}.`,
    `Figures: ${USUAL_FIGURES.map((name) => `${name}, ${FIGURES[name]?.doc}`).join('; ')}.`,
    'The same command gives the same trials and the same hash, with any number of workers and after any interruption.',
  ],
  variables: [ANY_KEY],
  files: [
    ['--study FILE', 'every trial. It goes on only with the same strategy, tape, version, parameters and flags'],
    ['--out FILE', 'the result as JSON'],
    ['--html FILE', 'the result as a page: one file that loads nothing'],
  ],
  exits: [
    ['0', 'the search is complete'],
    ['1', 'no trial gave a result, or the search was interrupted'],
    EXITS.usage,
    EXITS.configuration,
  ],
};

export function addOptimize(program: Command, context: CliContext): void {
  const command = program
    .command('optimize')
    .summary('search the parameters of a strategy on a tape')
    .description(
      'Try a strategy with many parameters on the first part of a tape, and the best of them on the last part, which took no part in the search.',
    );
  withOtherHelp(addOptions(command, SEARCH_OPTIONS))
    .addHelpText('after', helpText(PARTS))
    .action((flags: OptimizeFlags) => run(flags, context));
}

async function run(flags: OptimizeFlags, context: CliContext): Promise<void> {
  const [{ optimize }, { setRuntimeFlags }, { untilStopped }, { SearchProgress }] = await Promise.all([
    import('../../run/search/optimize.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
    import('../terminal/search-progress.ts'),
  ]);
  setRuntimeFlags();
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const progress = context.io.isTty && flags.json !== true ? new SearchProgress(context.io.stderr, flags.by) : null;
  const options = {
    ...(await optimizeOptions(flags, context, stopping.signal)),
    progress: progress === null ? undefined : (now: () => StudyProgress) => progress.show(now),
  };
  const result = await withParams(flags.param === undefined ? {} : { param: flags.param }, () => optimize(options)).finally(() =>
    progress?.end(),
  );
  await showResult(result, flags, context, flags.study ?? null);
  if (result.best === null || !result.isComplete) context.exit(exitCode.failed);
}

/** The options of a search, as the flags state them. @throws Failure */
export async function optimizeOptions(flags: OptimizeFlags, context: CliContext, signal: AbortSignal): Promise<OptimizeOptions> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('flag-value', { what: '--from must be before --to', where: '--from' });
  }
  const tape = requireTape(requireFlag(flags.tape, '--tape FOLDER'));
  const detail = detailOf(flags);
  if (detail !== undefined && flags.redis !== undefined) {
    throw new Failure('flag-conflict', { what: '--detail works only with threads of this process, found --redis', where: '--detail' });
  }
  const config = await configOf(flags, context);
  return {
    version: programVersion(),
    strategy: strategyOf(flags, config),
    params: flags.param ?? {},
    tape,
    config,
    everyTick: flags.everyTick === true,
    spread: flags.spread,
    detail,
    from: flags.from,
    to: flags.to,
    holdout: flags.holdout,
    trials: flags.trials,
    objectives: flags.by,
    constraints: flags.constraint ?? [],
    sampler: flags.sampler,
    seed: flags.seed ?? config.seed,
    isPruned: flags.prune === true,
    study: flags.study ?? null,
    workers: flags.workers ?? availableParallelism(),
    remote: flags.redis === undefined ? null : await remoteOn(flags.redis, context),
    signal,
  };
}

async function remoteOn(url: string, { io }: CliContext): Promise<NonNullable<OptimizeOptions['remote']>> {
  const [{ startRemote }, { programId }] = await Promise.all([
    import('../../run/search/remote/executor.ts'),
    import('../../run/search/remote/program.ts'),
  ]);
  const program = programId(programVersion());
  const tell = (line: string): void => void io.stderr.write(`${line}\n`);
  return (search, events) => startRemote({ ...search, url, program, tell }, events);
}

/** The strategy of the flag, else the only one of the configuration. */
function strategyOf(flags: OptimizeFlags, config: BotConfig): StrategyChoice {
  const [one, ...others] = strategiesOf(
    {
      ...(flags.strategy === undefined ? {} : { strategy: [flags.strategy] }),
      ...(flags.symbol === undefined ? {} : { symbol: flags.symbol }),
    },
    config,
  );
  if (one !== undefined && others.length === 0) return one;
  throw new Failure('strategy-missing', {
    what: `expected one strategy, the configuration has ${others.length + 1}`,
    hint: 'name one with --strategy',
  });
}
