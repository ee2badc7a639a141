/** The page of limits, from the table that configuration, engine and tests read. */
import { LIMIT_KEYS, LIMITS, type Limit, type LimitReach } from '../domain/limits.ts';

const REACHES: Readonly<Record<LimitReach, string>> = {
  symbol: 'each symbol',
  strategy: 'each strategy',
  scope: 'the bot; a symbol or strategy that states its own',
  bot: 'the bot',
};

/** docs/limits.md */
export function limitsPage(): string {
  const rows = LIMIT_KEYS.map((key) => {
    const { fallback, unit, reach, doc, rule }: Limit = LIMITS[key];
    return `| \`risk.${key}\` | \`${String(fallback)}\` | ${unit} | ${REACHES[reach]} | ${doc} | \`${rule}\` |`;
  });
  return `# Limits

<!-- made by \`npm run docs\` from src/domain/limits.ts -->

A limit refuses orders that open, or halts them for a while. Cancels are never stopped. Closing orders are stopped by four limits alone:
\`priceCollar\`, \`maxDistance\`, \`maxOpenOrders\` and \`maxIntentsPerSecond\`. A market order that closes is stopped by the last one alone, and
what \`flatten\` and \`kill\` close by none.

Limits stand in the section \`risk\` of the configuration. They are checked when it is read: a wrong one is told with its line and what to
write. A refused order names the rule of the last column, in the log and to its strategy. A halt shows in \`tickwright status\`, with the
command that ends it.

| Key | Default | Unit | Limits | What it limits | Rule |
|---|---|---|---|---|---|
${rows.join('\n')}

## Units

- **size**: in base coin, \`"0.5"\`; as a value in quote coin, \`"100 USDT"\`; or as a share of the equity, \`"2%"\`.
- **value**: in quote coin, \`"1000"\` or \`"1000 USDT"\`, or as a share of the equity, \`"5%"\`.
- **money**: in quote coin alone.
- **share**: \`"0.02"\` or \`"2%"\`, at most \`"100%"\`.
- **count**: a whole number. **factor**: a number.
- **duration**: milliseconds, \`5000\`, or a text with its unit, \`"5s"\`, \`"2h"\`.
- **hours**: cron expressions, see below.
- **action**: \`halt-opens\`; \`cancel\`, which also cancels resting opening orders; \`flatten\`, which also closes positions.
- \`off\` stands for no limit. A duration that has a default, and an action, cannot be off.

A coin must be the coin of every symbol that the limit holds for. A share of the equity follows the account as it was last read; before
the first read such a limit refuses.

## Limits of one symbol or strategy

Limits of each symbol, and of the bot or a symbol, may differ under \`risk.symbols\`. A spot instrument is \`"spot:BTCUSDT"\`; where it states
no limit it has that of \`BTCUSDT\`. A strategy states its own under \`strategies\`.

\`\`\`yaml
risk:
  maxNotionalOrder: "500 USDT"
  maxDailyLoss: "3%"
  symbols:
    ETHUSDT: { maxNotionalOrder: "2%", maxOpenOrders: 4 }
strategies:
  - file: my.ts
    risk: { maxIntentsPerSecond: 5, tradingHours: "* 8-16 * * MON-FRI" }
\`\`\`

## Spread, slippage and stop-losses

- \`maxSpread\` refuses opens while the spread is too wide, or not known. With \`maxSpreadAction\` \`cancel\` or \`flatten\` the spread is also looked
  at once a second, and the symbol is halted until it is back.
- \`maxSlippage\` compares each fill with the price at the decision. That is the best opposite price when the order was made, or the trigger
  of a trigger order or of an exit at the venue. An order that rests is not judged, and an order counts once.
- \`stoplossGuard\` counts stop-losses that fired at the venue. A close by the strategy itself is not one.

## Hours of trading

\`tradingHours\` takes five fields of cron, in UTC: minute, hour, day of month, month, day of week. Opens are allowed in each minute that
matches; outside, the bot, the symbol or the strategy is halted.

| Expression | Opens are allowed |
|---|---|
| \`"* 8-16 * * MON-FRI"\` | from 8:00 to 16:59:59 on weekdays |
| \`"30-59 9 * * 1-5; * 10-15 * * 1-5"\` | from 9:30 to 15:59:59 on weekdays |
| \`"5-54 * * * *"\` | but for five minutes around each full hour |

A field is \`*\`, a number, a range, a step such as \`*/5\`, or a list of these. Where both day fields are restricted, one of them is enough.
With \`tradingHoursAction\` \`flatten\` positions are closed when the hours end.

## What counts as a loss, and for how long

- \`maxDailyLoss\` of the bot, \`maxDrawdown\` and \`minEquity\` look at the equity of the account. \`maxDailyLoss\` of a symbol or a strategy,
  \`maxConsecutiveLosses\` and \`cooldownAfterLoss\` look at the profit of own orders, less fees.
- The equity is what two reads of the account in a row show. One that is far off is asked for again at once, and alone changes nothing.
- **Money that leaves the account counts as a loss**: no read proves why it left. When you withdraw, type \`tickwright resume\` afterwards; the
  loss counts from there.
- Money that comes in while the bot runs hides no loss: the start of the day and the high grow with it.
- The day begins at 0:00 UTC with the last equity that was known. A clock that goes back begins no day.
- What was counted is in the journal, and in \`FOLDER.losses.json\` beside the store. The worse of both holds. So a restart, a kill, and a
  store that was deleted or put back forget nothing that was counted.
- To start from zero, stop the bot and delete that file as well as the store.
`;
}
