/**
 * Executes commands of an operator, a person or a program. Each is one step of the kernel after the journal has it, and its result says
 * what was done. Cancels and closing orders continue in the background.
 * size: one method for each command
 */
import { assert } from '../../base/failure/assert.ts';
import { counted, firstOf } from '../../base/text/figures.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { CLOSE, OPEN, PLACE_SPOT } from '../../domain/codes.ts';
import { makesOrder } from '../../domain/orders/command-traits.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { Command } from '../../domain/orders/command.ts';
import { tradedName } from '../../domain/instrument.ts';
import { UNKNOWN, WORKING } from '../../domain/orders/order.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Halts } from '../state/halts.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import type { TradingState } from '../state/trading-state.ts';
import type { Owner } from '../state/records/owner.ts';
import type { Executor } from '../orders/executor.ts';
import type { Flattener } from './flat/flatten.ts';
import { forecastText } from './flat/forecast-text.ts';
import { partsText } from './flat/parts-text.ts';
import type { HaltScope } from '../state/halts.ts';
import { haltRow, mayBeResumed, NO_REASON, scopeInWords, wordOf } from '../state/events/halt-codes.ts';
import type { SavedHalt } from '../../domain/messages/saved-halt.ts';
import type { CommandOrigin, OperatorCommand, OperatorResult } from './command.ts';
import { shortHash } from '../strategy/definition/source.ts';
import { refused } from './refusals.ts';
import type { StrategyChanger } from './strategy-changer.ts';
import type { AddedStrategies } from './added-strategies.ts';
import type { StrategyReload } from './strategy-reload.ts';
import { SymbolRemoval, type SymbolRemovalDeps } from './symbol-removal.ts';
import { importCloses, type ImportDeps } from './imported-closes.ts';
import { giveSignal, type SignalReceivers } from './signal.ts';

/** The shared state that this file uses. */
interface OperatorCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly portfolio: Portfolio;
  readonly tradingState: TradingState;
  readonly nobody: Owner;
  readonly owners: readonly Owner[];
  readonly ids: ClientIds;
  readonly nextSeq: number;
}

export interface OperatorDeps {
  readonly core: OperatorCore;
  readonly executor: Executor;
  readonly flattener: Flattener;
  readonly strategyChanger: StrategyChanger;
  readonly strategyReload: StrategyReload;
  readonly addedStrategies: AddedStrategies;
  readonly leftPositions: SymbolRemovalDeps['leftPositions'];
  readonly dispatch: SignalReceivers;
  readonly resolver: ImportDeps['resolver'];
  /** The same as `Lifecycle.settle`. */
  readonly settle: (seq: number, venueId: string | null) => boolean;
}

export class Operator {
  readonly #deps: OperatorDeps;
  readonly #removal: SymbolRemoval;

  constructor(deps: OperatorDeps) {
    this.#deps = deps;
    this.#removal = new SymbolRemoval(deps);
  }

  /** Executes a command. Its journal record is durable already. */
  run(command: OperatorCommand): OperatorResult {
    const { log } = this.#deps.core;
    const { name, ...facts } = command;
    if (name === 'signal') log.info('signal', facts);
    else if (name === 'rehearse') log.info('rehearsed', facts);
    else if (name === 'reload')
      log.warn('operator-command', { command: name, ...facts, source: shortHash(command.source), before: shortHash(command.before) });
    else log.warn('operator-command', { command: name, ...facts });
    const result = this.#act(command);
    if (!result.ok) log.warn('operator-refused', { command: name, by: command.by, code: result.code, detail: result.message });
    return result;
  }

  /** Why an approved command must not be sent any more: it opens where opens are halted now, or its leg was flat since it was made. */
  vetoOf({ kind, seq, instrument, side, effect, time }: Command): string | null {
    const { core } = this.#deps;
    if (!makesOrder(kind)) return null;
    if (effect === CLOSE) return core.portfolio.legs[2 * instrument + side]!.flatAt > time ? 'leg-was-flat' : null;
    const context = core.contexts[instrument]!;
    if (core.tradingState.onHold !== '') return 'halted';
    const isHalted = !context.isOpen && core.halts.against(context, side, core.orders.find(seq)?.owner ?? core.nobody) !== null;
    return isHalted ? 'halted' : null;
  }

  /** The text of the scope that a person typed; null if it names nothing of this bot. */
  scopeOf(word: string): string | null {
    const scope = this.#scope(word);
    return scope === null ? null : this.#deps.core.halts.text(scope);
  }

  #act(command: OperatorCommand): OperatorResult {
    if (command.name === 'kill') return this.#kill(command);
    if (command.name === 'settle') return this.#settle(command.seq, command.venueId);
    if (command.name === 'set') return this.#deps.strategyChanger.set(command.strategy, command.param, command.value);
    if (command.name === 'add') return this.#deps.strategyChanger.add(command.strategy, command.symbol);
    if (command.name === 'reload') return this.#deps.strategyReload.run(command.strategy, command.source, command.before);
    if (command.name === 'remove') return this.#removal.run(command);
    if (command.name === 'add-strategy') return this.#deps.addedStrategies.add(command.strategy, command.added);
    if (command.name === 'remove-strategy') return this.#deps.addedStrategies.remove(command.strategy, command);
    if (command.name === 'signal') return giveSignal(this.#deps.dispatch, command);
    if (command.name === 'import-closes') return importCloses(this.#deps, command.closes);
    const scope = this.#scope(command.scope);
    if (scope === null) return noScope(command.scope, this.#words());
    switch (command.name) {
      case 'halt':
        return this.#halt(scope, 'operator', command, []);
      case 'resume':
        return this.#resume(scope, command.confirmed, command);
      case 'reduce-only':
        return command.isOn ? this.#reduceOnly(scope, command) : this.#end(scope, ['reduce-only'], command);
      case 'cancel-all':
        return this.#cancel(this.#deps.flattener.orders(scope), command, []);
      case 'cancel-opens':
        return this.#cancel(this.#opening(scope), command, []);
      case 'flatten':
        return this.#flatten(scope, command, []);
      case 'rehearse':
        return this.#rehearse(scope, command.of);
    }
  }

  /** Valid names of scopes. */
  #words(): string[] {
    const { owners, nobody, instruments } = this.#deps.core;
    return scopeWords(
      instruments.map(tradedName),
      owners.filter((owner) => owner !== nobody).map(({ name }) => name),
    );
  }

  #scope(word: string): HaltScope | null {
    const { halts } = this.#deps.core;
    try {
      return halts.parse(word === '' ? 'all' : word);
    } catch {
      return null;
    }
  }

  /** Halts opens. Opening orders that left before may still arrive; the result names them. */
  #halt(scope: HaltScope, code: 'operator' | 'reduce-only' | 'kill', { by, why }: CommandOrigin, did: readonly string[]): OperatorResult {
    const { halts } = this.#deps.core;
    const isNew = halts.raise({ scope, code, detail: why === '' ? NO_REASON : why, by });
    const text = halts.text(scope);
    let halt = halts.find(scope, code);
    assert(halt !== null, 'a halt that was asked for is in force', code, 'scope', text);
    const before = halt;
    if (!isNew) halt = halts.again(halt, { by, why });
    const said = isNew
      ? `opens of ${scopeInWords(text)} are halted (${code})`
      : `opens of ${scopeInWords(text)} were halted already (${code}, by ${before.by}: ${halt.detail})`;
    const sent = this.#opening(scope).filter((order) => order.isInFlight);
    const left =
      sent.length === 0 ? [] : [`${counted(sent.length, 'opening order')} had been sent before and may still arrive: ${numbers(sent)}`];
    return done([...did, said, ...left, `to end it: ${halts.endsBy(halt)}`]);
  }

  #reduceOnly(scope: HaltScope, asked: CommandOrigin): OperatorResult {
    const halted = this.#halt(scope, 'reduce-only', asked, []);
    return halted.ok ? this.#cancel(this.#opening(scope), asked, halted.did) : halted;
  }

  #kill(asked: CommandOrigin): OperatorResult {
    const scope = { kind: 'bot' } as const;
    const halted = this.#halt(scope, 'kill', asked, []);
    return halted.ok ? this.#flatten(scope, asked, halted.did) : halted;
  }

  #flatten(scope: HaltScope, asked: CommandOrigin, did: readonly string[]): OperatorResult {
    const { core, flattener } = this.#deps;
    const shared = scope.kind === 'strategy' ? flattener.scope.shared(scope.name) : null;
    if (shared !== null) return refused('shared-position', shared.why, shared.hint);
    const isNew = core.halts.raise({ scope, code: 'flatten', detail: asked.why === '' ? NO_REASON : asked.why, by: asked.by });
    const before = isNew ? null : core.halts.find(scope, 'flatten');
    if (before !== null) core.halts.again(before, asked);
    flattener.wake();
    const { orders, legs } = flattener.remains(scope, core.now);
    const text = core.halts.text(scope);
    const begun = `${counted(orders.length, 'own order')} to cancel, ${counted(legs.length, 'position')} to close`;
    const said = `${scopeInWords(text)} is being flattened: ${begun}`;
    const word = wordOf(text);
    const warning = `opens wait until it is flat; then strategies may open again, unless you type: tickwright halt${word === '' ? '' : ` ${word}`}`;
    const after = this.#isHeld(text) ? [] : [warning];
    const deps = partsText(legs, flattener.scope.others(scope), flattener.scope, core.now);
    return { ok: true, did: [...did, said, ...deps, ...after], orders: orders.map(({ seq }) => seq), flattens: text };
  }

  /** Sends and halts nothing. The forecast is kept, and compared with what the command does that follows. */
  #rehearse(scope: HaltScope, of: 'flatten' | 'kill'): OperatorResult {
    const { core, flattener } = this.#deps;
    const shared = scope.kind === 'strategy' ? flattener.scope.shared(scope.name) : null;
    if (shared !== null) return refused('shared-position', shared.why, shared.hint);
    const forecast = flattener.forecast(scope, of === 'kill');
    flattener.runs.keep(forecast);
    core.journal.note('forecast', { forecast }, core.now);
    return { ...done(forecastText(forecast)), forecast };
  }

  /** True if a halt that outlasts the flattening covers the whole scope. */
  #isHeld(text: string): boolean {
    const symbol = text.replace(/^leg:(.*):(LONG|SHORT)$/, 'symbol:$1');
    return this.#deps.core.halts
      .all()
      .some(({ scope, code, seq }) => code !== 'flatten' && seq === 0 && ['bot', text, symbol].includes(scope));
  }

  #cancel(orders: readonly Order[], { by }: CommandOrigin, did: readonly string[]): OperatorResult {
    const { core, executor } = this.#deps;
    for (const order of orders) executor.cancel(order, core.nobody, `cancelled by ${by}`);
    assert(
      orders.every((order) => !order.isAlive || order.isCancelWanted || order.state !== WORKING),
      'an order that was to be cancelled rests no more, or its cancel waits',
      orders.length,
    );
    const said = orders.length === 0 ? 'there was no order to cancel' : `to cancel: ${counted(orders.length, 'order')}, ${numbers(orders)}`;
    return { ok: true, did: [...did, said], orders: orders.map(({ seq }) => seq), flattens: '' };
  }

  #resume(scope: HaltScope, confirmed: boolean, asked: CommandOrigin): OperatorResult {
    const { halts } = this.#deps.core;
    const within = halts.within(scope);
    const needs = (halt: SavedHalt): boolean => {
      const { end } = haltRow(halt.code);
      return end === 'rotate' || (!confirmed && ['confirmed', 'settle'].includes(end));
    };
    const blocked = within.filter(needs);
    const ended = within.filter((halt) => mayBeResumed(halt) && !needs(halt));
    // Ends the halts that may end; those that need a confirmation are named. A kill keeps everything that it started.
    if (blocked.length > 0 && (ended.length === 0 || blocked.some(({ code }) => code === 'kill'))) {
      const list = blocked.map(({ scope: of, code, detail }) => `${of} ${code}: ${detail}`).join('; ');
      const hint = blocked.map((halt) => halts.endsBy(halt)).join('; ');
      return refused('needs-confirmation', `these halts need more than this resume: ${list}`, hint);
    }
    for (const halt of ended) halts.end(halt, asked.why === '' ? 'resumed' : asked.why, asked.by);
    assert(
      ended.every(({ code }) => code !== 'assertion-failed') || confirmed,
      'a halt for a bug ends after a person has confirmed it',
      asked.by,
    );
    const did = ended.map(({ scope: of, code }) => `ended: ${of} ${code}`);
    const stays = halts.all().map((halt) => `still halted: ${halt.scope} ${halt.code}, ${halt.detail}; ends: ${halts.endsBy(halt)}`);
    return done([...(did.length === 0 ? ['there was no halt to end'] : did), ...stays]);
  }

  #end(scope: HaltScope, codes: readonly string[], asked: CommandOrigin): OperatorResult {
    const { halts } = this.#deps.core;
    const text = halts.text(scope);
    const ended = halts.all().filter((halt) => halt.scope === text && codes.includes(halt.code));
    for (const halt of ended) halts.end(halt, asked.why === '' ? 'ended' : asked.why, asked.by);
    return done(
      ended.length === 0
        ? [`${scopeInWords(text)} had no halt of code ${codes.join(', ')}`]
        : ended.map(({ code }) => `ended: ${text} ${code}`),
    );
  }

  #settle(seq: number, venueId: string | null): OperatorResult {
    const { core, settle } = this.#deps;
    const order = core.orders.find(seq);
    const isHalted = core.halts.all().some((halt) => halt.seq === seq);
    const isUnknown = order !== null && order.state === UNKNOWN;
    if (!isHalted && !isUnknown) {
      return refused(
        'no-such-order',
        `command ${seq} has a known outcome, or is not of this bot`,
        '`tickwright status` lists what is open',
      );
    }
    settle(seq, venueId);
    return done([`command ${seq} is settled: ${venueId === null ? 'it did not land' : `it landed as ${venueId}`}`]);
  }

  #opening(scope: HaltScope): Order[] {
    return this.#deps.flattener.orders(scope).filter((order) => order.effect === OPEN || order.kind === PLACE_SPOT);
  }
}

/** Valid names of scopes: symbols, their legs, strategies. */
export function scopeWords(symbols: readonly string[], strategies: readonly string[]): string[] {
  return [...symbols, ...symbols.flatMap((symbol) => [`${symbol}:LONG`, `${symbol}:SHORT`]), ...strategies];
}

function done(did: readonly string[]): Extract<OperatorResult, { ok: true }> {
  return { ok: true, did, orders: [], flattens: '' };
}

function noScope(word: string, known: readonly string[]): OperatorResult {
  const hint =
    didYouMean(word, known) ?? 'a symbol (BTCUSDT), one leg of it (BTCUSDT:LONG), the name of a strategy, or nothing for the whole bot';
  return refused('no-such-scope', `"${word}" is neither a symbol nor a strategy of this bot`, hint);
}

/** Their numbers, at most ten. */
function numbers(orders: readonly Order[]): string {
  return firstOf(
    orders.map(({ seq }) => String(seq)),
    10,
  );
}
