/** An account record (E9) is accepted only if its amounts add up. */
import { expect, it } from 'vitest';
import { mapAccount } from '../../../src/venue/interface/map-in.ts';
import { createInstrument } from '../../../src/domain/instrument.ts';
import { ScaleError } from '../../../src/domain/amounts/scale.ts';
import { BTCUSDT } from '../../support/specs.ts';

const instrument = createInstrument(BTCUSDT, 0);
const record = (changes: object): never =>
  ({
    marginCoin: 'USDT',
    locked: '10.5',
    available: '90.25',
    crossMaxAvailable: '1',
    isolatedMaxAvailable: '1',
    maxTransferOut: '1',
    accountEquity: '99.75',
    longLever: '20',
    shortLever: '20',
    marginMode: 'cross',
    unrealizedPL: '-1',
    coupon: '0',
    ...changes,
  }) as never;

it('equity is available + locked + unrealised, within the rounding of the record [outcomes E9]', () => {
  expect(mapAccount(record({}), instrument)).toMatchObject({ equity: 99.75e8, available: 90.25e8, locked: 10.5e8, unrealised: -1e8 });
  expect(() => mapAccount(record({ accountEquity: '99.76' }), instrument)).not.toThrow();
  for (const accountEquity of ['150', '0', '-99.75', '99.5']) {
    expect(() => mapAccount(record({ accountEquity }), instrument), accountEquity).toThrow(ScaleError);
  }
});
