/** `optimize`: searches the parameters of a strategy on a tape. */
import { availableParallelism } from 'node:os';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import type { OptimizeOptions } from '../../run/search/optimize.ts';
import type { StudyProgress } from '../../run/search/study/run-study.ts';
import { programVersion } from '../../run/setup/version.ts';
import { detailOf, signalsOf } from '../backtest/whole-runs.ts';
import { SEARCH_DEFAULTS } from '../../search/defaults.ts';
import { configOf, requireTape, strategiesOf, withParams, type CliContext } from '../shell/cli-context.ts';
import { constraintsOf, objectivesOf } from './objectives.ts';
import type { OptimizeFlags } from './optimize-flags.ts';
import { showResult } from '../shell/show-result.ts';

export async function runOptimize(given: OptimizeFlags, context: CliContext): Promise<void> {
  const [{ optimize }, { setRuntimeFlags }, { untilStopped }, { SearchProgress }] = await Promise.all([
    import('../../run/search/optimize.ts'),
    import('../../run/backtest/runtime-flags.ts'),
    import('../../run/setup/signals.ts'),
    import('../terminal/search-progress.ts'),
  ]);
  setRuntimeFlags('search');
  const flags = given.resume === undefined ? given : (await import('./resume.ts')).resumed(given, given.resume);
  const stopping = new AbortController();
  void untilStopped().then(() => stopping.abort());
  const progress = flags.json === true ? null : new SearchProgress(context.io, objectivesOf(flags.by));
  const options = {
    ...(await optimizeOptions(flags, context, stopping.signal)),
    progress: progress === null ? undefined : (now: () => StudyProgress) => progress.show(now),
  };
  const result = await withParams(
    { ...(flags.param === undefined ? {} : { param: flags.param }), ...(flags.config === undefined ? {} : { config: flags.config }) },
    () => optimize(options),
  ).finally(() => progress?.end());
  await showResult('optimize', result, flags, context);
  if (result.best === null || !result.isComplete) context.exit(exitCode.failed);
}

/** The options of a search, as the flags state them. @throws Failure */
export async function optimizeOptions(flags: OptimizeFlags, context: CliContext, signal: AbortSignal): Promise<OptimizeOptions> {
  if (flags.from !== undefined && flags.to !== undefined && flags.from >= flags.to) {
    throw new Failure('flag-value', { what: '--from must be before --to', where: '--from' });
  }
  const tape = requireTape(flags.tape);
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
    signals: await signalsOf(flags),
    from: flags.from,
    to: flags.to,
    holdout: flags.holdout,
    trials: flags.trials ?? SEARCH_DEFAULTS.trials,
    objectives: objectivesOf(flags.by),
    constraints: constraintsOf(flags.constraint ?? []),
    sampler: flags.sampler,
    seed: flags.seed ?? config.seed,
    isPruned: flags.prune === true,
    study: flags.study ?? null,
    ...(flags.study === undefined ? {} : await keptOf(flags, context)),
    workers: flags.workers ?? availableParallelism(),
    remote: flags.redis === undefined ? null : await remoteOn(flags.redis, context),
    signal,
  };
}

/** What a study with a file keeps beside its outcomes. */
async function keptOf(flags: OptimizeFlags, { env }: CliContext): Promise<Pick<OptimizeOptions, 'command' | 'noted'>> {
  const [{ commandText }, { noteStudy }] = await Promise.all([import('./resume.ts'), import('../../run/search/study/study-notes.ts')]);
  return { command: commandText(flags), noted: (study) => noteStudy(env, study) };
}

async function remoteOn(url: string, { io }: CliContext): Promise<NonNullable<OptimizeOptions['remote']>> {
  const [{ startRemote }, { programId }] = await Promise.all([
    import('../../run/search/remote/remote-executor.ts'),
    import('../../run/search/remote/program-digest.ts'),
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
