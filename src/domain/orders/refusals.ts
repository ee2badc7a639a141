/**
 * The reasons why an intent is refused before it reaches the venue. docs/reference/limits.md is generated from these tables and that of the
 * limits.
 */
import type { LimitRule } from '../limits.ts';

/** Rules that no limit sets, with what they refuse. */
export const FIXED_RULES = {
  standing:
    'The bot is not armed yet, or it stops; or a halt covers the order: `tickwright status` lists halts. While a position is flattened, limit orders do not close it',
  universe: 'The strategy opens in a symbol that its universe does not have now',
  'known-position': 'Position reads and proven fills disagree about the size of the leg; nothing is opened until they agree',
  'close-size':
    'All live closing orders of a leg together would close more than its position, for example beside resting targets of a managed trade',
  'exit-side': 'A stop-loss or take-profit lies on the wrong side of the entry price',
} as const;

/** Mistakes in the intent itself. */
export const INTENT_FAULTS = {
  'bad-amount': 'A price or size is not a number above 0, or the size cannot be computed',
  'bad-side': 'The side or effect is not one of its words',
  'bad-trade':
    'A field of `ctx.enter`, `ctx.sizeFor`, `trade.trail`, `trade.add` or `trade.reduce` is unknown or wrong, or the trade is over',
  'bad-execution': 'A field of `ctx.twap`, `ctx.iceberg`, `ctx.peg`, `ctx.oco` or `ctx.grid` is wrong',
  'unknown-field': 'An intent, or an object in it, has a field that does not exist',
  'wrong-product': 'A futures order for a spot market, or a spot order for a futures market',
  margin: '`ctx.ensureMargin` where the leg has no position, or its margin mode is CROSS',
  'margin-mode': '`ctx.setMarginMode` while the market has a position or a live order',
  'modify-after-fill': '`ctx.modify` of an order that is partly filled: cancel it and place a new one',
  'nothing-to-modify': '`ctx.modify` to the price and size that the order has',
} as const;

/** Names of the risk rules. */
export type RuleName = LimitRule | keyof typeof FIXED_RULES;

/** A mistake in the intent itself. */
export type IntentFault = keyof typeof INTENT_FAULTS;

/** The reason of an order that never reached the venue, as far as is known. */
export type RefusalReason = RuleName | IntentFault | 'unsent' | 'presumed-not-landed' | 'settled-by-hand';

/**
 * Refusals that are no fault of the strategy, by what they follow from. `bot`: the state of the bot, which has checks of its own in `why`.
 * `market`: the market, the time or the venue. `position`: what the account holds, which another text of the strategy would meet as well.
 */
export const FOLLOWS_FROM: Readonly<Partial<Record<RuleName, 'bot' | 'market' | 'position'>>> = {
  standing: 'bot',
  'known-position': 'bot',
  'stale-data': 'bot',
  'refusal-circuit': 'market',
  'price-unconfirmed': 'market',
  'max-spread': 'market',
  'trading-hours': 'market',
  universe: 'market',
  cooldown: 'market',
  'max-position': 'position',
  'max-notional-position': 'position',
  'max-notional-total': 'position',
  'max-leverage': 'position',
};
