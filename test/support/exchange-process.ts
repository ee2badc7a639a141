/** A paper exchange as a process of its own, on the folder given: prints its address and serves until it is killed. */
import { openLedger } from '../../src/edge/file/ledger.ts';
import { startServer } from '../../src/edge/serve/server.ts';
import { createInstrument, type InstrumentSpec } from '../../src/domain/instrument.ts';
import { VenueSim } from '../../src/sim/core.ts';
import { createExchange, createFace } from '../../src/sim/face.ts';

const folder = process.argv[2] ?? '';
const account = { name: 'alice', key: 'key-alice', secret: 'secret-alice', passphrase: 'pass-alice' };
const spec: InstrumentSpec = {
  symbol: 'BTCUSDT',
  product: 'futures',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  tickSize: '0.1',
  lotSize: '0.001',
  minSize: '0.001',
  maxSize: '50',
  makerFeeRate: '0.0002',
  takerFeeRate: '0.0005',
};
const instruments = [createInstrument(spec, 0)];
const clock = { now: (): number => Date.now() };
const ledger = openLedger(folder, { identity: 'test', clock, names: new Map([[account.key, account.name]]) });
const sim = new VenueSim(
  {
    instruments,
    accounts: [{ name: account.name, futures: '1000000', spot: {} }],
    fillModel: 'touch',
    leverage: 10,
    historyLimit: 1_000,
    keepTrades: 100,
  },
  ledger.sink,
);
const face = createFace(sim, { instruments, clock: ledger.clock, accounts: new Map([[account.key, 0]]) });
const { resumed } = ledger.start(createExchange(sim, face));
if (!resumed) {
  ledger.quote(0, 599_999, 5_000, 600_001, 5_000, Date.now());
  ledger.trade(0, 600_000, 500, 0, Date.now(), 1);
}
const server = await startServer({ handler: ledger.handler, accounts: [account], now: clock.now, port: 0 });
process.stdout.write(`${server.url}\n`);
