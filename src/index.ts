/** The public API: everything that a strategy needs. No other file is public. */
export {
  defineStrategy,
  isStrategy,
  StrategyError,
  type AnyStrategy,
  type StrategyDefinition,
} from './engine/strategy/definition/define.ts';
export { stored, StateError, type StateShape, type StateValues, type Stored } from './engine/strategy/durable/stored.ts';
export type { Storable } from './engine/strategy/durable/saved-state.ts';
export { param, ParamError, type Param, type ParamShape, type ParamValues } from './engine/strategy/definition/params.ts';
export type { SearchRun } from './report/search-run.ts';
export type { Indicator } from './indicators/core/indicator.ts';
export type { Candle, TopOfBook, TradePrint } from './indicators/core/inputs.ts';
export * from './indicators/table/averages-rows.ts';
export * from './indicators/table/charts-rows.ts';
export * from './indicators/table/flow-rows.ts';
export * from './indicators/table/math-rows.ts';
export * from './indicators/table/momentum-rows.ts';
export * from './indicators/table/oscillators-rows.ts';
export * from './indicators/table/patterns-rows.ts';
export * from './indicators/table/price-rows.ts';
export * from './indicators/table/realised-rows.ts';
export * from './indicators/table/series-rows.ts';
export * from './indicators/table/statistics-rows.ts';
export * from './indicators/table/trend-rows.ts';
export * from './indicators/table/volatility-rows.ts';
export * from './indicators/table/volume-rows.ts';
export type {
  Account,
  BarSlice,
  Done,
  ExternalEvent,
  Fill,
  HaltEvent,
  SignalEvent,
  StrategyContext,
  StrategyHandlers,
  StrategyNeeds,
} from './engine/strategy/definition/types.ts';
export type { Amount, BracketPrice, Market, OrderNumber, OrderView, Position, Trade } from './engine/intents/market-types.ts';
export type {
  LimitFields,
  ModifyFields,
  OrderActions,
  OrderFields,
  PlaceIntent,
  TriggerIntent,
  QuoteFields,
  SpotIntent,
} from './engine/intents/intents.ts';
export type { OrderEvent, OrderEventKind, PositionEvent } from './engine/intents/events.ts';
export { track, type BarFed, type Tracked } from './engine/strategy/definition/tracked.ts';
export type { EnterFields, ManagedTrade, Rung, SizeFields, Target, TradeActions } from './engine/trades/trade-types.ts';
export type {
  Execution,
  ExecutionActions,
  GridFields,
  IcebergFields,
  OcoFields,
  OcoOrder,
  PegFields,
  TwapFields,
} from './engine/trades/executions/execution-types.ts';
export type { ExecutionKind, ExecutionState } from './engine/trades/executions/saved-execution.ts';
export type { TradeExit, TradeState, Trailing } from './engine/trades/saved-trade.ts';
export type { OrderKindName } from './domain/orders/command-traits.ts';
export type { DirectionName, EffectName, MarginModeName, OrderTypeName, SideName, TriggerByName } from './domain/codes.ts';
export type { ExternalAction, ExternalKind } from './domain/messages/external.ts';
export type { LogFields } from './ports/log.ts';
export type { RefusalReason } from './domain/orders/refusals.ts';
export type { Reason } from './domain/orders/outcome.ts';
export type { OrderState } from './domain/orders/order.ts';
export { kellyFraction, riskSize, volatilityTarget, type Odds } from './engine/trades/sizing.ts';
export type { ScheduleRun } from './engine/strategy/durable/schedules.ts';
export type { Bar } from './engine/market/bar.ts';
export type { BarSeries } from './engine/market/series.ts';
