/** E3 to E5: trading pairs, coins and withdrawal records, and what is served of the first two where nothing else is configured. */
import type { Instrument } from '../../domain/instrument.ts';
import { formatLots, formatMoney } from '../../domain/instrument.ts';
import { formatScaledShort } from '../../domain/scale.ts';
import { RATE_DECIMALS } from '../../domain/units.ts';
import { money, refuse, type Answer, type Coin, type SpotSymbol, type Withdrawal } from './desk.ts';

/** Records of E5 that one answer holds when `limit` is left out. */
const WITHDRAWALS_DEFAULT = 100;

export const spotSymbols: Answer<'spotSymbols'> = ({ reference }, given) => {
  if (reference.symbols.length === 0) return refuse('spotSymbols', 'no-records');
  if (given.symbol === undefined || given.symbol === '') return reference.symbols;
  return reference.symbols.find((record) => record.symbol === given.symbol) ?? refuse('spotSymbols', 'unknown-instrument');
};

export const coins: Answer<'coins'> = ({ reference }, given) => {
  if (reference.coins.length === 0) return refuse('coins', 'no-records');
  if (given.coin === undefined || given.coin === '') return reference.coins;
  return reference.coins.find((record) => record.coin === given.coin) ?? refuse('coins', 'coin-not-found');
};

/** Newest first; idLessThan and the times bound the records, the times inclusively by creation. */
export const withdrawals: Answer<'withdrawals'> = ({ reference }, given, { account }) => {
  const isCoin = given.coin === undefined || given.coin === '' || reference.coins.some((record) => record.coin === given.coin);
  if (!isCoin) return refuse('withdrawals', 'coin-not-found');
  const from = Number(given.startTime);
  const to = Number(given.endTime);
  const isWanted = (record: Withdrawal): boolean =>
    Number(record.cTime) >= from &&
    Number(record.cTime) <= to &&
    (given.coin === undefined || given.coin === '' || record.coin === given.coin) &&
    (given.orderId === undefined || given.orderId === '' || record.orderId === given.orderId) &&
    (given.idLessThan === undefined || given.idLessThan === '' || isBelow(record.orderId, given.idLessThan));
  return reference
    .withdrawals(account)
    .filter(isWanted)
    .slice(0, given.limit ?? WITHDRAWALS_DEFAULT);
};

/** Ids of digits by their value, whatever their length; others as text. */
function isBelow(id: string, bound: string): boolean {
  const areDigits = /^\d+$/.test(id) && /^\d+$/.test(bound);
  if (areDigits && id.length !== bound.length) return id.length < bound.length;
  return id < bound;
}

/** E3's record as the instrument's own rules say. */
export function symbolRecordOf(instrument: Instrument): SpotSymbol {
  return {
    symbol: instrument.symbol,
    baseCoin: instrument.baseCoin,
    quoteCoin: instrument.quoteCoin,
    minTradeAmount: formatLots(instrument.minSize, instrument),
    maxTradeAmount: formatLots(instrument.maxSize, instrument),
    takerFeeRate: formatScaledShort(instrument.takerFeeRate, RATE_DECIMALS),
    makerFeeRate: formatScaledShort(instrument.makerFeeRate, RATE_DECIMALS),
    pricePrecision: String(instrument.priceDecimals) as SpotSymbol['pricePrecision'],
    quantityPrecision: String(instrument.sizeDecimals) as SpotSymbol['quantityPrecision'],
    quotePrecision: '8' as SpotSymbol['quotePrecision'],
    status: 'online',
    minTradeUSDT: money(instrument.minNotional),
  };
}

/** E4's records of the coins that the instruments name: each on one made-up chain that moves nothing. */
export function coinRecordsOf(instruments: readonly Instrument[]): Coin[] {
  const names = new Set(instruments.flatMap((instrument) => [instrument.baseCoin, instrument.quoteCoin]));
  return [...names].map((coin, index) => ({
    coinId: String(index + 1),
    coin,
    transfer: 'true',
    chains: [
      {
        chain: `${coin}-PAPER`,
        needTag: 'false',
        withdrawable: 'false',
        rechargeable: 'false',
        withdrawFee: formatMoney(0),
        extraWithdrawFee: formatMoney(0),
        depositConfirm: '1' as SpotSymbol['pricePrecision'],
        withdrawConfirm: '1' as SpotSymbol['pricePrecision'],
        minDepositAmount: formatMoney(1),
        minWithdrawAmount: formatMoney(1),
        browserUrl: '',
        contractAddress: '',
        withdrawStep: formatMoney(1),
        withdrawMinScale: '8' as SpotSymbol['pricePrecision'],
        congestion: 'normal',
      },
    ],
  }));
}
