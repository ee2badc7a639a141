/** Small files in the published form of each format, with rows of our own, and the tape they make. */

import { gzipSync } from 'node:zlib';
import { zipOf } from './zip.ts';

export interface Sample {
  /** The format that the importer recognises it as. */
  readonly format: string;
  readonly file: string;
  readonly text: string | Buffer;
  /** Symbol and kind → rows: time and the columns, numbers as they are written. */
  readonly rows: Readonly<Record<string, readonly (readonly (number | string)[])[]>>;
}

const T = 1_735_689_600_000; // 2025-01-01
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

/** "trade_id/撮合id,side/交易方向,…" in GBK. */
const GBK_HEADER = Buffer.concat([
  Buffer.from('trade_id/'),
  Buffer.from([0xb4, 0xe9, 0xba, 0xcf]),
  Buffer.from('id,side/'),
  Buffer.from([0xbd, 0xbb, 0xd2, 0xd7, 0xb7, 0xbd, 0xcf, 0xf2]),
  Buffer.from(',size/'),
  Buffer.from([0xca, 0xfd, 0xc1, 0xbf]),
  Buffer.from(',price/'),
  Buffer.from([0xbc, 0xdb, 0xb8, 0xf1]),
  Buffer.from(',created_time/'),
  Buffer.from([0xb3, 0xc9, 0xbd, 0xbb, 0xca, 0xb1, 0xbc, 0xe4]),
  Buffer.from('\n'),
]);

/** Two bars whose volume is not read. */
const EURUSD_BARS: Sample['rows'] = {
  'EURUSD bars': [
    [T, 1.10427, 1.10429, 1.10425, 1.10428, 0],
    [T + 60_000, 1.10428, 1.1043, 1.10427, 1.10429, 0],
  ],
};

export const SAMPLES: readonly Sample[] = [
  {
    format: 'histdata-bars',
    file: 'DAT_ASCII_EURUSD_M1_2025.csv',
    text: lines('20241231 190000;1.10427;1.10429;1.10425;1.10428;0', '20241231 190100;1.10428;1.1043;1.10427;1.10429;0'),
    rows: EURUSD_BARS,
  },
  {
    format: 'metatrader4-bars',
    file: 'EURUSD1.csv',
    text: lines('2025.01.01,00:00,1.10427,1.10429,1.10425,1.10428,17', '2025.01.01,00:01,1.10428,1.1043,1.10427,1.10429,9'),
    rows: EURUSD_BARS,
  },
  {
    format: 'metatrader5-bars',
    file: 'PETR4_M1_202501010000_202501012359.csv',
    text: lines(
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>',
      '2025.01.01\t00:00:00\t36.5\t36.6\t36.4\t36.55\t17\t1200\t1',
      '2025.01.01\t00:01:00\t36.55\t36.7\t36.5\t36.6\t9\t800\t1',
    ),
    rows: {
      'PETR4 bars': [
        [T, 36.5, 36.6, 36.4, 36.55, 1200],
        [T + 60_000, 36.55, 36.7, 36.5, 36.6, 800],
      ],
    },
  },
  {
    format: 'tickwright-trades',
    file: 'a.csv',
    text: lines('symbol,tradeId,price,size,side,ts', `BTCUSDT,7,60000.1,0.5,BUY,${T}`),
    rows: { 'BTCUSDT trades': [[T, 7, 60000.1, 0.5, 'BUY']] },
  },
  {
    format: 'tickwright-quotes',
    file: 'a.csv',
    text: lines('symbol,bidPrice,bidQty,askPrice,askQty,ts', `BTCUSDT,60000.1,2,60000.2,3,${T}`),
    rows: { 'BTCUSDT quotes': [[T, 60000.1, 2, 60000.2, 3]] },
  },
  {
    format: 'tickwright-bars',
    file: 'a.csv',
    text: lines('symbol,ts,open,high,low,close,volume', `BTCUSDT,${T},5,7,4,6,10`, `BTCUSDT,${T + 60000},6,6,6,6,0`),
    rows: {
      'BTCUSDT bars': [
        [T, 5, 7, 4, 6, 10],
        [T + 60000, 6, 6, 6, 6, 0],
      ],
    },
  },
  {
    format: 'tickwright-marks',
    file: 'a.csv',
    text: lines('symbol,ts,markPrice', `BTCUSDT,${T},60000.12345678`),
    rows: { 'BTCUSDT marks': [[T, 60000.12345678]] },
  },
  {
    format: 'tickwright-funding',
    file: 'a.csv',
    text: lines('symbol,ts,fundingRate', `BTCUSDT,${T},-0.0001`),
    rows: { 'BTCUSDT funding': [[T, -0.0001]] },
  },
  {
    format: 'binance-spot-trades',
    file: 'BTCUSDT-trades-2025-01-01.csv',
    text: lines(`5,93000.01,0.00123,114.3,${T}123,True,True`, `6,93000.02,0.1,9300.0,${T + 900}999,False,True`),
    rows: {
      'BTCUSDT trades': [
        [T, 5, 93000.01, 0.00123, 'SELL'],
        [T + 900, 6, 93000.02, 0.1, 'BUY'],
      ],
    },
  },
  {
    format: 'binance-spot-aggTrades',
    file: 'BTCUSDT-aggTrades-2024-12-31.csv',
    text: lines(`9,93000.01000000,0.10000000,11,12,${T - 1},True,True`, `10,93000.02,1e-05,13,13,${T},False,True`),
    rows: {
      'BTCUSDT trades': [
        [T - 1, 9, 93000.01, 0.1, 'SELL'],
        [T, 10, 93000.02, 0.00001, 'BUY'],
      ],
    },
  },
  {
    format: 'binance-klines',
    file: 'BTCUSDT-1m-2025-01-01.csv',
    text: lines(
      `${T}000,93000,93100.5,92900,93050,12.5,${T + 59_999}999,1162500,100,6,558000,0`,
      `${T + 60_000}000,93050,93060,93040,93050,1.5,${T + 119_999}999,139575,10,1,93050,0`,
    ),
    rows: {
      'BTCUSDT bars': [
        [T, 93000, 93100.5, 92900, 93050, 12.5],
        [T + 60_000, 93050, 93060, 93040, 93050, 1.5],
      ],
    },
  },
  {
    format: 'binance-klines',
    file: 'ETHUSDT-5m-2024-01.csv',
    text: lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      `${T},3300,3310,3290,3305,100,${T + 299_999},330000,50,40,132000,0`,
      `${T + 300_000},3305,3306,3304,3305,10,${T + 599_999},33050,5,4,13220,0`,
    ),
    rows: {
      'ETHUSDT bars': [
        [T, 3300, 3310, 3290, 3305, 100],
        [T + 300_000, 3305, 3306, 3304, 3305, 10],
      ],
    },
  },
  {
    format: 'binance-markPriceKlines',
    file: 'BTCUSDT-1m-2024-01.csv',
    text: lines(
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
      `${T},93000.12,93001,92999,93000.5,0,${T + 59_999},0,60,0,0,0`,
      `${T + 60_000},93000.5,93001,92999,93000,0,${T + 119_999},0,60,0,0,0`,
    ),
    rows: {
      'BTCUSDT marks': [
        [T, 93000.12],
        [T + 60_000, 93000.5],
      ],
    },
  },
  {
    format: 'binance-usdm-trades',
    file: 'BTCUSDT-trades-2024-01-01.csv',
    text: lines('id,price,qty,quote_qty,time,is_buyer_maker', `5,93000.1,0.002,186.0002,${T},true`),
    rows: { 'BTCUSDT trades': [[T, 5, 93000.1, 0.002, 'SELL']] },
  },
  {
    format: 'binance-usdm-trades',
    file: 'BTCUSDT-trades-2021-01-01.csv',
    text: lines(`5,93000.1,0.002,186.0002,${T},false`),
    rows: { 'BTCUSDT trades': [[T, 5, 93000.1, 0.002, 'BUY']] },
  },
  {
    format: 'binance-usdm-aggTrades',
    file: 'BTCUSDT-aggTrades-2024-01-01.csv',
    text: lines('agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker', `5,93000.1,0.002,7,8,${T},true`),
    rows: { 'BTCUSDT trades': [[T, 5, 93000.1, 0.002, 'SELL']] },
  },
  {
    format: 'binance-usdm-aggTrades',
    file: 'BTCUSDT-aggTrades-2021-01-01.csv',
    text: lines(`5,93000.1,0.002,7,8,${T},false`),
    rows: { 'BTCUSDT trades': [[T, 5, 93000.1, 0.002, 'BUY']] },
  },
  {
    format: 'binance-bookTicker',
    file: 'BTCUSDT-bookTicker-2024-01-01.csv',
    text: lines(
      'update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time',
      `3,93000.1,1.5,93000.2,2.5,${T},${T + 7}`,
    ),
    rows: { 'BTCUSDT quotes': [[T, 93000.1, 1.5, 93000.2, 2.5]] },
  },
  {
    format: 'binance-fundingRate',
    file: 'BTCUSDT-fundingRate-2024-01.csv',
    text: lines('calc_time,funding_interval_hours,last_funding_rate', `${T},8,0.00010000`, `${T + 28_800_000},8,-0.00005312`),
    rows: {
      'BTCUSDT funding': [
        [T, 0.0001],
        [T + 28_800_000, -0.00005312],
      ],
    },
  },
  {
    format: 'bybit-trades',
    file: 'BTCUSDT2024-01-01.csv',
    text: lines(
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
      `${T / 1000 + 2}.25,BTCUSDT,Sell,0.5,93002,MinusTick,c2a0f1f6-93f6-5ee6-9d1b-0a8b1e1c6a33,4.6501e+12,0.5,46501`,
      `${T / 1000 + 1}.1234,BTCUSDT,Buy,0.25,93001,PlusTick,b2a0f1f6-93f6-5ee6-9d1b-0a8b1e1c6a33,2.32e+12,0.25,23250.25`,
      `${T / 1000}.0,BTCUSDT,Buy,0.001,93000,PlusTick,a2a0f1f6-93f6-5ee6-9d1b-0a8b1e1c6a33,9.3e+09,0.001,93`,
    ),
    rows: {
      'BTCUSDT trades': [
        [T, 0, 93000, 0.001, 'BUY'],
        [T + 1123, 1, 93001, 0.25, 'BUY'],
        [T + 2250, 2, 93002, 0.5, 'SELL'],
      ],
    },
  },
  {
    format: 'bybit-spot-trades',
    file: 'BTCUSDT_2024-01-01.csv',
    text: lines('id,timestamp,price,volume,side', `1,${T},93000.1,0.01,buy`, `2,${T + 1},93000,0.02,sell`),
    rows: {
      'BTCUSDT trades': [
        [T, 1, 93000.1, 0.01, 'BUY'],
        [T + 1, 2, 93000, 0.02, 'SELL'],
      ],
    },
  },
  {
    format: 'bybit-trades',
    file: 'ATOMUSDT2025-09-02.csv.gz',
    text: gzipSync(
      lines(
        'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional,RPI',
        `${T / 1000}.5983,ATOMUSDT,Buy,0.1,4.393,PlusTick,5e580a5e-b412-5c7b-bb94-edef31ee0d0c,4.393e+07,0.1,0.4393,0`,
        `${T / 1000 + 1}.25,ATOMUSDT,Sell,0.2,4.392,ZeroMinusTick,6e580a5e-b412-5c7b-bb94-edef31ee0d0c,8.784e+07,0.2,0.8784,1`,
      ),
    ),
    rows: {
      'ATOMUSDT trades': [
        [T + 598, 0, 4.393, 0.1, 'BUY'],
        [T + 1250, 1, 4.392, 0.2, 'SELL'],
      ],
    },
  },
  {
    format: 'bybit-spot-trades',
    file: 'PEPEUSDT_2025-09-02.csv.gz',
    text: gzipSync(lines('id,timestamp,price,volume,side,rpi', `1,${T},0.000009461,18057687,buy,0`, `2,${T + 1},0.00000946,18057,sell,1`)),
    rows: {
      'PEPEUSDT trades': [
        [T, 1, 0.000009461, 18057687, 'BUY'],
        [T + 1, 2, 0.00000946, 18057, 'SELL'],
      ],
    },
  },
  {
    format: 'okx-trades',
    file: 'BTC-USDT-trades-2026-09-01.zip',
    text: zipOf({
      'BTC-USDT-trades-2026-09-01.csv': lines(
        'instrument_name,trade_id,side,price,size,created_time,source',
        `BTC-USDT,6001,buy,42800.1,0.01,${T},0`,
        `BTC-USDT,6002,sell,42800.2,0.02,${T + 500},1`,
      ),
    }),
    rows: {
      'BTCUSDT trades': [
        [T, 6001, 42800.1, 0.01, 'BUY'],
        [T + 500, 6002, 42800.2, 0.02, 'SELL'],
      ],
    },
  },
  {
    format: 'okx-trades-old',
    file: 'BTC-USDT-aggtrades-2023-04-23.zip',
    text: zipOf({
      'BTC-USDT-aggtrades-2023-04-23.csv': lines(
        'trade_id/交易id,side/交易方向,size/数量,price/价格,created_time/成交时间',
        `719977054,buy,0.00527188,84760.0,${T}`,
      ),
    }),
    rows: { 'BTCUSDT trades': [[T, 719977054, 84760, 0.00527188, 'BUY']] },
  },
  {
    format: 'okx-candlesticks',
    file: 'BTC-USDT-candlesticks-2024-01.zip',
    text: zipOf({
      'BTC-USDT-candlesticks-2024-01.csv': lines(
        'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm',
        `BTC-USDT,42800,42810.5,42799,42805,3.5,149800,149800,${T},1`,
        `BTC-USDT,42805,42806,42800,42801,1.25,53500,53500,${T + 60_000},1`,
      ),
    }),
    rows: {
      'BTCUSDT bars': [
        [T, 42800, 42810.5, 42799, 42805, 3.5],
        [T + 60_000, 42805, 42806, 42800, 42801, 1.25],
      ],
    },
  },
  {
    format: 'okx-fundingrates',
    file: 'allswap-fundingrates-2024-01-01.csv',
    text: lines(
      'instrument_name,funding_rate,funding_time',
      `BTC-USDT-SWAP,0.0001,${T}`,
      `ETH-USDT-SWAP,-0.00002,${T}`,
      `BTC-USDT-SWAP,0.000084197161,${T + 28_800_000}`,
    ),
    rows: {
      'BTCUSDT funding': [
        [T, 0.0001],
        [T + 28_800_000, 0.000084197161],
      ],
      'ETHUSDT funding': [[T, -0.00002]],
    },
  },
  {
    format: 'cryptodatadownload-bars',
    file: 'Bitstamp_ETHUSD_1h.csv',
    text: lines(
      'https://www.example.com',
      'Unix Timestamp,Date,Symbol,Open,High,Low,Close,Volume ETH,Volume USD',
      `${T + 7_200_000},2025-01-01 02:00:00,ETHUSD,3,4,2,3,1.5,4.5`,
      `${T + 3_600_000},2025-01-01 01:00:00,ETHUSD,2,3,1,3,2.5,6`,
      `${T},2025-01-01 00:00:00,ETHUSD,1,2,1,2,3.5,5`,
    ),
    rows: {
      'ETHUSD bars': [
        [T, 1, 2, 1, 2, 3.5],
        [T + 3_600_000, 2, 3, 1, 3, 2.5],
        [T + 7_200_000, 3, 4, 2, 3, 1.5],
      ],
    },
  },
  {
    format: 'okx-trades',
    file: 'BTC-USDT-trades-2024-01-01.csv',
    text: lines('instrument_name,trade_id,side,price,size,created_time', `BTC-USDT,4,sell,93000.1,0.01,${T}`),
    rows: { 'BTCUSDT trades': [[T, 4, 93000.1, 0.01, 'SELL']] },
  },
  {
    format: 'okx-trades-old',
    file: 'ETH-USDT-trades-2021-10-01.csv',
    text: Buffer.concat([GBK_HEADER, Buffer.from(`4,sell,0.5,3300.5,${T}\n`)]),
    rows: { 'ETHUSDT trades': [[T, 4, 3300.5, 0.5, 'SELL']] },
  },
  {
    format: 'bitget-trades',
    file: 'BTCUSDT_trades_2024-01-01.csv',
    text: lines('trade_id,timestamp,price,side,volume(quote),size(base)', `1098,${T},93000,buy,930,0.01`),
    rows: { 'BTCUSDT trades': [[T, 1098, 93000, 0.01, 'BUY']] },
  },
  {
    format: 'tardis-trades',
    file: 'binance-futures_trades_2025-01-01_BTCUSDT.csv',
    text: lines(
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      `binance-futures,BTCUSDT,${T + 100}000,${T + 200}000,55,buy,93000.1,0.01`,
      `binance-futures,BTCUSDT,${T + 99}000,${T + 201}000,,sell,93000,0.02`,
      `binance-futures,BTCUSDT,${T + 300}000,${T + 301}000,57,unknown,93000.2,0.03`,
    ),
    rows: {
      'BTCUSDT trades': [
        [T + 100, 55, 93000.1, 0.01, 'BUY'],
        [T + 100, 56, 93000, 0.02, 'SELL'],
        [T + 300, 57, 93000.2, 0.03, 'BUY'],
      ],
    },
  },
  {
    format: 'tardis-quotes',
    file: 'binance-futures_quotes_2025-01-01_BTCUSDT.csv',
    text: lines(
      'exchange,symbol,timestamp,local_timestamp,ask_amount,ask_price,bid_price,bid_amount',
      `binance-futures,BTCUSDT,${T + 100}000,${T + 200}000,1.5,93000.2,93000.1,2.5`,
      `binance-futures,BTCUSDT,${T + 101}000,${T + 201}000,,,93000.1,2.5`,
    ),
    rows: { 'BTCUSDT quotes': [[T + 100, 93000.1, 2.5, 93000.2, 1.5]] },
  },
  {
    format: 'tardis-derivative_ticker',
    file: 'binance-futures_derivative_ticker_2025-01-01_BTCUSDT.csv',
    text: lines(
      'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price',
      `binance-futures,BTCUSDT,${T}000,${T + 1}000,${T + 28_800_000}000,0.0001,,100,93000,93001,93000.5`,
      `binance-futures,BTCUSDT,${T + 500}000,${T + 501}000,${T + 28_800_000}000,0.0001,,100,93000,93001,93000.75`,
      `binance-futures,BTCUSDT,${T + 900}000,${T + 901}000,${T + 28_800_000}000,-0.00002,,100,93000,93001,`,
    ),
    rows: {
      'BTCUSDT marks': [
        [T, 93000.5],
        [T + 500, 93000.75],
      ],
      'BTCUSDT funding': [
        [T, 0.0001],
        [T + 900, -0.00002],
      ],
    },
  },
  {
    format: 'cryptodatadownload-bars',
    file: 'Binance_BTCUSDT_1h.csv',
    text: lines(
      'https://www.example.com',
      'Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount',
      `${T + 7_200_000},2025-01-01 02:00:00,BTC/USDT,3,4,2,3,1.5,4.5,9`,
      `${T / 1000 + 3600},2025-01-01 01:00:00,BTC/USDT,2,3,1,3,2.5,6,8`,
      `${T},2025-01-01 00:00:00,BTC/USDT,1,2,1,2,3.5,5,7`,
    ),
    rows: {
      'BTCUSDT bars': [
        [T, 1, 2, 1, 2, 3.5],
        [T + 3_600_000, 2, 3, 1, 3, 2.5],
        [T + 7_200_000, 3, 4, 2, 3, 1.5],
      ],
    },
  },
  {
    format: 'ohlcv-rows',
    file: 'BTC_USDT-5m.json',
    text: JSON.stringify([
      [T, 93000, 93100, 92900, 93050.5, 12.25],
      [T + 300_000, 93050.5, 93060, 93040, 93050, 1e-5],
    ]),
    rows: {
      'BTCUSDT bars': [
        [T, 93000, 93100, 92900, 93050.5, 12.25],
        [T + 300_000, 93050.5, 93060, 93040, 93050, 0.00001],
      ],
    },
  },
  {
    format: 'ohlcv-rows',
    file: 'BTC-USDT.ohlcv.csv',
    text: lines(`${T},1,2,1,2,3.5`, `${T + 60_000},2,3,1,3,2.5`),
    rows: {
      'BTCUSDT bars': [
        [T, 1, 2, 1, 2, 3.5],
        [T + 60_000, 2, 3, 1, 3, 2.5],
      ],
    },
  },
  {
    format: 'archive-trades',
    file: 'BTCUSDT.txt',
    text: lines(`11|93000.1|0.5|${T}|1`, `12|93000|0.25|${T + 5}|0`),
    rows: {
      'BTCUSDT trades': [
        [T, 11, 93000.1, 0.5, 'BUY'],
        [T + 5, 12, 93000, 0.25, 'SELL'],
      ],
    },
  },
];
