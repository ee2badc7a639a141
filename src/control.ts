/** What programs that read or operate a running bot import, as 'tickwright/control'. */
export { connect, Refused } from './run/bot/client/connect-bot.ts';
export { Failure, type Problem } from './base/failure/failure.ts';
export type * from './run/bot/client/client-types.ts';
