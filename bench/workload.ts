/**
 * One workload in one process: the bare loop, or the whole program on the same loaded columns. The engine sees every row and is told its
 * fills (`engine`), or sees what polls show, as a live bot does (`polled`). Prints one JSON line a pass.
 * `node bench/workload.ts w1|w2 bare|engine|polled TAPE PASSES`, or `w4 engine`; bench/run.ts runs them in turn and takes ratios.
 */
import { fileURLToPath } from 'node:url';
import { DEFAULTS, defaultConfig } from '../src/config/defaults.ts';
import type { BotConfig } from '../src/config/model.ts';
import { instrumentsFor } from '../src/run/setup/instruments/instruments.ts';
import { setRuntimeFlags } from '../src/run/backtest/runtime-flags.ts';
import { openBacktest, tapeOptionsFor } from '../src/run/backtest/backtest.ts';
import type { BacktestPort } from '../src/run/backtest/venue/backtest-port.ts';
import type { BacktestOptions } from '../src/run/setup/options.ts';
import { TapeMerge } from '../src/tape/merge.ts';
import { loadTape, readManifest } from '../src/tape/read.ts';
import type { Tape } from '../src/tape/tape.ts';
import { BareW1, BareW2, type BookColumns, type TickColumns } from './bare.ts';

export type WorkloadName = 'w1' | 'w2';

/** One pass: what it did, and what it took. */
export interface Pass {
  readonly rows: number;
  /** Processor time of the thread, because other processes may share the machine. */
  readonly ms: number;
  readonly fills: number;
  readonly commands: number;
  /** Reads that the bot asked for; 0 if nothing is polled. */
  readonly polls: number;
  readonly digest: string;
}

const STRATEGY = {
  w1: 'strategies/sma-tick.ts',
  w2: 'strategies/mm-book.ts',
  w4: 'strategies/ema-quotes.ts',
  flip: 'strategies/flip.ts',
} as const;

/** W1, W4 and flip: no latency, fill model touch. W2: 20 ms latency each way, fill model queue. Limits are wide: rules run, nothing is refused. */
export function workloadOptions(name: keyof typeof STRATEGY, tape: string): BacktestOptions {
  const defaults = defaultConfig();
  const latency = name === 'w2' ? 20 : 0;
  const config: BotConfig = {
    ...defaults,
    limits: { public: Infinity, private: Infinity },
    // One tier and no funding, so that the measurement does not depend on the venue's rules.
    instruments: defaults.instruments.map(({ tiers: _tiers, ...one }) => one),
    simulation: {
      ...defaults.simulation,
      funding: { ...defaults.simulation.funding, model: 'off' },
      upMs: latency,
      downMs: latency,
      fillModel: name === 'w2' ? 'queue' : 'touch',
      deposits: { USDT: '80000000' },
    },
    risk: {
      ...DEFAULTS.risk,
      maxNotionalOrder: 'off',
      maxNotionalPosition: 'off',
      maxNotionalTotal: 'off',
      maxOrderSize: '1000',
      maxPosition: '1000000',
      maxOpenOrders: 10_000,
      priceCollar: '0.5',
      staleAfterMs: 3_600_000,
      maxIntentsPerSecond: 1_000_000,
    },
  };
  const file = fileURLToPath(new URL(STRATEGY[name], import.meta.url));
  return { strategies: [{ file, params: {}, symbols: [] }], tape, config, everyTick: true, speed: 1, seed: 1 };
}

/** Processor time of this thread since `start`, in ms. */
function msSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

async function enginePass(options: BacktestOptions, tape: Tape): Promise<Pass> {
  const market = instrumentsFor(readManifest(options.tape), options.config.instruments);
  setRuntimeFlags();
  let polls = 0;
  const counted = (port: BacktestPort): BacktestPort => {
    const ask = port.query.bind(port);
    port.query = (query) => {
      polls++;
      ask(query);
    };
    return port;
  };
  const backtest = await openBacktest(options, market, tape, options.everyTick ? {} : { hooks: { port: counted } });
  const started = process.threadCpuUsage();
  const { performance, orders } = backtest.run();
  return {
    rows: performance.rows,
    ms: msSince(started),
    fills: backtest.fills.length,
    commands: orders.placed + orders.modified + orders.cancelled,
    polls,
    digest: backtest.fills.digest(),
  };
}

function tickColumns(tape: Tape): TickColumns {
  const { rows } = tape.manifest;
  const columns = { time: new Float64Array(rows), price: new Int32Array(rows), size: new Int32Array(rows), rows };
  for (const stream of tape.open()) {
    while (stream.next()) {
      columns.time.set(stream.time.subarray(0, stream.length), stream.firstRow);
      columns.price.set((stream.price as Int32Array).subarray(0, stream.length), stream.firstRow);
      columns.size.set((stream.size as Int32Array).subarray(0, stream.length), stream.firstRow);
    }
  }
  return columns;
}

function bookColumns(tape: Tape): BookColumns {
  const { rows } = tape.manifest;
  const kind = new Uint8Array(rows);
  const time = new Float64Array(rows);
  const a = new Int32Array(rows);
  const b = new Int32Array(rows);
  const c = new Int32Array(rows);
  const merge = new TapeMerge(tape.open());
  let n = 0;
  while (merge.next()) {
    const s = merge.stream;
    for (let r = merge.from; r < merge.to; r++, n++) {
      const isTrade = s.kind === 'trades';
      kind[n] = isTrade ? 1 : 0;
      time[n] = s.time[r]!;
      a[n] = isTrade ? s.price[r]! : s.bid[r]!;
      b[n] = isTrade ? s.side[r]! : s.ask[r]!;
      c[n] = isTrade ? s.size[r]! : s.bidSize[r]!;
    }
  }
  return { kind, time, a, b, c, rows };
}

async function main(name: WorkloadName | 'w4', what: string, folder: string, passes: number): Promise<void> {
  const options = { ...workloadOptions(name, folder), everyTick: what !== 'polled' };
  const market = instrumentsFor(readManifest(folder), options.config.instruments);
  const tape = loadTape(folder, tapeOptionsFor(options, market.instruments));
  const print = (pass: Pass): void => console.log(JSON.stringify(pass));
  if (what !== 'bare') {
    for (let k = 0; k < passes; k++) print(await enginePass(options, tape));
    return;
  }
  const columns = name === 'w1' ? tickColumns(tape) : bookColumns(tape);
  for (let k = 0; k < passes; k++) {
    const started = process.threadCpuUsage();
    const result = name === 'w1' ? new BareW1().run(columns as TickColumns) : new BareW2().run(columns as BookColumns);
    print({ rows: columns.rows, ms: msSince(started), fills: result.fills, commands: 0, polls: 0, digest: result.digest });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = 'w1', what = 'engine', folder = '', passes = '5'] = process.argv.slice(2);
  await main(name as WorkloadName | 'w4', what, folder, Number(passes));
}
