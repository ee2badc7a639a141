/**
 * Changes a running strategy by creating it again, as after a restart of the bot: with another parameter, with one market more or
 * less, or with another text. Its orders stay, its state goes through `save` and `restore`, its timers are dropped, and `onStart` is called.
 */
import { assert } from '../../base/failure/assert.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { type Instrument, tradedName } from '../../domain/instrument.ts';
import type { Core } from '../state/core.ts';
import type { Leg } from '../state/records/leg.ts';
import { barNeedsOf } from '../strategy/definition/needs-bars.ts';
import type { RunningStrategy } from '../strategy/definition/needs.ts';
import { type GivenByStrategy, givenWith } from '../strategy/definition/given.ts';
import { nameOf, type StrategySetup } from '../strategy/definition/setup.ts';
import { openIn } from '../strategy/definition/universe.ts';
import type { StrategyHandlers } from '../strategy/definition/types.ts';
import type { Dispatch } from '../strategy/dispatch.ts';
import type { StoredState } from '../strategy/durable/stored-state.ts';
import type { Running } from '../strategy/make-strategies.ts';
import { feedOf, joinMarket, leaveMarket, type SubscribeCore } from '../strategy/subscribe.ts';
import type { OperatorResult } from './command.ts';
import { noStrategy, refused, type Refusal } from './refusals.ts';

/** Handlers that decide what the bot reads from the venue: they cannot change while it runs. */
const FEEDS = ['onQuote', 'onTrade', 'onBar', 'onBars', 'onOrder', 'onFill', 'onPosition'] as const;

export interface StrategyChangerDeps {
  readonly core: Core & SubscribeCore;
  readonly running: readonly Running[];
  /** By instrument. */
  readonly markets: Running['context']['markets'];
  readonly dispatch: Dispatch;
  /** Instruments of each strategy by name, for those who close positions. */
  readonly traded: ReadonlyMap<string, Set<number>>;
  /** Plans the polls of these strategies, and returns what begins them. @throws PollPlanError */
  readonly replan: (strategies: readonly RunningStrategy[]) => () => void;
  /** Reports positions that no strategy works on. */
  readonly leftPositions: { end(leg: Leg): void };
  /** Keeps the state of a strategy that waits for bars until it starts. */
  readonly keep: (strategy: string, state: string) => void;
}

/** A strategy as it runs from now on. */
type Next = Partial<Pick<StrategySetup, 'strategy' | 'reload' | 'instruments' | 'set' | 'symbols'>>;

/** What is said of a change, and the journal's record of it. */
interface Note {
  readonly text: string;
  readonly note: readonly [kind: string, data: Readonly<Record<string, unknown>>];
}

/** The strategy goes on with another text. */
interface OtherText {
  /** What the text before had saved; undefined if it keeps no state. */
  readonly state: string | undefined;
  /** True if it had run before. */
  readonly isReturn: boolean;
  /** Called before the first handler of the new text. */
  readonly begin: () => void;
}

export class StrategyChanger {
  readonly #deps: StrategyChangerDeps;
  /** What was changed of strategies that do not run now. */
  #others: { params: GivenByStrategy; symbols: GivenByStrategy } = { params: {}, symbols: {} };

  constructor(deps: StrategyChangerDeps) {
    this.#deps = deps;
  }

  /** Also with what is needed to create them again. */
  get running(): readonly Running[] {
    return this.#deps.running;
  }

  /** False before the strategies have started, and while the bot stops. */
  get isActive(): boolean {
    return this.#deps.dispatch.isActive;
  }

  /** The strategies as they run. */
  get setups(): readonly StrategySetup[] {
    return this.#deps.running.map(({ setup }) => setup);
  }

  /** By strategy: parameters set by an operator, or the symbols added and removed. */
  given(kind: 'params' | 'symbols'): GivenByStrategy {
    const own = this.setups.map((setup) => [nameOf(setup), (kind === 'params' ? setup.set : setup.symbols) ?? {}] as const);
    return { ...this.#others[kind], ...Object.fromEntries(own.filter(([, given]) => Object.keys(given).length > 0)) };
  }

  /** Restores what concerns strategies that do not run; those that run were created with theirs. */
  restore(kind: 'params' | 'symbols', given: GivenByStrategy): void {
    const names = new Set(this.setups.map(nameOf));
    this.#others[kind] = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
  }

  /** The running strategy of this name; "" is the only one. A refusal before the strategies have started, and while the bot stops. */
  find(name: string): Running | Refusal {
    const { running } = this.#deps;
    const one = name === '' && running.length === 1 ? running[0] : running.find(({ runner }) => runner.name === name);
    if (one === undefined)
      return noStrategy(
        name,
        running.map(({ runner }) => runner.name),
      );
    if (!this.isActive)
      return unchanged(
        'no strategy runs now: the bot has not started yet, or it stops',
        'try again when `tickwright status` says that it is armed',
      );
    if (one.runner.isDisabled) return unchanged(`${one.runner.name} is disabled: it takes changes after a restart`);
    return one;
  }

  /** Sets a parameter. An empty value restores that of the configuration. */
  set(name: string, param: string, value: string): OperatorResult {
    const one = this.find(name);
    if ('ok' in one) return one;
    const { set = {} } = one.setup;
    const text = value === '' ? `${param} has the value of the configuration again` : `${param} is ${value}`;
    const note = ['set', { strategy: one.runner.name, param, value }] as const;
    return this.change(one, { set: givenWith(set, param, value) }, { text, note });
  }

  /** The strategy trades one symbol more. */
  add(name: string, symbol: string): OperatorResult {
    const one = this.find(name);
    if ('ok' in one) return one;
    if (one.setup.universe !== undefined) return chosenAlone(one);
    const { instruments, symbols = {} } = one.setup;
    const { core } = this.#deps;
    const added = core.instruments.find((instrument) => tradedName(instrument) === symbol);
    if (added === undefined) {
      const known = core.instruments.map(tradedName);
      const hint = didYouMean(symbol, known) ?? 'add it to the file of instruments (key `instruments`) and start again';
      return refused('no-such-scope', `the file of instruments has no symbol "${symbol}"`, hint);
    }
    if (instruments.includes(added.index))
      return unchanged(`${one.runner.name} trades ${symbol} already`, '`tickwright status` lists its symbols');
    if (one.runner.isWarming) return unchanged(`${one.runner.name} waits for bars: it takes another symbol when it has started`);
    const lacking = this.#barsLacking(one, added);
    if (lacking !== '') return unchanged(lacking, 'name the symbol in the configuration and restart');
    const change = symbols[symbol] === 'removed' ? '' : 'added';
    const next = { instruments: [...instruments, added.index], symbols: givenWith(symbols, symbol, change) };
    const note = ['symbol', { strategy: one.runner.name, symbol, change }] as const;
    return this.change(one, next, { text: `it trades ${symbol}`, note });
  }

  /** The strategy trades one symbol less. The caller has seen to orders and position. */
  remove(one: Running, instrument: Instrument): OperatorResult {
    const symbol = tradedName(instrument);
    const { instruments, symbols = {} } = one.setup;
    const change = symbols[symbol] === 'added' ? '' : 'removed';
    const next = { instruments: instruments.filter((i) => i !== instrument.index), symbols: givenWith(symbols, symbol, change) };
    const note = ['symbol', { strategy: one.runner.name, symbol, change }] as const;
    return this.change(one, next, { text: `it does not trade ${symbol} any more`, note });
  }

  /**
   * Creates the strategy again. Everything that may refuse comes before the journal's record, and nothing after it can fail. `other` is given
   * with another text.
   */
  change(one: Running, next: Next, { text, note }: Note, other?: OtherText): OperatorResult {
    const { core, dispatch, markets: all, running } = this.#deps;
    const { runner, timers, context } = one;
    const before = one.setup;
    const setup = { ...before, ...next };
    const hasWaited = runner.isWarming;
    const markets = setup.instruments.map((index) => all[index]!);
    const universe = setup.universe === undefined ? markets : openIn(setup).map((index) => all[index]!);
    const added = setup.instruments.filter((index) => !before.instruments.includes(index));
    const removed = before.instruments.filter((index) => !setup.instruments.includes(index));
    const create = (): StrategyHandlers => setup.strategy.create({ ...setup.params, ...setup.set }, universe);
    let made: StrategyHandlers;
    let poll: () => void;
    let stored: StoredState;
    try {
      made = create();
      stored = other === undefined ? runner.state : runner.state.reshaped(setup.strategy.state ?? {}, other.isReturn);
      // Another copy, because a state is restored once.
      if (other?.state !== undefined) runner.tryRestore(create(), other.state);
      const others = running.filter((each) => each !== one).map((each) => asPolled(each.runner, each.setup));
      const strategies = [...others, asPolled({ name: runner.name, handlers: made }, setup)];
      poll = added.length + removed.length === 0 ? () => undefined : this.#deps.replan(strategies);
    } catch (error) {
      return unchanged(messageOf(error));
    }
    const changed = FEEDS.find((key) => (made[key] === undefined) !== (runner.handlers[key] === undefined));
    if (changed !== undefined || barsOf(made) !== barsOf(runner.handlers)) {
      const data = changed ?? 'other bars';
      if (other !== undefined) return notReloaded(data, before.reload !== undefined);
      return unchanged(`${text}: then it needs other market data (${data}); set it in the configuration and restart`);
    }
    assert(
      added.every((index) => !removed.includes(index)),
      'a symbol is added or removed',
      added[0],
      'strategy',
      runner.name,
    );
    core.journal.note(...note, core.now);
    const state = other === undefined ? runner.save() : other.state;
    timers.clear();
    one.setup = setup;
    context.markets = markets;
    context.universe = universe;
    runner.handlers = made;
    runner.state = stored;
    context.state = stored.view;
    if (other !== undefined) {
      runner.renew();
      other.begin();
    }
    if (made.onHalt !== undefined) core.strategyEvents.hasHaltHandler = true;
    const traded = this.#deps.traded.get(runner.name);
    assert(traded !== undefined, 'the symbols of a strategy that runs are known', markets.length, 'strategy', runner.name);
    for (const index of removed) {
      traded.delete(index);
      leaveMarket(runner, markets, index, dispatch);
    }
    for (const index of added) {
      traded.add(index);
      const { long, short } = core.contexts[index]!;
      for (const leg of [long, short]) this.#deps.leftPositions.end(leg);
      joinMarket({ runner, instruments: setup.instruments, markets }, index, dispatch, core);
    }
    assert(
      setup.instruments.every((index) => traded.has(index)) && removed.every((index) => !traded.has(index)),
      'what closes positions knows each symbol of a strategy',
      traded.size,
      'strategy',
      runner.name,
    );
    dispatch.track(runner, made, setup.instruments);
    poll();
    if (runner.isWarming && state !== undefined) this.#deps.keep(runner.name, state);
    if (runner.isWarming && added.length > 0) core.log.info('warming-up', { strategy: runner.name, bars: dispatch.warmUp.textOf(runner) });
    if (hasWaited) dispatch.warmUp.check();
    else if (!runner.isWarming) runner.start(state);
    const isKept = !stored.isEmpty || ((hasWaited || state !== undefined) && made.restore !== undefined);
    const kept = isKept ? 'its state was carried over' : 'it keeps no state, so it starts without one';
    const waits = runner.isWarming ? `; it waits for bars: ${dispatch.warmUp.textOf(runner)}` : '';
    return { ok: true, did: [`${runner.name}: ${text}; the strategy was created again, ${kept}${waits}`], orders: [], flattens: '' };
  }

  /** Why the bars of a symbol cannot be read from now on: another strategy has its trades, and they are read once from the beginning. "" if they can. */
  #barsLacking({ runner }: Running, { index }: Instrument): string {
    const { dispatch } = this.#deps;
    const { bars, isFilling } = barNeedsOf(runner.handlers);
    const { wantsTrades, market } = dispatch.allSubscribers[index]!;
    if (!wantsTrades) return '';
    const lacking = bars.find(({ timeframe, history }) => {
      const feed = feedOf(dispatch, index, timeframe.name, isFilling);
      return feed === undefined || feed.count < history;
    });
    return lacking === undefined
      ? ''
      : `${market.symbol} is read for another strategy without the ${lacking.timeframe.name} bars of ${runner.name}`;
  }
}

/** A strategy as the poll plan sees it. */
export function asPolled(
  { name, handlers }: Pick<RunningStrategy, 'name' | 'handlers'>,
  { instruments, universe }: Pick<StrategySetup, 'instruments' | 'universe'>,
): RunningStrategy {
  return { name, handlers, instruments, universe };
}

/** The refusal of a symbol by hand where symbols are chosen by rank. */
export function chosenAlone({ runner }: Running): Refusal {
  return unchanged(`${runner.name} has a universe, which chooses its symbols`, 'change `universe` (from, exclude, top) and restart');
}

/** The timeframes of the handlers. How many bars they want may change. */
function barsOf(handlers: StrategyHandlers): string {
  const { bars, isFilling } = barNeedsOf(handlers);
  return `${isFilling} ${bars.map(({ timeframe }) => timeframe.name).join(' ')}`;
}

/** The refusal of a text that needs other market data. `isKept`: the journal keeps the text that runs, and a restart runs it again. */
function notReloaded(data: string, isKept: boolean): Refusal {
  const message = `not reloaded, the old text still runs: the new one needs other market data (${data}), which takes a restart`;
  const restart = '`tickwright stop`, then start the bot as it was started (systemd: `systemctl restart UNIT`)';
  return unchanged(
    message,
    isKept
      ? `the old text was reloaded too, and a restart runs it: put it on disk and restart an hour after its reload, then restart with the new one; ${restart}`
      : restart,
  );
}

export function unchanged(
  message: string,
  hint = 'the file of the strategy names its parameters; `tickwright status` shows those that were given',
): Refusal {
  return refused('refused', message, hint);
}
