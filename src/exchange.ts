/** What tests of any bot import, as 'tickwright/exchange'. */
export { startExchange } from './cli/programs/paper-exchange.ts';
export { Failure, type Problem } from './base/failure/failure.ts';
export type { PaperAccount, PaperExchange, PaperExchangeOptions } from './cli/programs/paper-exchange.ts';
export type { FaultCount, FaultPlanGiven, FaultRuleGiven, LedgerLine, OperatorCommandName } from './run/exchange/exchange-admin.ts';
export type { ExchangeState } from './run/exchange/views/exchange-state.ts';
export type { RequestSummary } from './run/exchange/views/request-counters.ts';
