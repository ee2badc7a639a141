/**
 * Finds what a new configuration means for the positions, orders, limits and strategies that a bot has with the old one. Pure: nothing is
 * read.
 */
import { counted } from '../../base/text/figures.ts';
import type { OrderAnswer, PositionAnswer, StatusAnswer, StrategyAnswer, UniverseAnswer } from '../../control/answers.ts';
import type { BotConfig } from '../../config/model.ts';
import { splitAmount } from '../../domain/amount.ts';
import { tradedName } from '../../domain/instrument.ts';
import type { SymbolLimits } from '../../domain/limits.ts';
import { EMPTY_SNAPSHOT } from '../../engine/recovery/registry.ts';
import type { SavedUniverse, SetupUniverse } from '../../engine/strategy/definition/universe.ts';
import { nameOf, type StrategySetup } from '../../engine/strategy/definition/setup.ts';
import { shownParams } from '../setup/strategy/shown-params.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import { changedSetups } from '../bot/changed-setups.ts';
import type { Preflight } from '../bot/preflight.ts';

export interface Effect {
  /** `money`: a position or an order is left alone, handled otherwise, or over a limit. `change`: everything else that becomes different. */
  readonly kind: 'money' | 'change';
  readonly what: string;
}

/** A bot as it runs, or as its files have it. */
export interface KnownBot {
  readonly status: StatusAnswer;
  readonly orders: readonly OrderAnswer[];
}

/** A configuration, and its strategies as they would start. */
export interface Planned extends Preflight {
  readonly config: BotConfig;
}

/** Keys that say which bot it is. With another value the new bot knows nothing of what the old one has. */
const IDENTITY = ['bot', 'store.kind', 'store.folder', 'store.url', 'venue.baseUrl', 'venue.dialect'] as const;
/** Keys that are compared by what they mean, or that are files. */
const APART: ReadonlySet<string> = new Set(['strategies', 'credentials', 'keystore', 'instruments', 'limits', ...IDENTITY]);

export function effectsOf(before: BotConfig, after: Planned, known: KnownBot | null): Effect[] {
  const positions = known?.status.positions ?? [];
  const orders = known?.orders ?? [];
  const identity = identityEffects(before, after.config, positions.length, orders.length);
  if (identity.length > 0 || known === null) return [...identity, ...keyEffects(before, after.config)];
  const old = known.status.strategies;
  const begun = asBegun(after, old);
  return [
    ...positions.flatMap((position) => positionEffects(position, begun, known.status)),
    ...orders.flatMap((order) => orderEffects(order, begun)),
    ...old.filter(({ name }) => !after.strategies.some((setup) => nameOf(setup) === name)).map(goneEffect),
    ...after.strategies.flatMap((setup, k) => strategyEffects(setup, begun.strategies[k]!, after, old)),
    ...keyEffects(before, after.config),
  ];
}

function identityEffects(before: BotConfig, after: BotConfig, positions: number, orders: number): Effect[] {
  const has = `${counted(positions, 'open position')} and ${counted(orders, 'open order')}`;
  const changed = IDENTITY.filter((key) => valueAt(before, key) !== valueAt(after, key)).map(
    (key) => `${key}: ${shown(valueAt(before, key))} → ${shown(valueAt(after, key))}`,
  );
  const entry = ({ keystore }: BotConfig): string => (keystore === null ? '' : `${keystore.file}#${keystore.name}`);
  const isSameKey = before.credentials?.key.reveal() === after.credentials?.key.reveal() && entry(before) === entry(after);
  if (!isSameKey) changed.push('the credentials have another key: another account');
  return changed.map((what) => ({ kind: 'money', what: `${what}: this is another bot; it knows nothing of the ${has} of this one` }));
}

/** With the symbols that an operator added and removed while the bot ran, as a start has them. */
function asBegun(after: Planned, old: readonly StrategyAnswer[]): Planned {
  const symbols = Object.fromEntries(old.map(({ name, changed = {} }) => [name, changed]));
  const universes = Object.fromEntries(old.flatMap(({ name, universe }) => (universe === undefined ? [] : [[name, asSaved(universe)]])));
  return { ...after, strategies: changedSetups(after.config, after, { ...EMPTY_SNAPSHOT, symbols, universes }, SILENT_LOG) };
}

function asSaved({ at, terms, chosen, leaving }: UniverseAnswer): SavedUniverse {
  return { at, terms, symbols: chosen.map(({ symbol }) => symbol), leaving };
}

/** The strategies that trade the symbol. */
function tradersOf(symbol: string, { strategies, instruments }: Planned): StrategySetup[] {
  return strategies.filter((setup) => setup.instruments.some((index) => tradedName(instruments[index]!) === symbol));
}

function positionEffects({ symbol, side, size, own, value, exits = [] }: PositionAnswer, after: Planned, status: StatusAnswer): Effect[] {
  const name = `${symbol} ${side} ${size}`;
  const effects: Effect[] = [];
  const money = (what: string): void => void effects.push({ kind: 'money', what: `${name} ${what}` });
  if (!after.instruments.some((instrument) => tradedName(instrument) === symbol)) {
    money('has no row in the new file of instruments: the bot cannot close it');
  } else if (own !== undefined && Number(own) > 0 && tradersOf(symbol, after).length === 0) {
    money('stays open, and no strategy watches it; `tickwright flatten` closes what is own');
    const watched = exits.filter(({ by }) => by === 'bot').map(({ what, price }) => (price === '' ? what : `${what} at ${price}`));
    if (watched.length > 0) money(`loses the exits that the bot watches: ${watched.join(', ')}`);
  }
  const risk: SymbolLimits = { ...after.config.risk, ...after.config.risk.symbols[symbol] };
  for (const [key, amount, unit] of [
    ['maxPosition', size, 'of the base coin'],
    ['maxNotionalPosition', value, 'of value'],
  ] as const) {
    const limit = limitIn(risk[key], unit, Number(status.equity));
    if (limit !== null && amount !== '' && Number(amount) > limit)
      money(`is above the new ${key} ${String(risk[key])} (${amount} ${unit}): nothing is closed, and no more is opened there`);
  }
  return effects;
}

/** A limit as a number of this unit; null for none, or for one of another unit. */
function limitIn(limit: unknown, unit: 'of the base coin' | 'of value', equity: number): number | null {
  const amount = typeof limit === 'string' || typeof limit === 'number' ? splitAmount(String(limit)) : null;
  if (amount === null) return null;
  const figure = Number(amount.figure);
  if (unit === 'of the base coin') return amount.unit === 'plain' ? figure : null;
  if (amount.unit === 'percent') return Number.isFinite(equity) && equity > 0 ? (figure * equity) / 100 : null;
  return figure;
}

function orderEffects({ number, symbol, side, effect, size, strategy }: OrderAnswer, after: Planned): Effect[] {
  const isWorkedOn = tradersOf(symbol, after).some((setup) => nameOf(setup) === strategy);
  if (isWorkedOn) return [];
  const what = `order ${number} ${symbol} ${side} ${effect} ${size}`.replace(/ +/g, ' ');
  return [{ kind: 'money', what: `${what} is cancelled at the start: ${strategy || 'no strategy'} does not work on it any more` }];
}

function goneEffect({ name, symbols }: StrategyAnswer): Effect {
  return { kind: 'change', what: `${name} does not run any more on ${symbols.join(', ')}; its state is kept until it runs again` };
}

/** What becomes of a strategy of the new configuration, which is `begun` with what was changed by hand. */
function strategyEffects(setup: StrategySetup, begun: StrategySetup, { instruments }: Planned, old: readonly StrategyAnswer[]): Effect[] {
  const name = nameOf(setup);
  const [configured, symbols] = [setup, begun].map((one) => one.instruments.map((index) => tradedName(instruments[index]!))) as [
    string[],
    string[],
  ];
  const was = old.find((one) => one.name === name);
  if (was === undefined)
    return [
      {
        kind: 'change',
        what: `${name} begins to trade ${setup.universe === undefined ? configured.join(', ') : tradesText(setup.universe)}`,
      },
    ];
  const { set, params } = was;
  const texts = (given: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(shownParams(setup.strategy, given)).map(([key, value]) => [key, String(value)]));
  const own = texts(setup.params);
  const effects: Effect[] = [];
  const change = (what: string): void => void effects.push({ kind: 'change', what: `${name}: ${what}` });
  if (setup.universe !== undefined) effects.push(...universeEffects(begun, was, instruments));
  for (const symbol of symbols) if (!was.symbols.includes(symbol)) change(`begins to trade ${symbol}`);
  for (const symbol of was.symbols) if (!symbols.includes(symbol)) change(`does not trade ${symbol} any more`);
  for (const symbol of setup.universe === undefined ? configured : [])
    if (!symbols.includes(symbol)) change(`${symbol} stays removed, as an operator said; add it with \`tickwright add\``);
  for (const [key, value] of Object.entries(own)) {
    if (set.includes(key)) change(`${key} stays ${params[key]}, which an operator set; the configuration says ${value}`);
    else if (params[key] === undefined) change(`has a new parameter ${key}: ${value}`);
    else if (params[key] !== value) change(`${key}: ${params[key]} → ${value}`);
  }
  for (const key of Object.keys(params).filter((one) => own[one] === undefined)) {
    change(
      set.includes(key)
        ? `has no parameter ${key} any more: all values that were set by hand are dropped`
        : `has no parameter ${key} any more`,
    );
  }
  return effects;
}

function tradesText({ candidates, terms }: SetupUniverse): string {
  return `${terms.top} of ${candidates.length} candidates by ${terms.by}`;
}

/** What becomes of the choice in force. Other terms choose again at once; a symbol that is no candidate any more then leaves. */
function universeEffects(
  { universe, ...setup }: StrategySetup,
  { universe: was }: StrategyAnswer,
  instruments: Planned['instruments'],
): Effect[] {
  const name = nameOf(setup);
  const { candidates, chosen, leaving, terms } = universe!;
  const change = (what: string): Effect => ({ kind: 'change', what: `${name}: ${what}` });
  if (was === undefined) return [change(`chooses its symbols from now on: ${tradesText(universe!)}`)];
  const effects = [change(`its next choice is made at once, by other terms: ${tradesText(universe!)}`)];
  const closes = terms.leave === 'close' ? 'its position is closed at the market' : 'it stays until the strategy has closed its position';
  for (const i of [...chosen, ...leaving].filter((one) => !candidates.includes(one)))
    effects.push({
      kind: 'money',
      what: `${name}: ${tradedName(instruments[i]!)} is no candidate any more, and leaves at the next choice: ${closes}`,
    });
  return was.terms === JSON.stringify(terms) ? effects.slice(1) : effects;
}

/** Every other key with another value. */
function keyEffects(before: BotConfig, after: BotConfig): Effect[] {
  const [old, now] = [leaves(before), leaves(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
  return keys.map((key) => ({ kind: 'change', what: `${key}: ${old.get(key) ?? 'not stated'} → ${now.get(key) ?? 'not stated'}` }));
}

/** Values by key: "risk.maxPosition". */
function leaves(value: object, prefix = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [name, one] of Object.entries(value)) {
    const key = `${prefix}${name}`;
    if (APART.has(key)) continue;
    if (typeof one === 'object' && one !== null && !Array.isArray(one))
      for (const [k, v] of leaves(one as object, `${key}.`)) all.set(k, v);
    else all.set(key, shown(one));
  }
  return all;
}

function valueAt(config: BotConfig, key: string): unknown {
  return key.split('.').reduce<unknown>((value, part) => (value as Readonly<Record<string, unknown>>)[part], config);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not stated');
}
