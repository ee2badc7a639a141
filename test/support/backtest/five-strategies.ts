/** The five strategies of the gallery that people come with, and parameters with which each trades within a minute. */
export const FIVE = {
  'rsi-atr': { bar: '1s', period: 3, low: 45, risk: 0.01, stop: 10, target: 10 },
  bollinger: { bar: '2s', period: 10, width: 1, size: '0.01', stop: 0.1, trail: 0.05, hold: '20s' },
  'safety-grid': { step: 0.01, profit: 0.01, stop: 0.2 },
  pairs: { bar: '2s', period: 10, enter: 1 },
  'trend-filter': { entry: '1s', filter: '10s', channel: 5, trend: 3, size: '0.01', trail: 0.01 },
} as const;

export type FiveName = keyof typeof FIVE;
export const FIVE_NAMES = Object.keys(FIVE) as FiveName[];
