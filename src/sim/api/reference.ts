/** Answers spot symbols (E3) and coins (E4), and generates their records from the instruments. */
import { formatLots, formatMoney, formatMoneyShort, type Instrument } from '../../domain/instrument.ts';
import { formatScaledShort } from '../../domain/amounts/scale.ts';
import { RATE_DECIMALS } from '../../domain/amounts/units.ts';
import { refuse, type Answer, type Coin, type CoinGiven, type SpotSymbol, type SymbolGiven } from './endpoint-context.ts';

export const spotSymbols: Answer<'spotSymbols'> = ({ reference, spot }, given) => {
  if (reference.symbols.length === 0) return refuse('no-records');
  // A symbol that is offline is listed here with status "offline", and nowhere else.
  const shown = (record: SpotSymbol): SpotSymbol => (spot.has(record.symbol) ? record : { ...record, status: 'offline' });
  if (given.symbol === undefined || given.symbol === '') return reference.symbols.map(shown);
  const found = reference.symbols.find((record) => record.symbol === given.symbol);
  return found === undefined ? refuse('unknown-instrument') : shown(found);
};

export const coins: Answer<'coins'> = ({ reference }, given) => {
  if (reference.coins.length === 0) return refuse('no-records');
  if (given.coin === undefined || given.coin === '') return reference.coins;
  return reference.coins.find((record) => record.coin === given.coin) ?? refuse('coin-not-found');
};

/** Spot symbol records (E3) of the instruments; configured fields replace generated ones. */
export function symbolRecords(instruments: readonly Instrument[], given: readonly SymbolGiven[]): SpotSymbol[] {
  const own = instruments.filter((instrument) => instrument.product === 'spot').map(symbolRecordOf);
  const others = given.filter(({ symbol }) => !own.some((record) => record.symbol === symbol));
  return [...own, ...others.map(unlistedSymbol)].map((record) => ({ ...record, ...given.find(({ symbol }) => symbol === record.symbol) }));
}

/** Coin records (E4) in the same way. Missing fields of a configured chain are taken from the generated one. */
export function coinRecords(instruments: readonly Instrument[], given: readonly CoinGiven[]): Coin[] {
  const names = new Set(instruments.flatMap((instrument) => [instrument.baseCoin, instrument.quoteCoin]));
  for (const { coin } of given) names.add(coin);
  return [...names].map((coin, index) => {
    const { chains, ...said }: Partial<CoinGiven> = given.find((one) => one.coin === coin) ?? {};
    const made = chainOf(coin);
    return {
      coinId: String(index + 1),
      coin,
      transfer: 'true',
      ...said,
      chains: chains === undefined ? [made] : chains.map((chain) => ({ ...made, ...chain })),
    };
  });
}

/** Defaults for a configured symbol that is not an instrument. */
function unlistedSymbol({ symbol }: SymbolGiven): SpotSymbol {
  const none = formatMoneyShort(0);
  return {
    symbol,
    baseCoin: '',
    quoteCoin: '',
    minTradeAmount: none,
    maxTradeAmount: none,
    takerFeeRate: none,
    makerFeeRate: none,
    pricePrecision: none,
    quantityPrecision: none,
    quotePrecision: none,
    status: 'offline',
    minTradeUSDT: none,
  };
}

/** The spot symbol record (E3) of an instrument. */
function symbolRecordOf(instrument: Instrument): SpotSymbol {
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
    minTradeUSDT: formatMoneyShort(instrument.minNotional),
  };
}

/** The generated chain of a coin, without deposits and withdrawals. */
function chainOf(coin: string): Coin['chains'][number] {
  return {
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
  };
}
