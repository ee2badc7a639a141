/** A paper exchange as a separate process in the given folder: prints its address and serves until it is killed. */
import { openLedger } from '../../../src/edge/file/ledger/ledger.ts';
import { startServer } from '../../../src/edge/serve/server.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createExchange, createVenueApi } from '../../../src/sim/api/api.ts';
import { ALICE } from './exchange-client.ts';
import { instrumentsOf, SPECS } from './exchange-kit.ts';

const folder = process.argv[2] ?? '';
const account = ALICE;
const instruments = instrumentsOf(SPECS.slice(0, 1));
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
const venueApi = createVenueApi(sim, { instruments, clock: ledger.clock, accounts: new Map([[account.key, 0]]) });
const { resumed } = ledger.start(createExchange(sim, venueApi));
if (!resumed) {
  ledger.quote(0, 599_999, 5_000, 600_001, 5_000, Date.now());
  ledger.trade(0, 600_000, 500, 0, Date.now(), 1);
}
const server = await startServer({ handler: ledger.handler, accounts: [account], now: clock.now, port: 0 });
process.stdout.write(`${server.url}\n`);
