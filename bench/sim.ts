/** Measures the simulator alone: nanoseconds per row that affects no order, and per place and cancel of a two-sided quoter. */
import { createInstrument } from '../src/domain/instrument.ts';
import { CANCEL, CLOSE, OPEN, PLACE } from '../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../src/domain/orders/command.ts';
import { VenueSim } from '../src/sim/core/venue-core.ts';
import { SimPort } from '../src/sim/port/port.ts';
import type { FillModel } from '../src/sim/state/types.ts';
import { BTCUSDT } from '../test/support/specs.ts';
import { ACCEPTED, type VenueEvent } from '../src/ports/venue-event.ts';

const instrument = createInstrument({ ...BTCUSDT, maxLeverage: 125 }, 0);

function simOf(fillModel: FillModel, keepStats: boolean, historyLimit: number): VenueSim {
  const accounts = [{ name: 'a', futures: '80000000', spot: {} }];
  return new VenueSim({ instruments: [instrument], accounts, fillModel, leverage: 100, historyLimit, keepTrades: 0, keepStats }, null);
}

function clocked(what: string, count: number, run: () => void): void {
  const start = process.hrtime.bigint();
  run();
  const ns = Number(process.hrtime.bigint() - start);
  console.log(`${what.padEnd(58)} ${(ns / count).toFixed(1)} ns`);
}

const BLOCK = 8_192;
const BLOCKS = 1_200;

/** Processes one block per call, so that the measured function is compiled as a whole, without on-stack replacement. */
function tradeBlock(sim: VenueSim, from: number): void {
  for (let k = from; k < from + BLOCK; k++) sim.trade(0, 600_000 + (k & 63), 1 + (k & 7), k & 1, k >> 3, k);
}

function quoteBlock(sim: VenueSim, from: number): void {
  for (let k = from; k < from + BLOCK; k++) sim.quote(0, 600_000 + (k & 63), 5, 600_001 + (k & 63), 5, k >> 3);
}

function rows(fillModel: FillModel, keepStats: boolean): void {
  const sim = simOf(fillModel, keepStats, 500);
  clocked(`trade row, nothing reached (${fillModel}, stats ${keepStats})`, BLOCK * BLOCKS, () => {
    for (let b = 0; b < BLOCKS; b++) tradeBlock(sim, b * BLOCK);
  });
  clocked(`quote row, nothing reached (${fillModel})`, BLOCK * BLOCKS, () => {
    for (let b = 0; b < BLOCKS; b++) quoteBlock(sim, b * BLOCK);
  });
}

function quoter(fillModel: FillModel, historyLimit: number, resting: number): void {
  const sim = simOf(fillModel, false, historyLimit);
  const command = { ...emptyCommand(), kind: PLACE, size: 1 };
  sim.quote(0, 600_000, 50, 600_001, 50, 1);
  for (let k = 0; k < resting; k++) {
    command.side = k & 1;
    command.price = command.side === 0 ? 590_000 - k : 610_000 + k;
    sim.place(0, command, 0, 1);
  }
  const held = [0, 0];
  let fills = 0;
  let refused = 0;
  sim.setTap(0, {
    filled(fill) {
      fills++;
      held[fill.side]! += fill.effect === OPEN ? fill.size : -fill.size;
    },
    ended: () => {},
  });
  command.size = 10;
  let bid = 0;
  let ask = 0;
  let seed = 1;
  let mid = 600_000;
  /** Closes the other leg before it opens, so that positions stay small. */
  const quote = (leg: number, price: number, time: number): number => {
    const isClosing = held[1 - leg]! >= 10;
    command.side = isClosing ? 1 - leg : leg;
    command.effect = isClosing ? CLOSE : OPEN;
    command.price = price;
    const no = sim.place(0, command, time, time);
    if (no === 0) refused++;
    return no;
  };
  const turn = (k: number): void => {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    mid += ((seed >>> 30) & 1) - ((seed >>> 29) & 1);
    sim.quote(0, mid, 20, mid + 1, 20, k);
    if (bid !== 0) sim.cancel(0, bid, k);
    if (ask !== 0) sim.cancel(0, ask, k);
    bid = quote(0, mid, k);
    ask = quote(1, mid + 1, k);
    sim.trade(0, mid + (seed >>> 31), 25, 1 - (seed >>> 31), k, k);
  };
  const count = 1_000_000;
  clocked(`re-quote: 2 cancel + 2 place + quote + trade (${fillModel}, history ${historyLimit}, ${resting} resting)`, count, () => {
    for (let k = 0; k < count; k++) turn(k);
  });
  console.log(`  ${fills} fills, ${refused} refused, equity ${sim.equity(0)}`);
  sim.audit();
}

/** The same quoter through the direct port with 20 ms latency each way. */
function throughPort(nameOrders: boolean): void {
  const sim = simOf('queue', false, 500);
  let time = 0;
  const clock = { now: () => time };
  const identity = { bot: 'b', epoch: 1 };
  const port = new SimPort({ sim, account: 0, identity, latency: { upMs: 20, downMs: 20 }, clock, push: true, nameOrders });
  let accepted = 0;
  const inbox = { take: ({ kind }: VenueEvent): void => void (kind === ACCEPTED && accepted++) };
  port.connect(inbox, inbox);
  const command = emptyCommand() as Approved<Command>;
  command.size = 1;
  let seq = 0;
  const send = (kind: number, target: number, side: number, price: number): void => {
    command.kind = kind;
    command.seq = ++seq;
    command.target = target;
    command.side = side;
    command.price = price;
    port.execute(command);
  };
  const count = 1_000_000;
  let seed = 1;
  let mid = 600_000;
  clocked(`re-quote through the port (named ${nameOrders})`, count, () => {
    for (let k = 0; k < count; k++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      mid += ((seed >>> 30) & 1) - ((seed >>> 29) & 1);
      time = k;
      if (port.nextDue <= k) port.run();
      sim.quote(0, mid, 20, mid + 1, 20, k);
      send(CANCEL, seq - 1, 0, 0);
      send(CANCEL, seq - 1, 0, 0);
      send(PLACE, 0, 0, mid);
      send(PLACE, 0, 1, mid + 1);
      sim.trade(0, mid + (seed >>> 31), 7, 1 - (seed >>> 31), k, k);
    }
  });
  console.log(`  ${accepted} accepted, equity ${sim.equity(0)}`);
  sim.audit();
}

for (let turn = 0; turn < 2; turn++) {
  for (const model of ['touch', 'queue'] as const) {
    rows(model, false);
    quoter(model, 500, 0);
  }
  rows('touch', true);
  quoter('queue', 50, 0);
  quoter('queue', 500, 1000);
  throughPort(false);
  throughPort(true);
}
