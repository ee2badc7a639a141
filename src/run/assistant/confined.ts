/**
 * The process in which an assistant tries a strategy that the configuration names: without keys, with the permission model of Node.js, and
 * without threads, because that model does not hold in them. The job comes on stdin, the answer goes to stdout.
 */
import { text } from 'node:stream/consumers';
import { Failure } from '../../base/failure/failure.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { defaultConfig } from '../../config/defaults.ts';
import type { BotConfig } from '../../config/model.ts';
import { SEARCH_DEFAULTS } from '../../search/defaults.ts';
import type { Objective } from '../../search/trial.ts';
import { guardThread } from '../guard/guard.ts';
import { programVersion } from '../setup/version.ts';
import { resultText } from './result-text.ts';
import type { TrialAnswer, TrialJob } from './trial-job.ts';

async function tried(job: TrialJob): Promise<object> {
  const config: BotConfig = { ...defaultConfig(), ...job.config, strategyGuard: 'on' };
  guardThread(config);
  const { choice, from, to, input: tape } = job;
  const run = { tape, strategies: [choice], config, everyTick: false, speed: 1, from, to, seed: config.seed };
  switch (job.name) {
    case 'backtest': {
      const { runBacktest } = await import('../backtest/backtest.ts');
      const report = await runBacktest(run);
      return { pnl: report.pnl, orders: report.orders, stats: report.stats, hash: report.hash, text: resultText(report) };
    }
    case 'verify':
      return (await import('../verify/verify.ts')).verify({ ...run, moments: 12, isAlone: true }, () => undefined);
    case 'crashtest': {
      const [{ crashtest, CRASH_RULES }, { loadStrategy }] = await Promise.all([
        import('../testing/crashtest.ts'),
        import('../setup/strategy/load-strategy.ts'),
      ]);
      const { params, symbols } = choice;
      const bounds = { perMinute: 1_200, maxSize: null, needsStops: false, ends: 'any' } as const;
      const strategy = await loadStrategy(choice.file);
      const report = await crashtest({ strategy, params, symbols, config, from: 1, seeds: job.count, bounds });
      return { ...report, rules: CRASH_RULES };
    }
    case 'optimize':
      return { text: resultText(await searched(job, config)) };
    case 'report': {
      const [{ readSessions }, { sessionReport }] = await Promise.all([
        import('../live/facts/read-sessions.ts'),
        import('../live/session-report.ts'),
      ]);
      return { text: resultText(sessionReport(await readSessions(tape))) };
    }
  }
}

async function searched(job: TrialJob, config: BotConfig) {
  const [{ optimize }, { FIGURES }, { here }] = await Promise.all([
    import('../search/optimize.ts'),
    import('../search/results/trial-figures.ts'),
    import('../search/workers/here.ts'),
  ]);
  const figure = Object.hasOwn(FIGURES, job.by) ? FIGURES[job.by] : undefined;
  if (figure === undefined)
    throw new Failure('flag-value', { what: `there is no figure "${job.by}": there are ${Object.keys(FIGURES).join(', ')}` });
  const objectives: readonly Objective[] = [{ figure: job.by, direction: figure.better }];
  return optimize({
    version: programVersion(),
    strategy: job.choice,
    params: job.space,
    tape: job.input,
    config,
    everyTick: false,
    spread: undefined,
    detail: undefined,
    from: job.from,
    to: job.to,
    holdout: SEARCH_DEFAULTS.holdout,
    trials: job.count,
    objectives,
    constraints: [],
    sampler: SEARCH_DEFAULTS.sampler,
    seed: config.seed,
    isPruned: false,
    study: null,
    workers: 1,
    remote: null,
    threads: here,
    judges: here,
    signal: new AbortController().signal,
  });
}

const answer: TrialAnswer = await tried(JSON.parse(await text(process.stdin)) as TrialJob).then(
  (data) => ({ ok: true, data }) as const,
  (error: unknown) => ({ ok: false, message: messageOf(error) }) as const,
);
process.stdout.write(JSON.stringify(answer), () => process.exit());
