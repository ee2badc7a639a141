/** Runs the jobs of a search in this thread, over a tape that is loaded already. */
import { openTrials, type LoadedMarket } from '../../backtest/trials.ts';
import { guardThread } from '../../guard/guard.ts';
import type { Outcome } from '../../../search/trial.ts';
import { figuresOf, needsWatch, returnsOf } from '../results/trial-figures.ts';
import type { RunJob, RunResult, SearchSetup } from './worker-setup.ts';

/** Loads the strategy. The function it returns runs one job; an error of the strategy is a part of its result. @throws Failure */
export async function openRunner(market: LoadedMarket, setup: SearchSetup): Promise<(job: RunJob) => RunResult> {
  const { strategy, config, everyTick, spread, speed, seed } = setup;
  guardThread(config);
  const trials = await openTrials(market, { strategies: [strategy], config, everyTick, spread, speed, seed });

  const hooks = { isWatched: setup.metrics.some(needsWatch), isDrawn: false };
  const outcomeOf = ({ params, from, to }: RunJob): Outcome => {
    try {
      const report = trials.run([params], { from, to, hooks });
      const [failed] = report.failed;
      const outcome = { figures: figuresOf(report, setup.metrics), hash: report.hash, returns: returnsOf(report) };
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

function oneLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
