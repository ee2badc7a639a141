/**
 * Ready-made bots that an operator adds while the bot runs. They are checked before the journal has them, and join the strategies of the
 * configuration whenever the bot is opened: so a restart, a recording and a replay know them as if the configuration named them.
 */
import { Failure } from '../../base/failure/failure.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { BotConfig, StrategyChoice } from '../../config/model.ts';
import { READY_MADE_RISK, readyMadeFile } from '../../config/ready-made.ts';
import { type Instrument, tradedName } from '../../domain/instrument.ts';
import { type AddedByStrategy, type AddedStrategy, isReadyMade } from '../../domain/ready-made.ts';
import { RESERVED_NAMES, STRATEGY_NAME, STRATEGY_NAME_PATTERN } from '../../domain/strategy-name.ts';
import { readsAMinute } from '../../engine/polling/schedule.ts';
import { ParamError, type ParamShape } from '../../engine/strategy/definition/params.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import type { Log } from '../../ports/log.ts';
import { strategySetups } from '../setup/bot-parts.ts';
import { loadStrategy } from '../setup/strategy/load-strategy.ts';
import { shownParams } from '../setup/strategy/shown-params.ts';
import type { Addition, FieldProblem } from './control/operable.ts';
import { type Preflight, preflightOf, tryKernel } from './preflight.ts';

export interface Planned {
  readonly config: BotConfig;
  readonly preflight: Preflight;
}

export interface AdditionDeps {
  readonly config: BotConfig;
  readonly instruments: readonly Instrument[];
  /** The strategies that run. */
  readonly setups: readonly StrategySetup[];
  readonly now: number;
}

const MOST_NAME = 40;

/**
 * With the strategies that were added. One that cannot be made any more is left out and logged. @throws Failure config-invalid if the
 * configuration has one of its name by now: orders and halts of the two could not be told apart
 */
export async function withAdded(planned: Planned, added: AddedByStrategy | undefined, log: Log): Promise<Planned> {
  let next = planned;
  for (const [name, one] of Object.entries(added ?? {})) {
    requireFreeName(next, name, one);
    try {
      next = await withOne(next, name, one);
    } catch (error) {
      log.error('strategy-left-out', { strategy: name, error, hint: removal(name) });
    }
  }
  return next;
}

/** @throws any error of a strategy, a plan of polls or a limit that does not fit */
export async function withOne({ config, preflight }: Planned, name: string, one: AddedStrategy): Promise<Planned> {
  const more = { ...config, strategies: [...config.strategies, choiceOf(name, one)] };
  return { config: more, preflight: await preflightOf(more, preflight.instruments) };
}

/** @throws Failure config-invalid if a strategy of the configuration has the name of one that was added */
export function requireFreeName({ preflight }: Planned, name: string, one: AddedStrategy): void {
  if (!preflight.strategies.some((setup) => nameOf(setup) === name)) return;
  throw new Failure('config-invalid', {
    what: `expected another name than "${name}": an operator has added a strategy of this name (${one.bot} on ${one.symbols.join(', ')})`,
    hint: `name it otherwise in the section strategies, or start without it and type \`${removal(name)}\` first`,
  });
}

/** "late (grid) on ETHUSDT", one each. */
export function addedLines(added: AddedByStrategy | undefined): string[] {
  return Object.entries(added ?? {}).map(([name, { bot, symbols }]) => `${name} (${bot}) on ${symbols.join(', ')}`);
}

const removal = (name: string): string => `tickwright remove-strategy ${name}`;

/** Checks a form. Returns what is wrong, field by field, or the bot. @throws Failure if this bot takes none */
export async function additionOf(deps: AdditionDeps, given: Readonly<Record<string, string>>): Promise<Addition | readonly FieldProblem[]> {
  if (deps.config.store.kind === 'memory') {
    const what = 'this bot keeps its journal in memory: an added strategy would be lost when it starts again';
    throw new Failure('store-refused', { what, hint: 'name it in the configuration' });
  }
  const { bot = '', name: typed = '' } = given;
  if (!isReadyMade(bot)) return [{ field: 'bot', message: `expected a ready-made bot, found "${bot}"` }];
  const { params: shape } = await loadStrategy(readyMadeFile(bot));
  const names = deps.setups.map(nameOf);
  const name = typed === '' ? freeName(bot, names) : typed;
  const symbols = (given['symbols'] ?? '').split(/[\s,]+/).filter((symbol) => symbol !== '');
  const params = paramsIn(given['params'] ?? '');
  if (typeof params === 'string') return [{ field: 'params', message: params }];
  const problems = [...nameProblems(name, names), ...symbolProblems(symbols, deps.instruments), ...paramProblems(shape, params)];
  if (problems.length > 0) return problems;
  const added: AddedStrategy = { bot, symbols, params, at: deps.now };
  try {
    return { name, added, effects: await effectsOf(deps, name, added) };
  } catch (error) {
    // A RangeError of `create` comes as the cause.
    const message = messageOf(error);
    return [{ field: '', message: message.replace(/^.*\/strategies\/\w+\.ts: /, '') }];
  }
}

/** @throws any error of a strategy, a plan of polls or a limit that does not fit */
async function effectsOf({ config, instruments, setups }: AdditionDeps, name: string, added: AddedStrategy): Promise<string[]> {
  const choice = choiceOf(name, added);
  const [setup] = await strategySetups([choice], instruments);
  const cost = (strategies: readonly StrategySetup[]): number =>
    Math.round(tryKernel(config, { instruments, strategies }).reduce((sum, poll) => sum + readsAMinute(poll), 0));
  const [before, after] = [cost(setups), cost([...setups, setup!])];
  const values = Object.entries(shownParams(setup!.strategy, added.params)).map(([key, value]) => `${key}=${String(value)}`);
  const limits = Object.entries(READY_MADE_RISK).map(([key, value]) => `${key} ${String(value)}`);
  const beside = setups.filter((one) => one.instruments.some((index) => setup!.instruments.includes(index))).map(nameOf);
  return [
    `${name} (${added.bot}) trades ${added.symbols.join(', ')} with ${values.join(', ')}`,
    `its own limits: ${limits.join(', ')}; those of the whole bot hold as well`,
    `requests a minute: ${before} now, ${after} with it`,
    ...(beside.length === 0
      ? []
      : [`${beside.join(' and ')} ${beside.length === 1 ? 'trades' : 'trade'} there too: they share the positions`]),
    'the bot stops cleanly and starts again in place: strategies cancel what rests to open, exits stay at the venue',
  ];
}

function choiceOf(name: string, { bot, params, symbols }: AddedStrategy): StrategyChoice {
  return { file: readyMadeFile(bot), name, params, symbols, risk: READY_MADE_RISK };
}

function freeName(bot: string, names: readonly string[]): string {
  let name = bot;
  for (let k = 2; names.includes(name); k++) name = `${bot}-${k}`;
  return name;
}

/** The values by name, as text; or what is wrong. */
function paramsIn(text: string): Record<string, string> | string {
  if (text === '') return {};
  const expected = 'expected a JSON object such as {"range":3}';
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return `${expected}, found ${text.slice(0, 40)}`;
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return `${expected}, found ${text.slice(0, 40)}`;
  const entries = Object.entries(found);
  const odd = entries.find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value));
  if (odd !== undefined) return `${odd[0]}: expected a text or a number, found ${JSON.stringify(odd[1]).slice(0, 40)}`;
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

function nameProblems(name: string, names: readonly string[]): FieldProblem[] {
  const message = names.includes(name)
    ? `"${name}" is the name of a strategy already`
    : RESERVED_NAMES.has(name)
      ? `"${name}" is a word of reports and commands: choose another name`
      : STRATEGY_NAME_PATTERN.test(name) && name.length <= MOST_NAME
        ? ''
        : `expected ${STRATEGY_NAME}, at most ${MOST_NAME}, found "${name.slice(0, 60)}"`;
  return message === '' ? [] : [{ field: 'name', message }];
}

function symbolProblems(symbols: readonly string[], instruments: readonly Instrument[]): FieldProblem[] {
  if (symbols.length === 0) return [{ field: 'symbols', message: 'expected at least one symbol such as BTCUSDT' }];
  const futures = instruments.filter(({ product }) => product === 'futures').map(tradedName);
  const twice = symbols.find((symbol, k) => symbols.indexOf(symbol) !== k);
  if (twice !== undefined) return [{ field: 'symbols', message: `${twice} is listed twice` }];
  return symbols
    .filter((symbol) => !futures.includes(symbol))
    .map((symbol) => {
      const near = didYouMean(symbol, futures);
      return { field: 'symbols', message: `"${symbol}" is no future of the file of instruments${near === undefined ? '' : `; ${near}`}` };
    });
}

function paramProblems(shape: ParamShape, params: Readonly<Record<string, string>>): FieldProblem[] {
  return Object.entries(params).flatMap(([field, value]) => {
    const one = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (one === undefined) {
      const hint = didYouMean(field, Object.keys(shape)) ?? `there are ${Object.keys(shape).join(', ')}`;
      return [{ field, message: `it has no parameter "${field}"; ${hint}` }];
    }
    try {
      one.parse(value);
      return [];
    } catch (error) {
      if (!(error instanceof ParamError)) throw error;
      return [{ field, message: error.message }];
    }
  });
}
