/** What tests of any bot import, as 'tickwright/exchange'. */
export { startExchange } from './cli/programs/paper-exchange.ts';
export { Failure, type Problem } from './base/failure/failure.ts';
export type { PaperAccount, PaperExchange, PaperExchangeOptions } from './cli/programs/paper-exchange.ts';
