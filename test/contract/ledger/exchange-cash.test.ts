/** The cash lines of the ledger alone give the content of every wallet, exact to the last digit and equal to the exchange's answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { parseScaled } from '../../../src/domain/amounts/scale.ts';
import { readLedger, type LedgerCash } from '../../../src/edge/file/ledger/read-ledger.ts';
import { ALICE, BOB } from '../../support/exchange/exchange-client.ts';
import { Exchange, step } from '../../support/exchange/ledger-kit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cash-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Sums the cash lines of one wallet by coin. */
function walletOf(cash: readonly LedgerCash[], account: string, wallet: LedgerCash['wallet']): Record<string, number> {
  const coins: Record<string, number> = {};
  for (const move of cash) {
    if (move.account === account && move.wallet === wallet) coins[move.coin] = (coins[move.coin] ?? 0) + move.amount;
  }
  return coins;
}

/** The futures wallet as the exchange answers it: equity without unrealised profit. */
function futuresAnswered(exchange: Exchange, caller: string): number {
  const money = (text: string): number => parseScaled(text, 8);
  const { accountEquity } = exchange.read('account', { symbol: 'BTCUSDT', marginCoin: 'USDT' }, caller) as { accountEquity: string };
  const legs = exchange.read('positions', {}, caller) as readonly { unrealizedPL: string }[];
  return money(accountEquity) - legs.reduce((sum, leg) => sum + money(leg.unrealizedPL), 0);
}

describe('the cash lines of the ledger', () => {
  it.each([11, 12, 13, 14])('sum to both wallets of every account, after anything (seed %i)', (seed) => {
    const random = new Random(seed);
    const path = join(folder, 'x');
    const funding = { model: 'premium', everyMs: 10_000, rate: '0.0013' } as const;
    let exchange = new Exchange(path, seed % 2 === 0 ? 'touch' : 'queue', 1 << 20, { funding });
    for (let k = 0; k < 2_500; k++) {
      step(exchange, random, k);
      if (k % 20 === 3) exchange.ledger.quote(3, 5_999_000 + random.below(2_000), 900, 6_001_000 + random.below(2_000), 900, exchange.time);
      if (k % 40 === 7) {
        const order = { side: 'sell', orderType: 'market', size: '0.001' };
        exchange.call('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [order] }, random.below(2) === 0 ? ALICE.key : BOB.key);
      }
      if (k % 500 !== 499) continue;
      exchange.ledger.flush();
      const { cash } = readLedger(path);
      for (const [account, { name, key }] of [ALICE, BOB].entries()) {
        expect(walletOf(cash, name, 'futures')).toEqual({ USDT: futuresAnswered(exchange, key) });
        const told = walletOf(cash, name, 'spot');
        const held = exchange.sim.balances(account).map(({ coin, free, locked }) => [coin, free + locked]);
        expect(held.map(([coin]) => [coin, told[coin!] ?? 0])).toEqual(held);
        expect(Object.keys(told).length).toBeLessThanOrEqual(held.length);
      }
      // The sums continue across a restart.
      exchange.ledger.close();
      const { time } = exchange;
      exchange = new Exchange(path, seed % 2 === 0 ? 'touch' : 'queue', 1 << 20, { funding });
      exchange.time = time;
    }
    const { cash } = readLedger(path);
    const kinds = new Set(cash.map(({ wallet, why }) => `${wallet} ${why}`));
    for (const kind of ['deposit', 'realised', 'fee', 'funding', 'liquidation']) expect(kinds).toContain(`futures ${kind}`);
    for (const kind of ['deposit', 'spot', 'fee']) expect(kinds).toContain(`spot ${kind}`);
  });
});
