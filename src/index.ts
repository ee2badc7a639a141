/** The public door: all that a strategy needs, and nothing else is public. */
export { defineStrategy, isStrategy, StrategyError, type AnyStrategy, type StrategyDefinition } from './engine/strategy/define.ts';
export { param, ParamError, type Param, type ParamShape, type ParamValues } from './engine/strategy/params.ts';
export { ema, sma, type Indicator } from './engine/strategy/indicators.ts';
export type {
  Account,
  Amount,
  BarSlice,
  Done,
  BracketPrice,
  ExternalEvent,
  HaltEvent,
  Market,
  ModifyFields,
  OrderEvent,
  OrderNumber,
  OrderFields,
  OrderView,
  PlaceIntent,
  TriggerIntent,
  Position,
  PositionEvent,
  SpotIntent,
  StrategyContext,
  StrategyHandlers,
  StrategyNeeds,
  Trade,
} from './engine/strategy/types.ts';
export type { Bar } from './engine/market/bar.ts';
export type { BarSeries } from './engine/market/series.ts';
