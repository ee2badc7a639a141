/**
 * Searches for a change of a running strategy (`set`, `add`, `remove`, `reload`, and what `check` says of them) after which the bot is not as
 * a plain model of these commands has it: `node test/model/changes/search.ts RUNS SEED`. Prints the first difference and ends with 1, or with
 * 0 if there is none.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { Random } from '../../../src/base/random.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { OrderAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import { CANCEL } from '../../../src/domain/codes.ts';
import { CANCELLED } from '../../../src/domain/orders/order.ts';
import type { OperatorCommand } from '../../../src/engine/operator/command.ts';
import { foldRecords, type KernelSnapshot } from '../../../src/engine/recovery/registry.ts';
import { type AnyStrategy, defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import { param } from '../../../src/engine/strategy/definition/params.ts';
import type { StrategySource } from '../../../src/engine/strategy/definition/source.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { JournalRecord } from '../../../src/ports/store.ts';
import { effectsOf } from '../../../src/run/change/effects.ts';
import { btc, rig, type Rig } from '../../support/engine/engine-kit.ts';

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const;
const INSTRUMENTS = SYMBOLS.map((symbol, index) => btc(index, symbol));
const TEXTS = ['a', 'b', 'bad'] as const;
type Text = (typeof TEXTS)[number];
const STEPS = 25;

/** What a strategy heard: its text, its parameter, the symbol, and how many trades it had heard before. */
type Heard = readonly [text: Text, size: string, symbol: string, count: number];

class World {
  readonly heard: Heard[] = [];
  readonly records: JournalRecord[] = [];
  readonly strategies = new Map<string, AnyStrategy>(TEXTS.map((text) => [text, this.#strategy(text)]));
  ctx!: StrategyContext;
  r: Rig;
  // The model.
  size = '';
  symbols = new Set<string>(['BTCUSDT', 'ETHUSDT']);
  text: Text = 'a';
  count = 0;
  /** What comes back if the text fails: the last that was not on trial. No hour passes here. */
  proven: { readonly text: Text; readonly count: number } | null = null;

  constructor() {
    this.r = this.#begin(null);
  }

  operate(command: Readonly<Record<string, unknown>>): boolean {
    return this.r.kernel.inbox.operate({ by: 'ann', why: '', ...command } as unknown as OperatorCommand).ok;
  }

  trade(symbol: string): void {
    const before = this.heard.length;
    this.r.kernel.inbox.onTrade(SYMBOLS.indexOf(symbol as never), 10_000, 1, 0);
    const expected = this.symbols.has(symbol) ? [[this.text, this.size || '1', symbol, this.count]] : [];
    deepStrictEqual(this.heard.slice(before), expected, `a trade of ${symbol}`);
    if (expected.length > 0) this.count++;
    this.r.advance(0);
  }

  /** All of the bot is as the model has it, and as its journal alone gives it. */
  compare(): void {
    const [setup] = this.r.kernel.setups;
    deepStrictEqual(setup!.set ?? {}, this.size === '' ? {} : { size: this.size }, 'parameters');
    deepStrictEqual(new Set(setup!.instruments.map((index) => SYMBOLS[index]!)), this.symbols, 'symbols');
    deepStrictEqual(setup!.strategy === this.strategies.get(this.text), true, `it runs the text ${this.text}`);
    const { params = {}, symbols = {}, reloads } = this.r.kernel.snapshot();
    const folded = foldRecords(null, this.#all());
    const given = (all: KernelSnapshot['params']): object =>
      Object.fromEntries(Object.entries(all ?? {}).filter(([, own]) => Object.keys(own).length > 0));
    deepStrictEqual(given(folded.params), given(params), 'parameters of the journal');
    deepStrictEqual(given(folded.symbols), given(symbols), 'symbols of the journal');
    deepStrictEqual(folded.reloads, reloads, 'texts of the journal');
    this.#check(symbols['one'] ?? {});
  }

  restart(): void {
    const { strategies } = this.r.kernel.snapshot();
    const snapshot = { ...foldRecords(null, this.#all()), strategies };
    this.records.push(...this.r.records);
    this.r = this.#begin(snapshot);
  }

  /** The order of a symbol that is removed is cancelled. */
  remove(symbol: string): void {
    const market = this.ctx.markets.find((one) => one.symbol === symbol);
    const order = market === undefined ? 0 : this.ctx.place({ market, side: 'LONG', effect: 'OPEN', size: 1, limit: 900 });
    if (order > 0) this.r.venue.accepted(order, `v${order}`);
    const position = this.ctx.random() < 0.5 ? 'keep' : 'flatten';
    const isRemoved = this.operate({ name: 'remove', strategy: '', symbol, position });
    deepStrictEqual(isRemoved, this.symbols.has(symbol) && this.symbols.size > 1, `remove ${symbol}`);
    if (isRemoved) this.symbols.delete(symbol);
    const cancels = this.r.venue.commands.filter(({ kind, target }) => kind === CANCEL && target === order);
    deepStrictEqual(cancels.length, isRemoved ? 1 : 0, `cancels of the order in ${symbol}`);
    if (order > 0) this.r.venue.pushedEnd(order, CANCELLED);
  }

  reload(text: Text): void {
    const [old, next] = [this.text, text].map(sourceOf) as [StrategySource, StrategySource];
    const isTaken = this.operate({ name: 'reload', strategy: 'one', source: next, before: old });
    deepStrictEqual(isTaken, text !== this.text, `reload ${text}`);
    if (!isTaken) return;
    this.proven = text === this.proven?.text ? null : (this.proven ?? { text: this.text, count: this.count });
    this.text = text;
    deepStrictEqual(this.r.kernel.setups[0]!.reload!.before?.sha256, this.proven?.text, 'what comes back');
    if (text !== 'bad') return;
    // It throws with its first trade, and the proven text comes back as it was.
    this.trade([...this.symbols][0]!);
    Object.assign(this, this.proven);
    this.proven = null;
  }

  /** `check` of the same configuration: what an operator changed stays, and what nobody watches any more is named. */
  #check(changed: Readonly<Record<string, string>>): void {
    const config = { ...defaultConfig(), strategies: [] };
    const strategies = [
      { name: 'one', symbols: [...this.symbols], changed, params: {}, set: [], errors: 0, isDisabled: false, warmingUp: '' },
    ];
    const orders = SYMBOLS.map(
      (symbol, k) => ({ number: k, symbol, side: 'LONG', effect: 'OPEN', size: '1', strategy: 'one' }) as unknown as OrderAnswer,
    );
    const status = { positions: [], strategies, equity: '1000' } as unknown as StatusAnswer;
    const planned = { config, instruments: INSTRUMENTS, strategies: [{ strategy: this.strategies.get('a')!, instruments: [0, 1] }] };
    const named = effectsOf(config, planned, { status, orders }).filter(({ kind }) => kind === 'money');
    const expected = SYMBOLS.filter((symbol) => !this.symbols.has(symbol));
    deepStrictEqual(
      named.map(({ what }) => /\w+USDT/.exec(what)?.[0]),
      expected,
      'orders that check names',
    );
  }

  #all(): JournalRecord[] {
    return [...this.records, ...this.r.records];
  }

  #begin(snapshot: KernelSnapshot | null): Rig {
    const reload = snapshot?.reloads?.['one'];
    const setup = {
      strategy: this.strategies.get(reload?.source.sha256 ?? 'a')!,
      instruments: SYMBOLS.flatMap((symbol, k) => (this.symbols.has(symbol) ? [k] : [])),
      set: snapshot?.params?.['one'],
      symbols: snapshot?.symbols?.['one'],
      reload,
    };
    const strategyOf = ({ sha256 }: StrategySource): AnyStrategy | undefined => this.strategies.get(sha256);
    const r = rig({}, { instruments: INSTRUMENTS, strategies: [setup], strategyOf });
    if (snapshot !== null) r.kernel.restore(snapshot);
    r.kernel.inbox.start();
    for (const { index } of INSTRUMENTS) r.kernel.inbox.onQuote(index, 10_000, 5_000, 10_002, 5_000);
    return r;
  }

  #strategy(text: Text): AnyStrategy {
    return defineStrategy({
      name: 'one',
      params: { size: param.number(1, { doc: 'what it says' }) },
      create: ({ size }) => {
        let count = 0;
        return {
          onStart: (ctx) => void (this.ctx = ctx),
          onTrade: (_trade, market) => {
            this.heard.push([text, String(size), market.symbol, count++]);
            if (text === 'bad') throw new Error('no');
          },
          save: () => String(count),
          restore: (saved) => void (count = Number(saved)),
        };
      },
    });
  }
}

function sourceOf(text: Text): StrategySource {
  return { sha256: text, files: [{ file: '/one.ts', text }] };
}

function step(world: World, random: Random): void {
  const symbol = SYMBOLS[random.below(SYMBOLS.length)]!;
  switch (random.below(7)) {
    case 0:
      world.size = ['', '2', '3'][random.below(3)]!;
      deepStrictEqual(world.operate({ name: 'set', strategy: 'one', param: 'size', value: world.size }), true, 'set');
      return;
    case 1: {
      const isAdded = world.operate({ name: 'add', strategy: '', symbol });
      deepStrictEqual(isAdded, !world.symbols.has(symbol), `add ${symbol}`);
      world.symbols.add(symbol);
      return;
    }
    case 2:
      return world.remove(symbol);
    case 3:
      return world.reload(TEXTS[random.below(TEXTS.length)]!);
    case 4:
      return world.restart();
    default:
      return world.trade(symbol);
  }
}

const [runs = '100', seed = '1'] = process.argv.slice(2);
let difference = '';
for (let run = 0; run < Number(runs) && difference === ''; run++) {
  const random = new Random(Number(seed) * 1_000 + run);
  const world = new World();
  try {
    for (let k = 0; k < STEPS; k++) {
      step(world, random);
      world.compare();
    }
  } catch (error) {
    difference = `run ${run}: ${error instanceof Error ? error.message : String(error)}`;
  }
}
console.log(difference || `${runs} runs of ${STEPS} changes are as the model has them`);
process.exitCode = difference === '' ? 0 : 1;
