/** Reports that a bracket of an own order closed lots at the venue: to journal, log, limits and strategies. */
import { SIDES } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort, formatTicks } from '../../domain/instrument.ts';
import type { Core } from '../state/core.ts';
import type { Bracket, BracketKind } from '../state/records/brackets.ts';
import type { External } from './external.ts';
import type { Leg } from '../state/records/leg.ts';

/** Data of a bracket that fired: price in ticks, money NaN if the venue does not show it. */
interface Exit {
  readonly lots: number;
  readonly price: number;
  readonly realised: number;
  readonly fee: number;
  readonly venueId: string;
}

/** Called after the leg has been updated. */
export function reportBracket(core: Core, external: External, leg: Leg, bracket: Bracket, kind: BracketKind, exit: Exit): void {
  const { lots, price, realised, fee, venueId } = exit;
  const instrument = core.instruments[bracket.instrument]!;
  const { strategy, reason, seq } = bracket;
  const owner = core.owners.find(({ name }) => name === strategy) ?? core.nobody;
  core.losses.closedExternally(leg, lots, price, realised - Math.abs(fee), owner);
  core.brackets.fired(bracket, lots);
  const isLimited = (kind === 'stop-loss' ? bracket.stopLossLimit : bracket.takeProfitLimit) > 0;
  if (Number.isNaN(realised)) external.bookUnknownResult(leg, lots);
  const trigger = kind === 'stop-loss' ? bracket.stopLoss : bracket.takeProfit;
  if (core.guards.isOn) {
    const bracketFired = { seq, isStop: kind === 'stop-loss', trigger: isLimited ? 0 : trigger, price };
    core.guards.bracketFired(core.contexts[bracket.instrument]!, bracket.side, owner, bracketFired);
  }
  const money = Number.isNaN(realised) ? {} : { profit: formatMoneyShort(realised), fee: formatMoneyShort(fee) };
  const facts = {
    strategy,
    symbol: instrument.symbol,
    side: SIDES[bracket.side],
    what: kind,
    trigger: formatTicks(trigger, instrument),
    size: formatLots(lots, instrument),
    price: price > 0 ? formatTicks(Math.round(price), instrument) : null,
    ...money,
    position: formatLots(leg.total, instrument),
    reason,
  };
  core.journal.fired(seq, kind, lots, Math.round(price), venueId, core.now, facts);
  core.log.info('exit', { seq, ...facts });
  core.strategyEvents.exit(leg, -lots, kind, price, realised, seq, owner);
  core.onBracket(strategy, bracket.instrument, seq, kind, lots, price);
}
