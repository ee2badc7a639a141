/**
 * The fields of a recorded session that a black box may hold, and what is done with each. A field that is not here is left out, and a text that
 * is not allowed by its row becomes a number of its own.
 */
import { ENDPOINT_LIST } from '../../contract/endpoints/endpoints.ts';
import { HALT_CODES } from '../../engine/state/events/halt-codes.ts';
import { LIMIT_ACTIONS } from '../../domain/limits.ts';
import { EMPTY_CAUSES, KEY_REFUSED_CAUSES, UNREACHABLE_CAUSES } from '../../ports/venue.ts';

/**
 * plain: numbers and switches as they are, texts only if they are words of this program.
 * time, second, hour, day: a time in that unit, which is shifted. times: the same in each entry of a map.
 * id, trade, client: an id, which is numbered. identity: the name of the bot.
 * name: a symbol, a scope or the name of a strategy. map: as plain, and its keys are names.
 * amount: a decimal, with a coin or a percent sign. given: values of parameters by name, or by strategy and name.
 * reason: what a strategy gave as its reason: words of its text and numbers stay, other words are numbered one by one. text: free text.
 * state: what a strategy saved, as JSON text. file: the path of a strategy. release: the number of a version.
 */
export type FieldRule =
  | 'plain'
  | 'time'
  | 'second'
  | 'hour'
  | 'day'
  | 'id'
  | 'trade'
  | 'client'
  | 'name'
  | 'amount'
  | 'map'
  | 'times'
  | 'given'
  | 'state'
  | 'file'
  | 'reason'
  | 'text'
  | 'identity'
  | 'release';

const BY_RULE: Readonly<Record<FieldRule, string>> = {
  time: `startedAt at sentAt venueTime createdAt updatedAt endedAt since until time bookedAt provenAt agreedUpTo expiresAt retryAt movedAt startsAt
    endsAt formerUntil openedAt rebalancedAt sampledAt takenAt arrivedAt filledAt entryTime to start end untraced journalEnd knownUntil from`,
  second: 'epoch lostUpTo seen',
  hour: 'highs',
  day: 'day',
  id: 'venueId targetVenueId rest explained toldIds withdrawals id booked',
  trade: 'tradeId known before',
  client: 'clientId closes',
  name: 'symbol scope strategy names leaving quoteCoin baseCoin coin product joined left name exclude',
  amount: `tickSize lotSize maxOrderSize maxPosition maxNotionalOrder maxNotionalPosition maxNotionalTotal maxLeverage priceCollar maxPriceJump maxDistance
    maxSpread maxStopDistance maxSlippage maxOrdersPerMinute maxDailyLoss maxDrawdown minEquity maxConsecutiveLosses haltFor stoplossGuard
    cooldownAfterLoss liquidationBuffer tradingHours equityDropShare maxOpenOrders toSize trigger limit takeProfit stopLoss value cron
    makerFeeRate takerFeeRate fundingRate minNotional others entry`,
  given: 'params symbols',
  times: 'cool stops slips',
  map: `scopes open modes state schedules executions trades reloads universes terms strategies limits allocation guards funding refused
    configured risk added`,
  state: 'saved',
  file: 'file',
  identity: 'bot',
  reason: 'reason',
  text: 'by why detail message error text status_ toAddress sha256',
  release: 'tickwright node',
  plain: `kind version config seed poll external orderValidityMs orderHorizonMs listLagMs historyPages barSpeed onStrategyStop strategyGuard
    handlerLimitMs recovery unknownOwnOrders instruments identity ids epochs from isNewJournal snapshot isInside query answer body sum count seq target trade
    instrument side effect type price size force marginMode triggerBy takeProfitLimit stopLossLimit validMs rejection command bars askPrice askSize quotes
    bid bidSize ask askSize stats last high low volume trades aggressor isFalling account equity available locked unrealised longLeverage shortLeverage orders
    status filled averagePrice fee realised pending history positions total opening entryPrice margin leverage markPrice liquidationPrice unruled code
    endpoint row httpStatus of param name_ confirmed isOn position nextSeq lostTriggers watch brackets halts losses legs marginSteps worth profit
    replaces repeats absent own unexplained money base doubt entries balance dayStart streak lots holdings leg entryValue fills fees parts capital
    unshared sampled returns asked former long short mode adopted lines postOnly plan child part priced most enteredLots exitedLots pricedLots stopAway venueStop reducedLots maxHoldMs isUncertain bracketed refusals slices minLots used show offset
    step everyMs isBuy isPostOnly legs_ isShared chosen levels rounds resting opens exits held best worst stop bracket trailing breakEven after plus targets
    reduces closing away share order distance percent period stats account positions orders isPositions quotes accountRead withdrawalsRead
    isDeclared isOwn closedAhead amount slips stops index priceDecimals sizeDecimals tickStep priceScale lotStep sizeScale unitValue minSize maxSize tiers maxRate mmr upTo
    top every window minAge leave universe set declared number open close length timeframe staleAfterMs maxPositionAgeMs maxAccountAgeMs
    maxIntentsPerSecond maxSameRefusals maxSlippageFills maxSlippageWindow stoplossGuardWindow maxSpreadAction maxSlippageAction tradingHoursAction
    maxDailyLossAction maxDrawdownAction minEquityAction maxConsecutiveLossesAction stoplossGuardAction liquidationBufferAction liquidation withdrawal
    transfer equityDrop marginModeChange offline since_ limit_ public private since loss stopLosses method rule maxLeverageTier maintenance value_
    maintenanceRate from_ ceiling floor maxNotional rate deduction`,
};

export const FIELD_RULES: ReadonlyMap<string, FieldRule> = new Map(
  (Object.entries(BY_RULE) as [FieldRule, string][])
    .toReversed()
    .flatMap(([rule, names]) => names.split(/\s+/).map((name) => [name, rule] as const)),
);

/** Texts that this program writes itself. Those of a venue become one of them before they are recorded, or are free text. */
export const OWN_WORDS: ReadonlySet<string> = new Set([
  '',
  // Reasons and codes of rejections of the interface.
  ...ENDPOINT_LIST.flatMap(({ name, errors }) => [name, ...errors.flatMap(({ reason, code }) => [reason, code])]),
  ...Object.keys(HALT_CODES),
  ...LIMIT_ACTIONS,
  ...EMPTY_CAUSES,
  ...KEY_REFUSED_CAUSES,
  ...UNREACHABLE_CAUSES,
  ...`quotes stats trades account pending history positions withdrawals spot-symbols open partial filled cancelled ended unknown
    futures spot LONG SHORT OPEN CLOSE BUY SELL CROSS ISOLATED bot off on halt adopt ignore cancel keep flatten kill cancel-all cancel-opens
    resume reduce-only rehearse settle signal set reload add remove added removed add-strategy remove-strategy import-closes timeout connection-reset stopped aborted expired rate-limited
    unavailable maintenance gateway-page venue-fault invalid-json twap iceberg peg oco grid mid bid ask done working closed closing entering
    public private order listing position margin spot-order withdrawal close poll`.split(/\s+/),
]);
