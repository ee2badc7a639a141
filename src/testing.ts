/** What unit tests of strategies import, as 'tickwright/testing'. */
export { testStrategy } from './run/testing/test-strategy.ts';
export type { StrategyTest, StrategyTestOptions, TestFill, TestSignal, VenueAnswer, VenueCommand } from './run/testing/test-strategy.ts';
export type { LoggedLine, SentCommand, SentOrder } from './run/testing/record.ts';
export type { BarRow, MarketRow, QuoteRow, TradeRow } from './run/testing/written-rows.ts';
export type { HeldPosition } from './run/testing/recorded-run.ts';
export { shownFault } from './run/blackbox/fixture.ts';
