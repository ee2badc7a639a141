/**
 * The tools by which an assistant tries strategies that the configuration names, with parameters alone, on tapes of the folder that a
 * person named.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { FieldTable } from '../../base/fields.ts';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import type { Tool } from '../../edge/mcp/serve.ts';
import { SEARCH_DEFAULTS } from '../../search/defaults.ts';
import { sessionsIn } from '../../edge/file/session-file.ts';
import { tryConfined } from './confined-process.ts';
import { TRIALS, type TrialConfig, type TrialName } from './trial-job.ts';

const SEEDS_MOST = 1_000;
const SEARCH_MOST = 1_000;

export interface TrialPlaces {
  readonly config: BotConfig;
  /** The folder of tapes; null for none. */
  readonly tapes: string | null;
  /** The state folder of the bot. */
  readonly folder: string;
}

const SUMMARIES: Readonly<Record<TrialName, string>> = {
  backtest: 'Run a strategy on a tape and report profit, fees and drawdown',
  optimize: 'Search the parameters of a strategy on a tape',
  verify: 'Check whether the backtest of a strategy can be believed',
  crashtest: 'Run a strategy against hostile markets and a faulty venue',
  report: 'What a recorded session earned: the session is replayed',
};

export function trialTools(places: TrialPlaces): readonly Tool[] {
  const named = new Map(places.config.strategies.map((choice, k, all) => [nameOf(choice, k, all), choice]));
  if (named.size === 0) return [];
  return TRIALS.filter((name) => places.tapes !== null || name === 'crashtest' || name === 'report').map((name) =>
    toolOf(name, places, named),
  );
}

function toolOf(name: TrialName, places: TrialPlaces, named: ReadonlyMap<string, StrategyChoice>): Tool {
  return {
    name: name === 'report' ? 'session_report' : name,
    description: `${SUMMARIES[name]}. In a process without keys and without other files; one at a time, at most five minutes. Strategies are those that the configuration names.`,
    fields: fieldsOf(name, [...named.keys()], tapesIn(places)),
    isReading: true,
    call: (given, { signal }) => {
      const choice = named.get(String(given['strategy']))!;
      const params = textsOf(given['params']);
      const isSearch = name === 'optimize';
      const { from, to, count = isSearch ? 30 : 20, by = SEARCH_DEFAULTS.by } = given as Readonly<Record<string, never>>;
      return tryConfined(
        {
          name,
          config: trialConfig(places.config),
          choice: { ...choice, params: isSearch ? choice.params : { ...choice.params, ...params } },
          space: isSearch ? params : {},
          input: inputOf(name, places, given),
          from: momentOf(from),
          to: momentOf(to),
          count,
          by,
        },
        signal,
      );
    },
  };
}

function fieldsOf(name: TrialName, strategies: readonly string[], tapes: readonly string[]): FieldTable {
  const strategy = { kind: 'word', words: strategies, doc: 'a strategy of the configuration' } as const;
  if (name === 'report') return { strategy, session: { kind: 'text', doc: 'a session of the tool `sessions`' } };
  const params = { kind: 'object', isOptional: true, doc: 'parameters of the strategy by name; the others are as configured' } as const;
  if (name === 'crashtest')
    return { strategy, params, count: { kind: 'whole', min: 1, max: SEEDS_MOST, isOptional: true, doc: 'how many seeds; 20 by default' } };
  const time = (doc: string) => ({ kind: 'text', isOptional: true, doc: `${doc}, in UTC such as 2024-08-08T23:55` }) as const;
  const run = {
    strategy,
    tape: {
      kind: 'text',
      doc: `a tape of the folder that the operator named${tapes.length === 0 ? '' : `: ${tapes.slice(0, 20).join(', ')}`}`,
    },
    from: time('first moment of the tape that is used'),
    to: time('moment to stop before'),
  } as const;
  if (name !== 'optimize') return { ...run, params };
  return {
    ...run,
    params: {
      ...params,
      doc: 'what a parameter may be: "5..50", "5..50:5", "1..1000:log", "a,b" or one value; those with bounds if left out',
    },
    count: { kind: 'whole', min: 1, max: SEARCH_MOST, isOptional: true, doc: 'number of trials; 30 by default' },
    by: { kind: 'text', isOptional: true, doc: `what to maximise or minimise: a metric; ${SEARCH_DEFAULTS.by} by default` },
  };
}

/** A name of a list, never a path that the assistant makes. @throws Failure */
function inputOf(name: TrialName, places: TrialPlaces, given: Readonly<Record<string, unknown>>): string {
  if (name === 'crashtest') return '';
  const [what, wanted, all] =
    name === 'report'
      ? (['session', String(given['session']), sessionsIn(join(places.folder, 'sessions')).map((path) => basename(path))] as const)
      : (['tape', String(given['tape']), tapesIn(places)] as const);
  if (!all.includes(wanted))
    throw new Failure('path-missing', {
      what: `there is no ${what} ${wanted}: ${didYouMean(wanted, all) ?? `there are ${all.join(', ') || 'none'}`}`,
    });
  return name === 'report' ? join(places.folder, 'sessions', wanted) : join(places.tapes!, wanted);
}

function tapesIn({ tapes }: TrialPlaces): readonly string[] {
  if (tapes === null || !existsSync(tapes)) return [];
  return readdirSync(tapes, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function nameOf({ name, file }: StrategyChoice, k: number, all: readonly StrategyChoice[]): string {
  const own = name ?? basename(file, extname(file));
  const before = all.slice(0, k).filter((one) => (one.name ?? basename(one.file, extname(one.file))) === own).length;
  return before === 0 ? own : `${own}-${before + 1}`;
}

function trialConfig(config: BotConfig): TrialConfig {
  const { credentials: _a, keystore: _b, venue: _c, store: _d, alerts: _e, webhooks: _f, watchdog: _g, control: _h, ...rest } = config;
  return { ...rest, strategies: [] };
}

function textsOf(params: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)]));
}

/** @throws Failure */
function momentOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const time = /^\d{4}-\d\d-\d\d/.test(text)
    ? Date.parse(/\d\d:\d\d/.test(text) && !/Z|[+-]\d\d:\d\d$/.test(text) ? `${text}Z` : text)
    : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new Failure('flag-value', { what: `expected a time in UTC such as 2024-08-08T23:55, found ${text}` });
}
