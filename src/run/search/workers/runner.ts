/** Runs the jobs of a search in this thread, over a tape that is loaded already. */
import { messageOf } from '../../../base/failure/message-of.ts';
import { openTrials, type LoadedMarket } from '../../backtest/trials.ts';
import { guardThread } from '../../guard/guard.ts';
import type { Outcome } from '../../../search/trial.ts';
import { loadObjective } from '../../setup/strategy/load-strategy.ts';
import { enroll, enter, leave, numberOf } from '../../../engine/strategy/definition/running.ts';
import { Measures, needsOwn, OWN, returnsOf, type OwnObjective } from '../results/trial-figures.ts';
import type { RunJob, RunResult, SearchSetup } from './worker-setup.ts';

/** Loads the strategy. The function it returns runs one job; an error of the strategy is a part of its result. @throws Failure */
export async function openRunner(market: LoadedMarket, setup: SearchSetup): Promise<(job: RunJob) => RunResult> {
  const { strategy, config, everyTick, spread, signals, speed, seed } = setup;
  guardThread(config);
  const trials = await openTrials(market, { strategies: [strategy], config, everyTick, spread, signals, speed, seed });

  const measures = new Measures(setup.metrics, setup.metrics.some(needsOwn) ? await ownObjective(strategy.file) : null);
  const hooks = { isWatched: measures.isWatched, isDrawn: false };
  const outcomeOf = ({ params, from, to }: RunJob): Outcome => {
    try {
      const report = trials.run([params], { from, to, hooks });
      const [failed] = report.failed;
      const outcome = { figures: measures.of(report), hash: report.hash, returns: returnsOf(report) };
      return failed === undefined ? outcome : { ...outcome, error: oneLine(failed.why) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // What a strategy or its check of parameters threw. A fault of this program is none of its outcomes.
      if (error.name === 'AssertionError') throw error;
      return { figures: {}, hash: '', error: oneLine(error.message) };
    }
  };
  return (job) => {
    const started = performance.now();
    const outcome = outcomeOf(job);
    return { id: job.id, outcome, ms: performance.now() - started };
  };
}

/** The function of the strategy file, with the same rules as its handlers. @throws Failure if there is none */
async function ownObjective(file: string): Promise<OwnObjective> {
  const objective = await loadObjective(file);
  const [strategy, handler] = [enroll(file), numberOf(OWN)];
  return (run) => {
    let value: unknown;
    enter(strategy, handler);
    try {
      value = objective(run);
    } catch (error) {
      throw new Error(`${OWN} of the strategy file: ${messageOf(error)}`, { cause: error });
    } finally {
      leave();
    }
    if (value === null || (typeof value === 'number' && Number.isFinite(value))) return value;
    const found = typeof value === 'number' || typeof value === 'string' ? String(value) : typeof value;
    throw new Error(`${OWN} of the strategy file: a finite number, or null for no result, was expected, found ${found}`);
  };
}

function oneLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
