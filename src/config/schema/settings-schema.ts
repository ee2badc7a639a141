/**
 * The schema of the configuration: every key with its type, range and one line of documentation. Defaults are in defaults.ts. Loaded only
 * if a file, a variable or `--set` sets a key.
 * size: one entry per key.
 */
import * as z from 'zod';
import { SWITCH_LIST, type Switch, type SwitchName } from '../../contract/switches.ts';
import { shareOf } from '../../domain/amount.ts';
import { LIMIT_KEYS, STRATEGY_LIMIT_KEYS, SYMBOL_LIMIT_KEYS } from '../../domain/limits.ts';
import { SEVERITIES } from '../../base/tables/alert-channels.ts';
import { ALERT_RULES } from '../../base/tables/alert-rules.ts';
import { DURATION_PATTERN, durationOf } from '../../base/time/duration.ts';
import { ALLOCATIONS, type AllocationName } from '../../domain/allocation.ts';
import { faultOfCron } from '../../domain/time/cron.ts';
import { EXTERNAL_KINDS, type ExternalAction, type ExternalKind } from '../../domain/messages/external.ts';
import { faultOfHours } from '../../domain/time/hours.ts';
import { RESERVED_NAMES, STRATEGY_NAME, STRATEGY_NAME_PATTERN } from '../../domain/strategy-name.ts';
import { FEE_MODELS } from '../../domain/models/fees.ts';
import { FILL_MODELS } from '../../domain/models/fill.ts';
import { FUNDING_MODELS } from '../../domain/models/funding.ts';
import { IMPACT_MODELS } from '../../domain/models/impact.ts';
import { LATENCY_MODELS } from '../../domain/models/latency.ts';
import { DIALECT_NAMES } from '../../venue/names.ts';
import { checkBaseUrl } from './base-url.ts';
import { DEPOSIT, isDeposit } from './deposit.ts';
import { limitsOf } from './limit-schemas.ts';
import { READY_MADE } from '../../domain/ready-made.ts';
import { universeSchema } from './universe-section.ts';
import {
  whole,
  durationString,
  millis,
  DECIMAL,
  SHARE,
  decimal,
  text,
  fileName,
  word,
  section,
  model,
  fundingRate,
  TIERS,
  SPEED,
  coins,
  feeRate,
  positive,
  share,
  orTape,
  TRADED,
  SYMBOL,
  COIN,
} from './value-schemas.ts';

/** The schema of a switch of the paper exchange, from its table row. */
const switchSchema = (one: Switch): z.ZodType => {
  switch (one.kind) {
    case 'choice':
      return z.literal([...one.choices], { error: `one of ${one.choices.join(', ')}` });
    case 'flag':
      return z.boolean({ error: 'true or false' });
    case 'number':
      return one.unit === 'ms' ? millis(one.min, one.max) : whole(one.min, one.max);
  }
};
const switches = Object.fromEntries(SWITCH_LIST.map((one) => [one.name, switchSchema(one).describe(one.doc)])) as Record<
  SwitchName,
  z.ZodType
>;

const LEGS = 'the leverage of both legs, such as { long: 10, short: 5 }';
const SECONDS = 'milliseconds, whole seconds from 1000 to 86400000, or a duration such as "8h"';
const HOURS = 'cron expressions of five fields, in UTC, such as "* 22-23,0-6 * * *", joined by ";"; or ""';
const ALLOCATION_NAMES = Object.keys(ALLOCATIONS) as [AllocationName, ...AllocationName[]];
const ALLOCATION_DOCS = ALLOCATION_NAMES.map((name) => `${name} (${ALLOCATIONS[name]})`).join(', ');
const ALLOCATION = `one of ${ALLOCATION_NAMES.join(', ')}, or shares by strategy such as { trend: "0.6", quoter: "0.4" }`;
const REBALANCE = 'a duration from 1m to 365d such as "1d", or a cron expression of five fields such as "0 0 * * 1"';
const isRebalance = (given: string): boolean => {
  if (!DURATION_PATTERN.test(given)) return faultOfCron(given) === null;
  const ms = durationOf(given);
  return Number.isInteger(ms) && ms >= 60_000 && ms <= 31_536_000_000;
};

const DROP_SHARE = 'a share above 0 and below 1 in quotes, such as "0.5" or "50%"';

/** Actions by kind of external event, from their table. */
const external = Object.fromEntries(
  Object.entries(EXTERNAL_KINDS).map(([kind, { doc }]) => [kind, word('halt', 'adopt', 'ignore').describe(`Action when ${doc}`)]),
) as unknown as Record<ExternalKind, z.ZodType<ExternalAction>>;

const ENTRY = `a strategy: file, or strategy with one of ${READY_MADE.join(', ')}; and if need be name, symbols or universe, params and risk`;
const strategy = z
  .strictObject(
    {
      file: fileName('a strategy file').min(1, { error: 'the path of a strategy file' }).optional(),
      strategy: word(...READY_MADE).optional(),
      name: text(STRATEGY_NAME, STRATEGY_NAME_PATTERN)
        .refine((name) => !RESERVED_NAMES.has(name), { error: `a name other than ${[...RESERVED_NAMES].join(', ')}` })
        .optional(),
      symbols: z.array(TRADED, { error: 'a list of symbols' }).optional(),
      universe: universeSchema.optional(),
      params: z
        .record(
          text('a parameter name', /^[A-Za-z][A-Za-z0-9_]{0,63}$/),
          z.union([z.string(), z.number(), z.boolean()], { error: 'text, a number, true or false' }),
          {
            error: 'parameters by name',
          },
        )
        .optional(),
      risk: section(limitsOf(STRATEGY_LIMIT_KEYS)).optional(),
    },
    { error: ENTRY },
  )
  .refine(({ file, strategy: name }) => (file === undefined) !== (name === undefined), { error: ENTRY })
  .meta({ oneOf: [{ required: ['file'] }, { required: ['strategy'] }] });

export const settingsSchema = section({
  bot: text('1 to 8 letters or digits', /^[A-Za-z0-9]{1,8}$/).describe('Name of the bot: every client order id begins with it'),
  seed: whole(0, Number.MAX_SAFE_INTEGER).describe('Seed of all randomness'),
  logLevel: word('debug', 'orders', 'info', 'warn', 'error').describe(
    'Lowest level of log lines that are written; `orders` is info with a line for each order that is placed, moved or cancelled',
  ),
  statusIntervalMs: millis(100, 60_000).describe('Time between two updates of the status line'),
  orderValidityMs: millis(1).describe('A command that could not be sent within this time is dropped'),
  orderHorizonMs: millis(1_000).describe(
    'An order of unknown outcome that no read has shown for this long, and for listLagMs more, counts as not landed; at least listLagMs',
  ),
  listLagMs: millis(1_000).describe(
    'Longest delay of a list of the venue: a difference that reads show for longer, and that no order explains, is accepted as real',
  ),
  data: z
    .array(fileName('the folder of a tape').min(1, { error: 'the folder of a tape' }), { error: 'a list of folders' })
    .describe('Tapes from which strategies get past bars at the start, used after the own recording (`record.tape`)'),
  historyPages: whole(0, 100_000).describe(
    'Pages of 1,000 past trades per symbol that are read at the start, for strategies that wait for bars; 0 for none',
  ),
  barSpeed: z
    .number({ error: SPEED })
    .min(0.001, { error: SPEED })
    .max(10_000, { error: SPEED })
    .describe(
      'How many times as fast as real time the market moves: a bar of `15m` lasts 15 minutes divided by it. For a paper exchange with `--speed`; `start` takes its own `--speed`',
    ),
  onStrategyStop: word('keep', 'cancel', 'flatten').describe(
    'When a strategy is stopped for its errors: keep its orders; cancel them; or flatten, which also closes its positions',
  ),
  strategyGuard: word('on', 'off').describe(
    'Keep strategies from the clock, chance, timers, files and network of this process: it stops accidents, not attacks',
  ),
  handlerLimitMs: millis(100, 600_000).describe(
    'A handler that does not return within this time ends the process; backtests allow five times as much',
  ),
  instruments: fileName('the file of instruments').describe('File of instruments: symbols, tick and lot sizes, fees'),
  limits: fileName('the file of rate limits').describe('File of rate limits: requests per second by bucket'),
  strategies: z
    .array(strategy, { error: 'a list of strategies' })
    .describe(
      `Strategies: file, or strategy (${READY_MADE.join(', ')}), name (none = that of the file), symbols (none = all) or universe, params, risk`,
    ),
  allocation: section({
    by: z
      .union([word(...ALLOCATION_NAMES), z.record(z.string().min(1).max(64), share())], { error: ALLOCATION })
      .describe(`Equity that each strategy sees for its sizes: ${ALLOCATION_DOCS}, or shares by strategy, at most 1 together`),
    rebalance: z
      .string({ error: REBALANCE })
      .refine((given) => isRebalance(given), { error: REBALANCE })
      .describe('When the equity is divided again: a duration from 1m on, or a cron expression in UTC such as "0 0 * * 1"'),
  }),
  venue: section({
    baseUrl: z
      .string({ error: 'a URL such as "https://api.example.com"' })
      .superRefine((value, ctx) => {
        const fault = value === '' ? null : checkBaseUrl(value);
        if (fault !== null) ctx.addIssue({ code: 'custom', message: fault });
      })
      .describe('Address of the venue: https, or http on loopback'),
    dialect: word(...DIALECT_NAMES).describe('What the venue and the paper exchange speak: endpoints, fields, error codes'),
    signedPrefix: text('a path such as "/api/v1", or ""', /^(\/[A-Za-z0-9_.-]+)*$/).describe(
      'Path prefix that is part of what is signed, which the dialect interface leaves open',
    ),
    marginModeWord: word('CROSS', 'CROSSED').describe('Word sent for cross margin'),
    timeoutMs: millis(100, 120_000).describe('Longest wait for an answer'),
    credentials: fileName('a credentials file').describe(
      'File with key, secret and passphrase, mode 0600; "keystore:FILE#NAME", made by `tickwright keys`; "fd:3" for a descriptor; or TICKWRIGHT_KEY, _SECRET, _PASSPHRASE',
    ),
  }),
  poll: section({
    quotes: millis(10).describe('Time between two reads of the best bid and ask'),
    trades: millis(10).describe('Time between two reads of trades, per symbol'),
    orders: millis(10).describe('Time between two reads of open orders'),
    positions: millis(10).describe('Time between two reads of positions'),
    account: millis(10).describe('Time between two reads of the account'),
    stats: millis(10).describe('Time between two reads of the 24-hour figures'),
    withdrawals: millis(1_000).describe('Time between two reads of withdrawals, which detect a theft'),
  }),
  risk: section({
    ...limitsOf(LIMIT_KEYS),
    symbols: z
      .record(TRADED, section(limitsOf(SYMBOL_LIMIT_KEYS)), { error: 'limits by symbol' })
      .describe('Limits that differ, by symbol'),
  }),
  external: section({
    ...external,
    equityDropShare: z
      .string({ error: DROP_SHARE })
      .refine((given) => shareOf(given) > 0 && shareOf(given) < 1, { error: DROP_SHARE })
      .describe('Fall of the equity within 24 hours, as a share, that counts as an event'),
  }),
  store: section({
    kind: word('embedded', 'redis', 'memory').describe('Where state is kept'),
    folder: fileName('a folder').describe('Folder of the embedded store'),
    url: text('an address such as "redis://127.0.0.1:6379", or ""', /^(rediss?(-sentinel)?:\/\/\S+)?$/).describe(
      'Address of the redis store: `redis://` or `redis-sentinel://`; `rediss` for TLS',
    ),
    acceptPlaintext: z.boolean({ error: 'true or false' }).describe('Allow an unencrypted connection to a Redis on another machine'),
    acceptReplicaLoss: z
      .boolean({ error: 'true or false' })
      .describe('Open without waiting until a replica of Redis has the record: a failover may then lose it'),
    outageMs: millis(0, 600_000).describe('How long a running bot waits for a lost Redis: opens stop, reads and cancels go on'),
    keepDays: whole(1, 36_500).describe(
      'Age in days at which records of orders and fills are dropped from the archive of the embedded store; `pnl` keeps the sums of their days',
    ),
  }),
  recovery: section({
    unknownOwnOrders: word('adopt', 'cancel', 'halt').describe(
      'Live orders with our name that the journal does not know: keep and track them, cancel them, or halt opens until a person resumes',
    ),
  }),
  control: section({
    port: whole(0, 65_535).describe('Port on 127.0.0.1 for the control routes, with a token; 0 = only the socket in the store folder'),
  }),
  watchdog: section({
    start: word('live', 'off', 'bot', 'apart').describe(
      'Who starts the watchdog, which cancels the opening orders of a bot that hangs or is gone: the bot, on a remote venue; nobody; the bot; or a process manager, with `tickwright watchdog`',
    ),
    silenceMs: millis(1_000).describe(
      'The watchdog acts if the bot has not advanced for so long; longer than a restart takes, which with Redis is 20 s',
    ),
    flattenAfterMs: millis(0).describe(
      'The positions of the bot are closed too if it has not advanced for so long; at least silenceMs, and longer than a start takes; 0 = never',
    ),
    resume: word('operator', 'restart').describe(
      'What ends the halt that it leaves: a person, by `tickwright resume`, or the next start of the bot',
    ),
    credentials: fileName('a credentials file').describe(
      'File of credentials of its own, or "keystore:FILE#NAME", of a key that may read and cancel, and trade with flattenAfterMs; "" = those of the bot',
    ),
  }),
  monitor: section({
    enabled: word('start', 'always', 'never').describe(
      'When the bot starts the process that shows it in a browser and sends alerts: with `tickwright start`, and with `run` if alerts.file is set; always; or never',
    ),
    port: whole(0, 65_535).describe('Port of the dashboard on 127.0.0.1; 0 = the system chooses one at each start'),
  }),
  webhooks: section({
    file: fileName('the file of webhooks').describe(
      'Private file of those outside who may say something to strategies, mode 0600, for `tickwright webhooks`; "" = nobody',
    ),
    start: word('bot', 'apart').describe(
      'Who starts `tickwright webhooks` if `webhooks.file` is set: the bot, which starts it again when it dies, or somebody apart from it',
    ),
  }),
  alerts: section({
    file: fileName('the file of alerts').describe('Private file of the channels that are told, mode 0600; "" = nobody is told'),
    rules: z
      .partialRecord(word(...(Object.keys(ALERT_RULES) as [string, ...string[]])), word(...SEVERITIES, 'off'), {
        error: 'severities by rule, such as { fill: info, disk: off }',
      })
      .describe('Severities that differ from those of the rules, by rule; off = it is not told'),
    quietHours: z
      .string({ error: HOURS })
      .refine((given) => given === '' || faultOfHours(given) === null, { error: HOURS })
      .describe(
        'Hours in which only critical alerts are told at once, as cron expressions in UTC such as "* 22-23,0-6 * * *"; the rest follows as one digest; "" = none',
      ),
    collapseMs: millis(1_000, 86_400_000).describe('The same alert within this time is one message with a count'),
    escalateAfterMs: millis(1_000, 86_400_000).describe(
      'A critical alert that still holds, or was not acknowledged, after this time goes to the channels with `escalation: true`',
    ),
    divergenceBp: whole(1, 10_000).describe(
      'Basis points of what was traded in a day by which its backtest may be off before that is told (`report divergence --daily`)',
    ),
  }),
  record: section({
    enabled: z
      .boolean({ error: 'true or false' })
      .describe('Record every event of a live session, so that `tickwright replay` can repeat it; beside the store, in "sessions"'),
    maxMegabytes: whole(1, 1_000_000).describe(
      'Largest size of all recordings of the bot: the oldest sessions are deleted, and the recording of a session that alone exceeds it stops',
    ),
    maxDays: whole(1, 3650).describe('Recordings are deleted this many days after their end'),
    answers: z
      .boolean({ error: 'true or false' })
      .describe("Record the bodies of the venue's answers as well, for `tickwright replay --answers`; credentials are cut out of them"),
    tape: fileName('a folder').describe(
      'Folder of a tape of what the polls show: quotes, trades, mark prices; "" = none. `--record` sets it',
    ),
  }),
  simulation: section({
    upMs: millis(0, 60_000).describe('Simulated latency from us to the venue'),
    downMs: millis(0, 60_000).describe('Simulated latency from the venue to us'),
    latency: section({
      model: model(LATENCY_MODELS, 'Delay of a message in a backtest'),
      jitterMs: millis(0, 60_000).describe('Additional delay of the model: its largest, or its mean'),
      spikeChance: share().describe('Share of the messages that are late, for a model that has them'),
      spikeMs: millis(0, 60_000).describe('Additional delay of a late message'),
      file: fileName('the file of delays').describe(
        'File of measured delays: a JSON list of milliseconds, or what calibrate writes; "" = none',
      ),
    }),
    fillModel: model(FILL_MODELS, 'When a resting order fills'),
    fees: section({
      model: model(FEE_MODELS, 'Fees in a backtest'),
      tiers: z
        .array(z.strictObject({ from: coins, maker: feeRate, taker: feeRate }, { error: TIERS }), { error: TIERS })
        .describe(
          'Fee tiers by ascending volume of 30 days, in whole quote coins: `{ from: "1000000", maker: "0.0001", taker: "0.0004" }`',
        ),
      volume: coins.describe('Volume of the 30 days before the backtest, in whole quote coins'),
    }),
    impact: section({
      model: model(IMPACT_MODELS, 'How much worse than the displayed price an order that takes is filled'),
      coefficient: orTape(decimal(), DECIMAL).describe(
        'Coefficient of the model square-root, about 1; tape = measured on the tape of a backtest',
      ),
      volatility: orTape(share(), SHARE).describe('Standard deviation of the return of a day, for the model square-root; or tape'),
      turnover: orTape(positive(), DECIMAL).describe('Turnover of the market in a day in quote coin, for the model square-root; or tape'),
    }),
    deposits: z
      .record(COIN, decimal().refine(isDeposit, { error: `${DEPOSIT}, in quotes` }), { error: 'amounts by coin' })
      .describe('Opening balances by coin'),
    leverage: whole(1, 500).describe('Leverage of every leg; at most what the instrument allows'),
    leverages: z
      .record(SYMBOL, z.strictObject({ long: whole(1, 500), short: whole(1, 500) }, { error: LEGS }), { error: 'leverages by symbol' })
      .describe('Leverage of LONG and SHORT where it differs, by symbol'),
    funding: section({
      model: model(FUNDING_MODELS, 'Funding'),
      everyMs: z
        .union([z.int().min(1_000).max(86_400_000), durationString().transform((given) => durationOf(given))], { error: SECONDS })
        .refine((ms) => ms % 1_000 === 0 && ms >= 1_000 && ms <= 86_400_000, { error: SECONDS })
        .describe('Time between two funding payments, counted from 0:00 UTC'),
      rate: fundingRate.describe('Funding rate of one interval, for instruments without their own; if positive, longs pay'),
      file: fileName('the file of funding rates').describe(
        'File of recorded rates: a JSON list of `{ symbol, time, rate }`; "" = in backtests those of the tape',
      ),
    }),
  }),
  exchange: section({
    ...switches,
    page: word('here', 'everyone', 'nobody').describe('Who may open the page: callers on this machine, everyone, or nobody'),
    ledgerReads: word('all', 'counts', 'none').describe('Reads in the ledger: one line each, one line of counts a second, or none'),
    ledgerKeep: whole(0, 1_000_000).describe('Number of closed ledger segments (64 MB each) to keep; 0 = all'),
    reference: fileName('the file of reference data').describe(
      'File of records of spot symbols (E3), coins (E4) and withdrawals (E5); "" = generated from the instruments',
    ),
  }),
});

export type FileSettings = z.infer<typeof settingsSchema>;

/** One key that a variable or `--set` can name, with its schema. */
export interface Leaf {
  readonly path: string;
  readonly doc: string;
  readonly schema: z.core.$ZodType;
  /** True if one text can state it (lists and tables need a file). */
  readonly isScalar: boolean;
}

/** All keys of the configuration by dotted path, in the order of the schema. */
export function leaves(): ReadonlyMap<string, Leaf> {
  const found = new Map<string, Leaf>();
  const walk = (object: z.ZodObject, prefix: string): void => {
    for (const [key, optional] of Object.entries(object.shape)) {
      const schema = optional instanceof z.ZodOptional ? optional.unwrap() : optional;
      if (schema instanceof z.ZodObject) walk(schema, `${prefix}${key}.`);
      else {
        const doc = (schema as z.ZodType).description ?? '';
        const isScalar = !(schema instanceof z.ZodArray || schema instanceof z.ZodRecord);
        found.set(prefix + key, { path: prefix + key, doc, schema, isScalar });
      }
    }
  };
  walk(settingsSchema, '');
  return found;
}

/** "venue.baseUrl" → "TICKWRIGHT_VENUE_BASE_URL". */
export function variableOf(path: string): string {
  return `TICKWRIGHT_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`;
}
