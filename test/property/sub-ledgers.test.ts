/**
 * Two strategies and a person on the legs of one simulated account, and an operator who flattens now and then. The journal that a bot
 * writes of it gives each its own profit, fees and funding: all rows add up to the books of the venue, and each strategy has what its own
 * fills earned at its own cost, counted in integers by other code.
 */
import { assert, expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { Attribution } from '../../src/domain/attribution.ts';
import { CLOSE, EFFECTS, LONG, MARKET, OPEN, SHORT, SIDES } from '../../src/domain/codes.ts';
import { formatLots, formatMoney, formatTicks } from '../../src/domain/instrument.ts';
import { parseScaled } from '../../src/domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../src/domain/amounts/units.ts';
import { EXTERNAL, NETTING } from '../../src/domain/strategy-name.ts';
import type { PositionAnswer, ProfitRow } from '../../src/control/answers.ts';
import type { StoredRecord } from '../../src/ports/store.ts';
import { partsOf } from '../../src/run/bot/answers/account-parts.ts';
import { ProfitIndex, profitIn } from '../../src/run/bot/answers/profit.ts';
import { tradesIn } from '../../src/run/bot/answers/trade-answers.ts';
import type { SimFill } from '../../src/sim/state/types.ts';
import { VenueSim } from '../../src/sim/core/venue-core.ts';
import { BTC, ETH, instrumentsOf, order, Recorder, specOf } from '../support/sim/sim-kit.ts';
import { journalOf } from '../support/stores/journal-of.ts';

const RUNS = Number(process.env['TICKWRIGHT_LEDGER_RUNS'] ?? 12);
const STEPS = 400;
const START = Date.UTC(2026, 10, 27);
const STRATEGIES = ['one', 'two'];
const PERSON = 'person';
/** An own order without a strategy. */
const OPERATOR = '';

const units = (money: string): number => parseScaled(money, MONEY_DECIMALS);

class Listener extends Recorder {
  funded = (_account: number, instrument: number, side: number, amount: number): void => this.heard(instrument, side, amount);
  heard: (instrument: number, side: number, amount: number) => void = () => undefined;
}

class World {
  readonly random: Random;
  readonly records: Omit<StoredRecord, 'position'>[] = [];
  readonly instruments = instrumentsOf({ ...BTC, maxSize: '1000' }, { ...ETH, minSize: '0.001', maxSize: '1000' });
  readonly log = new Listener();
  readonly sim: VenueSim;
  readonly judge: Attribution;
  readonly mids = [600_000, 300_000];
  /** Funding of each leg since it was opened. */
  readonly #totals = [0, 0, 0, 0];
  readonly #openedAt = [0, 0, 0, 0];
  /** Records about money of orders, which come some steps after their fills. */
  #late: { readonly at: number; readonly record: Omit<StoredRecord, 'position'> }[] = [];
  #time = START;
  #tag = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    const rate = seed % 2 === 0 ? '0.0007' : '-0.0007';
    const funding = { model: 'constant' as const, everyMs: 3_600_000, rate, file: '' };
    const accounts = [{ name: 'demo', futures: '90000000', spot: {} }];
    this.sim = new VenueSim(specOf(this.instruments, { accounts, funding }), this.log);
    this.judge = new Attribution({ instruments: this.instruments, strategies: STRATEGIES, coin: 'USDT', markOf: (k) => this.mids[k]! });
    this.log.heard = (instrument, side, amount) => this.#funded(instrument, side, amount);
    for (const k of [0, 1]) this.#quote(k);
  }

  step(k: number): void {
    const { random } = this;
    this.#time += 60_000 * random.below(20);
    const instrument = random.below(2);
    this.mids[instrument]! += random.below(2_001) - 1_000;
    this.#quote(instrument);
    const who = [...STRATEGIES, ...STRATEGIES, ...STRATEGIES, PERSON, PERSON, OPERATOR][random.below(9)]!;
    const side = random.below(2);
    const held = this.#held(instrument, side);
    const closes = held > 0 && (who === OPERATOR || random.below(2) === 0);
    // An operator flattens: an order of nobody closes what strategies hold.
    const most = who === OPERATOR ? Math.min(held, this.#ownLots(instrument, side)) : held;
    const isAll = who === OPERATOR || random.below(3) === 0;
    if (closes && most > 0) this.#trade(k, who, instrument, side, CLOSE, isAll ? most : 1 + random.below(most));
    else if (!closes && who !== OPERATOR) this.#trade(k, who, instrument, side, OPEN, 1 + random.below(40));
    this.#tellLate(k);
  }

  /** Every record about money has been read. */
  tellAll(): void {
    this.#tellLate(Infinity);
  }

  /** Everyone closes: what is left of each leg, by one of the strategies or another. */
  end(): void {
    for (const instrument of [0, 1]) {
      for (const side of [LONG, SHORT]) {
        const held = this.#held(instrument, side);
        if (held > 0) this.#trade(STEPS, [...STRATEGIES, PERSON][this.random.below(3)]!, instrument, side, CLOSE, held);
      }
    }
    this.#tellLate(Infinity);
  }

  /** The account by strategy while positions are open: columns add up, and the venue's own figures are their sums. */
  checkParts(records: readonly StoredRecord[]): void {
    const index = new ProfitIndex();
    for (const record of records) index.add(record);
    const positions = [0, 1].flatMap((instrument) =>
      this.sim.positions(0, instrument).map(({ side, total }): PositionAnswer => {
        const one = this.instruments[instrument]!;
        const price = formatTicks(this.mids[instrument]!, one);
        const unknown = { entryPrice: '', value: '', unrealised: '', liquidationPrice: '', opening: '', closing: '' };
        return { symbol: one.symbol, side: SIDES[side]!, size: formatLots(total, one), price, ...unknown, worstLoss: '12.34' };
      }),
    );
    const parts = partsOf(index, STRATEGIES, positions);
    const all = parts.at(-1)!;
    for (const key of ['profit', 'fees', 'funding', 'unrealised', 'net', 'value', 'worstLoss'] as const) {
      const sum = parts.slice(0, -1).reduce((total, part) => total + cents(part[key]), 0);
      assert.deepEqual([key, sum], [key, cents(all[key])]);
    }
    assert.equal(all.worstLoss, (12.34 * positions.length).toFixed(2));
    const { realised, fees, funding } = this.sim.totals(0);
    const own = this.judge.parts.map((_, k) => this.judge.unrealised(k));
    const worth = [0, 1]
      .flatMap((k) => this.sim.positions(0, k))
      .map(({ instrument, side, total, entryValue }) => {
        const value = this.mids[instrument]! * total * this.instruments[instrument]!.unitValue;
        return side === LONG ? value - entryValue : entryValue - value;
      });
    const unrealised = worth.reduce((sum, one) => sum + one, 0);
    const expected = { profit: realised, fees, funding, unrealised, net: realised - fees + funding + unrealised };
    for (const [key, money] of Object.entries(expected) as [keyof typeof expected, number][])
      assert.isBelow(Math.abs(units(all[key]) - money), 0.02e8, key);
    for (const [k, name] of [...STRATEGIES, EXTERNAL].entries()) {
      const shown = parts.find((part) => part.name === name)?.unrealised ?? '0';
      assert.isBelow(Math.abs(units(shown) - own[k]!), 0.02e8, `${name}: ${shown} for ${own[k]}`);
    }
  }

  #ownLots(instrument: number, side: number): number {
    const { symbol } = this.instruments[instrument]!;
    const held = this.judge
      .saved()
      .slice(0, -1)
      .flatMap(({ holdings }) => holdings);
    const own = held.filter((one) => one.symbol === symbol && one.leg === side).map(({ lots }) => (side === LONG ? lots : -lots));
    return own.reduce((sum, lots) => sum + Math.max(0, lots), 0);
  }

  #quote(instrument: number): void {
    const mid = this.mids[instrument]!;
    this.sim.quote(instrument, mid, 1_000_000, mid + 1, 1_000_000, this.#time);
  }

  #held(instrument: number, side: number): number {
    return this.#leg(instrument, side)?.total ?? 0;
  }

  #leg(instrument: number, side: number) {
    return this.sim.positions(0, instrument).find((one) => one.side === side);
  }

  #trade(k: number, who: string, instrument: number, side: number, effect: number, size: number): void {
    const from = this.log.fills.length;
    const leg = 2 * instrument + side;
    if (this.#held(instrument, side) === 0) {
      this.#totals[leg] = 0;
      this.#openedAt[leg] = this.#time;
    }
    const tag = ++this.#tag;
    this.sim.place(0, order({ instrument, side, effect, size, type: MARKET, price: 0 }), tag, this.#time);
    const fills = this.log.fills.slice(from);
    assert.equal(
      fills.reduce((sum, fill) => sum + fill.size, 0),
      size,
    );
    for (const fill of fills) {
      const name = who === PERSON ? '' : who;
      this.judge.filled(instrument, side, effect, fill.price, fill.size, fill.fee, name, who !== PERSON);
      if (who === PERSON) this.#external(k, fill);
      else this.#own(k, fill, who, tag);
    }
  }

  #own(k: number, fill: SimFill, strategy: string, tag: number): void {
    const facts = this.#facts(fill);
    const isRead = this.random.below(3);
    const realised = fill.effect === CLOSE ? { profit: formatMoney(fill.realised) } : {};
    const money = { order: tag, symbol: facts.symbol, side: facts.side, fee: formatMoney(fill.fee), ...realised, strategy, reason: 'x' };
    if (isRead === 0) this.#write('fee', 0, money);
    this.#write('fill', tag, { ...facts, strategy, reason: 'x', isBooked: true });
    if (isRead === 1) this.#write('fee', 0, money);
    // What an operator closed is shared out by what is held when it is told.
    if (isRead === 2) this.#tell(strategy === OPERATOR ? k : k + this.random.below(9), 'fee', money);
  }

  #external(k: number, fill: SimFill): void {
    const { price, ...facts } = this.#facts(fill);
    const money = { profit: formatMoney(fill.realised), fee: formatMoney(fill.fee) };
    const isKnown = this.random.below(2) === 0 || fill.effect === OPEN;
    const average = this.#averageOf(fill);
    const told = { ...facts, what: 'external', ...(isKnown ? money : {}) };
    // The average of the leg stands for a price that no record shows.
    if (this.random.below(2) === 0 || average === '') this.#write('external', 0, { ...told, price });
    else this.#write('external', 0, { ...told, price: null, entry: average });
    if (!isKnown) this.#tell(k, 'fee', { order: 0, symbol: facts.symbol, side: facts.side, reason: 'external', ...money });
  }

  #averageOf({ instrument, side, effect }: SimFill): string {
    const leg = this.#leg(instrument, side);
    return effect === CLOSE || leg === undefined ? '' : formatMoney(leg.entryPrice);
  }

  #facts({ instrument, side, effect, size, price }: SimFill) {
    const one = this.instruments[instrument]!;
    return { symbol: one.symbol, side: SIDES[side], effect: EFFECTS[effect], size: formatLots(size, one), price: formatTicks(price, one) };
  }

  #funded(instrument: number, side: number, amount: number): void {
    this.judge.funded(instrument, side, amount);
    const leg = 2 * instrument + side;
    this.#totals[leg]! += amount;
    const { symbol } = this.instruments[instrument]!;
    this.#write('funding', 0, { symbol, side: SIDES[side], total: this.#totals[leg], openedAt: this.#openedAt[leg] });
  }

  #tell(at: number, kind: string, data: StoredRecord['data']): void {
    this.#late.push({ at, record: { kind, seq: 0, time: this.#time, data } });
  }

  #tellLate(k: number): void {
    const due = this.#late.filter(({ at }) => at <= k);
    this.#late = this.#late.filter(({ at }) => at > k);
    for (const { record } of due) this.#write(record.kind, record.seq, record.data);
  }

  #write(kind: string, seq: number, data: StoredRecord['data']): void {
    this.records.push({ kind, seq, time: this.#time, data });
  }
}

const MONEY = ['profit', 'fees', 'funding', 'net', 'volume'] as const;
const cents = (money: string): number => Math.round(100 * Number(money));

/** Every column of the rows adds up to the last row, to the cent. */
function addsUp(rows: readonly ProfitRow[]): void {
  const all = rows.at(-1)!;
  for (const key of MONEY) expect([key, rows.slice(0, -1).reduce((sum, row) => sum + cents(row[key]), 0)]).toEqual([key, cents(all[key])]);
  for (const key of ['fills', 'closed', 'wins'] as const) expect(rows.slice(0, -1).reduce((sum, row) => sum + row[key], 0)).toBe(all[key]);
}

test.each(Array.from({ length: RUNS }, (_, k) => k + 1))('world %i', async (seed) => {
  const world = new World(seed);
  for (let k = 0; k < STEPS; k++) world.step(k);
  world.tellAll();
  const open = journalOf(world.records);
  addsUp(await profitIn(open, 'strategy', {}));
  world.checkParts(open.records());
  world.end();
  const journal = journalOf(world.records);
  const rows = await profitIn(journal, 'strategy', {});
  addsUp(rows);

  // The account, by the books of the venue.
  const { realised, fees, funding } = world.sim.totals(0);
  const all = rows.at(-1)!;
  expect([all.profit, all.fees, all.funding]).toEqual([realised, fees, funding].map((money) => (money / 1e8).toFixed(2)));

  // Each strategy by its own fills. Of a flat account nothing is left between the strategies, and the rest is the person's.
  for (const [k, name] of [...STRATEGIES, EXTERNAL].entries()) {
    const part = world.judge.parts[k]!;
    const row = rows.find(({ key }) => key === name)!;
    for (const [shown, counted] of [
      [row.profit, part.realised],
      [row.fees, part.fees],
      [row.funding, part.funding],
    ] as const) {
      expect(Math.abs(units(shown) - counted), `${name}: ${shown} for ${counted}`).toBeLessThan(0.02e8);
    }
  }
  expect(cents(rows.find(({ key }) => key === NETTING)?.net ?? '0')).toBe(0);

  // Kills: the index is saved and read again at any record, and windows add up to the whole.
  let index = new ProfitIndex();
  for (const record of journal.records()) {
    index.add(record);
    if (world.random.below(50) === 0) index = ProfitIndex.of(index.saved());
    if (world.random.below(200) === 0) expect(await profitIn(journal, 'strategy', {}, index)).toEqual(rows);
  }
  expect(await profitIn(journal, 'strategy', {}, index)).toEqual(rows);
  for (const by of ['symbol', 'day', 'reason'] as const) {
    const others = await profitIn(journal, by, {}, index);
    addsUp(others);
    expect(others.at(-1)).toEqual(all);
  }
  const middle = START + 36 * 3_600_000;
  const halves = await Promise.all([{ to: middle }, { from: middle }].map((window) => profitIn(journal, 'strategy', window, index)));
  for (const half of halves) addsUp(half);
  const net = halves.reduce((sum, half) => sum + cents(half.at(-1)!.net), 0);
  expect(Math.abs(net - cents(all.net))).toBeLessThanOrEqual(1);

  // The trades of everyone have the same money.
  const trades = await tradesIn(journal.records(), {});
  for (const name of [...STRATEGIES, EXTERNAL]) {
    const own = trades.filter(({ strategy }) => strategy === name);
    const sum = (key: 'profit' | 'fees'): number => own.reduce((total, trade) => total + units(trade[key]), 0);
    const row = rows.find(({ key }) => key === name)!;
    expect(Math.abs(sum('profit') - units(row.profit)), name).toBeLessThan(0.02e8);
    expect(Math.abs(sum('fees') - units(row.fees)), name).toBeLessThan(0.02e8);
  }
});
