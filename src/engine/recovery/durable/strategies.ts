/**
 * The durable parts of strategies: the result of `save`, parameters and symbols changed by hand, durable state, calendar, executions and
 * managed trades.
 */
import { unlessEmpty } from '../../../base/defined.ts';
import type { AddedByStrategy, AddedStrategy } from '../../../domain/ready-made.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { addedWith } from '../../operator/added-strategies.ts';
import { type GivenByStrategy, givenWith } from '../../strategy/definition/given.ts';
import type { Reload, ReloadsByStrategy } from '../../strategy/definition/source.ts';
import type { UniversesByStrategy } from '../../strategy/definition/universe.ts';
import type { SavedState } from '../../strategy/durable/saved-state.ts';
import { afterExit } from '../../trades/left-trades.ts';
import type { SavedTrade } from '../../trades/saved-trade.ts';
import type { KeptByStrategy } from '../by-strategy/by-strategy.ts';
import { number, text } from './fields.ts';
import type { DurableKernel, DurablePart, Fold, Live } from './part.ts';

/** Result of each strategy's `save`, as of the snapshot. Of a text that came back by itself: what it came back with, as that may be older. */
export const TEXTS = {
  key: 'strategies',
  fold(saved = {}): Fold<Readonly<Record<string, string>>> {
    const all = new Map(Object.entries(saved));
    return {
      apply({ kind, data }) {
        if (kind !== 'reload') return;
        const strategy = text(data['strategy']);
        const { returned, state } = data['reload'] as Reload;
        if (returned === null) return;
        if (state === null) all.delete(strategy);
        else all.set(strategy, state);
      },
      save: () => Object.fromEntries(all),
    };
  },
  live: ({ texts }) => ({ save: () => texts.save(), restore: (saved) => texts.restore(saved) }),
} as const satisfies DurablePart<'strategies', Readonly<Record<string, string>>>;

/** Parameters that an operator set while the bot ran. */
export const PARAMS = {
  key: 'params',
  fold: (saved) => givenFold(saved, 'set', 'param', 'value'),
  live: (kernel) => givenLive(kernel, 'params'),
} as const satisfies DurablePart<'params', GivenByStrategy>;

/** Symbols that an operator added and removed while the bot ran. */
export const SYMBOLS = {
  key: 'symbols',
  fold: (saved) => givenFold(saved, 'symbol', 'symbol', 'change'),
  live: (kernel) => givenLive(kernel, 'symbols'),
} as const satisfies DurablePart<'symbols', GivenByStrategy>;

/** Texts of strategies that were reloaded while the bot ran. */
export const RELOADS = {
  key: 'reloads',
  fold: (saved) => newestFold<ReloadsByStrategy>(saved, 'reload'),
  live: ({ strategyReload }) => strategyReload,
} as const satisfies DurablePart<'reloads', ReloadsByStrategy>;

/** Strategies that an operator added while the bot ran. */
export const ADDED = {
  key: 'added',
  fold(saved = {}): Fold<AddedByStrategy> {
    let all = saved;
    return {
      apply({ kind, data }) {
        if (kind === 'strategy') all = addedWith(all, text(data['strategy']), data['added'] as AddedStrategy | null);
      },
      save: () => unlessEmpty(all),
    };
  },
  live: ({ addedStrategies }) => addedStrategies,
} as const satisfies DurablePart<'added', AddedByStrategy>;

/** Symbols of strategies that choose them by rank: the choice in force, and what has not left yet. */
export const UNIVERSES = {
  key: 'universes',
  fold: (saved) => newestFold<UniversesByStrategy>(saved, 'universe'),
  live: ({ universes }) => universes,
} as const satisfies DurablePart<'universes', UniversesByStrategy>;

/** Records of `kind` give a strategy what it has of that name, in place of what it had. */
function newestFold<All extends Readonly<Record<string, object>>>(saved: All | undefined, kind: string): Fold<All> {
  const all: Record<string, object> = { ...saved };
  return {
    apply({ kind: recordKind, data }) {
      if (recordKind === kind) all[text(data['strategy'])] = data[kind] as object;
    },
    save: () => unlessEmpty({ ...all } as All),
  };
}

/** Records of `kind` give a strategy one value under one key. */
function givenFold(saved: GivenByStrategy = {}, kind: string, key: string, value: string): Fold<GivenByStrategy> {
  const all = new Map(Object.entries(saved));
  return {
    apply({ kind: recordKind, data }) {
      if (recordKind !== kind) return;
      const strategy = text(data['strategy']);
      all.set(strategy, givenWith(all.get(strategy), text(data[key]), text(data[value])));
    },
    save: () => Object.fromEntries(all),
  };
}

function givenLive({ strategyChanger }: DurableKernel, kind: 'params' | 'symbols'): Live<GivenByStrategy> {
  return { save: () => strategyChanger.given(kind), restore: (saved) => strategyChanger.restore(kind, saved) };
}

export const STATE = {
  key: 'state',
  fold(saved = {}): Fold<KeptByStrategy['state']> {
    const state = new Map(Object.entries(saved));
    return {
      apply({ kind, data }) {
        if (kind !== 'state') return;
        const strategy = text(data['strategy']);
        state.set(strategy, { ...state.get(strategy), ...(data['set'] as SavedState) });
      },
      save: () => Object.fromEntries(state),
    };
  },
  live: (kernel) => liveOf(kernel, 'state'),
} as const satisfies DurablePart<'state', KeptByStrategy['state']>;

export const SCHEDULES = {
  key: 'schedules',
  fold: (saved) => entries(saved, 'schedule', { idOf: ({ name }) => name, isOver: ({ cron }) => cron === '' }),
  live: (kernel) => liveOf(kernel, 'schedules'),
} as const satisfies DurablePart<'schedules', KeptByStrategy['schedules']>;

export const EXECUTIONS = {
  key: 'executions',
  fold: (saved) => entries(saved, 'execution', { idOf: ({ id }) => id, isOver: ({ state }) => state === 'done' }),
  live: (kernel) => liveOf(kernel, 'executions'),
} as const satisfies DurablePart<'executions', KeptByStrategy['executions']>;

export const TRADES = {
  key: 'trades',
  fold(saved): Fold<KeptByStrategy['trades']> {
    const trades = entries(saved, 'trade', { idOf: ({ id }) => id, isOver: ({ state }) => state === 'closed' });
    return {
      apply(record) {
        trades.apply(record);
        if (record.kind === 'exit') closedByVenue(record, trades.lists);
      },
      save: () => trades.save(),
    };
  },
  live: (kernel) => liveOf(kernel, 'trades'),
} as const satisfies DurablePart<'trades', KeptByStrategy['trades']>;

function liveOf<K extends keyof KeptByStrategy>({ byStrategy }: DurableKernel, kind: K): Live<KeptByStrategy[K]> {
  return { save: () => byStrategy.save(kind), restore: (saved) => byStrategy.restore(kind, saved) };
}

export interface Entries<E> extends Fold<Readonly<Record<string, readonly E[]>>> {
  readonly lists: Map<string, readonly E[]>;
  apply(record: JournalRecord): void;
}

/** Lists by strategy whose records have the newest state of one entry under the name of their kind. Sorted by number, or as they came. */
function entries<E>(
  saved: Readonly<Record<string, readonly E[]>> = {},
  kind: string,
  { idOf, isOver }: { readonly idOf: (entry: E) => string | number; readonly isOver: (entry: E) => boolean },
): Entries<E> {
  const lists = new Map(Object.entries(saved));
  return {
    lists,
    apply({ kind: recordKind, data }) {
      if (recordKind !== kind) return;
      const strategy = text(data['strategy']);
      const entry = data[kind] as E;
      const id = idOf(entry);
      const others = (lists.get(strategy) ?? []).filter((one) => idOf(one) !== id);
      const all = isOver(entry) ? others : [...others, entry];
      lists.set(strategy, typeof id === 'number' ? all.sort((a, b) => Number(idOf(a)) - Number(idOf(b))) : all);
    },
    save: () => Object.fromEntries(lists),
  };
}

/** A bracket of a trade fired. Of a strategy that runs, the record of its trade follows and says the same. */
function closedByVenue({ seq, time, data }: JournalRecord, trades: Map<string, readonly SavedTrade[]>): void {
  const strategy = String(data['strategy']);
  const list = trades.get(strategy);
  if (list === undefined) return;
  const [size, price] = [Number(data['size']), Number(data['price'] ?? Number.NaN)];
  trades.set(strategy, afterExit(list, { order: seq, lots: number(data['lots']), size, price, time }, text(data['what'])));
}
