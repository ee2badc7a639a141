/** Figures that every trial has. */
export const USUAL_FIGURES: readonly string[] = [
  'netProfit',
  'totalReturn',
  'sharpe',
  'maxDrawdown',
  'calmar',
  'profitFactor',
  'winRate',
  'trades',
  'fees',
  'turnover',
];
