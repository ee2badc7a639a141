/** Exports of a strategy file that nothing reads. Those whose name says what they are for are errors, other plain values a warning. */
import { suggest } from '../../../base/text/suggest.ts';
import type { AnyStrategy } from '../../../engine/strategy/definition/define.ts';

/** What is read beside the default export. */
const READ = ['objective'];

const SPACE = 'the space of a search is the bounds of the parameters: params: { fast: param.integer(10, { min: 5, max: 50 }) }';
const RETURNED = 'create of defineStrategy returns it: create(params) { return { needs: … }; }';
const CONSTRAINTS = 'constraints are options of a search: --constraint "trades >= 30"';
const BARS = "create of defineStrategy returns it: needs: { bars: { '15m': 100 } }, the period and how many bars it starts with";
const STOP = 'each order states its stop as a price: ctx.open(market, "LONG", { size, stopLoss: bar.close * 0.98 })';
const TARGETS = 'ctx.enter takes it for each trade: takeProfit, one or several, with prices';
const LIMITS = 'limits are keys of the configuration: --set risk.… (docs/reference/limits.md)';

/** Where the meaning of such an export belongs, also of names that other frameworks read. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  space: SPACE,
  spaces: SPACE,
  hyperopt_space: SPACE,
  search_space: SPACE,
  searchSpace: SPACE,
  optimize: SPACE,
  params: 'parameters are a part of what defineStrategy takes',
  parameters: 'parameters are `params` of what defineStrategy takes',
  state: 'durable state is a part of what defineStrategy takes',
  needs: RETURNED,
  schedule: RETURNED.replace('needs', 'schedule'),
  universe: 'the universe stands in the configuration, beside `strategy`',
  constraint: CONSTRAINTS,
  constraints: CONSTRAINTS,
  timeframe: BARS,
  timeframes: BARS,
  startup_candle_count: BARS,
  stoploss: STOP,
  stopLoss: STOP,
  takeProfit: TARGETS,
  minimal_roi: TARGETS,
  trailing_stop: TARGETS.replace('takeProfit, one or several, with prices', 'trailing'),
  protections: LIMITS,
  max_open_trades: LIMITS,
  leverage: 'the account has its leverage: risk.leverage of the configuration checks it, simulation.leverage sets that of a backtest',
};

/** By strategy: names of plain values that its file exports and nothing reads. */
const unread = new WeakMap<AnyStrategy, readonly string[]>();

/** Plain values that the file of this strategy exports and nothing reads. */
export function unreadExports(strategy: AnyStrategy): readonly string[] {
  return unread.get(strategy) ?? [];
}

/**
 * The first export with a name that says what it is for, and what to write instead; null for none. One that the strategy is made of, or that
 * `text`, the file itself, uses is no such export. Others are kept for `unreadExports`, except functions: tests may import them.
 */
export function strayExport(
  module: Readonly<Record<string, unknown>>,
  strategy: AnyStrategy,
  text: string,
): { name: string; hint: string } | null {
  const used: readonly unknown[] = [strategy.params, strategy.state];
  const code = text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*|\bexport\s*\{[^}]*\}/gs, '');
  const others: string[] = [];
  for (const [name, value] of Object.entries(module)) {
    if (name === 'default' || READ.includes(name) || used.includes(value) || isUsed(name, code)) continue;
    const near = suggest(name, READ);
    const hint = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : near === null ? undefined : `did you mean "${near}"?`;
    if (hint !== undefined) return { name, hint };
    if (typeof value !== 'function') others.push(name);
  }
  unread.set(strategy, others.toSorted());
  return null;
}

/** True if `code` names it elsewhere than in its declaration, as a key or as a field of something. */
function isUsed(name: string, code: string): boolean {
  const word = name.replaceAll('$', String.raw`\$`);
  const rest = code.replaceAll(new RegExp(String.raw`\b(?:const|let|var|function|class)\s+${word}(?![\w$])`, 'g'), '');
  return new RegExp(String.raw`\?\s*${word}\s*:|(?<![\w$'"]|(?<!\.\.)\.)${word}(?![\w$]|\s*:)`).test(rest);
}
