/**
 * The default of every key. A plain object, so that a backtest without a configuration file does not load the schema. A test compares it
 * with settings-schema.ts.
 */
import { fileURLToPath } from 'node:url';
import { API_PREFIX } from '../contract/endpoints/endpoint.ts';
import { SWITCH_DEFAULTS } from '../contract/switches.ts';
import { DEFAULT_LIMITS } from '../domain/limits.ts';
import { EQUITY_DROP_SHARE, EXTERNAL_DEFAULTS } from '../domain/messages/external.ts';
import { LIST_LAG_MS, ORDER_HORIZON_MS } from '../domain/time/timings.ts';
import { readInstruments, readLimits } from './files/data-files.ts';
import type {
  AlertsConfig,
  BotConfig,
  ExchangeConfig,
  PollPeriods,
  RecoveryConfig,
  RiskConfig,
  SimulationConfig,
  WatchdogConfig,
  WebhooksConfig,
  ControlConfig,
  MonitorConfig,
  RecordConfig,
  StoreConfig,
  StrategyChoice,
  VenueConfig,
} from './model.ts';

/** Like BotConfig, but with file names instead of the contents of files. */
export interface Settings extends Omit<BotConfig, 'instruments' | 'limits' | 'venue' | 'credentials' | 'keystore'> {
  readonly instruments: string;
  readonly limits: string;
  readonly venue: VenueConfig & { readonly credentials: string };
  readonly strategies: readonly StrategyChoice[];
  readonly poll: PollPeriods;
  readonly risk: RiskConfig;
  readonly store: StoreConfig;
  readonly recovery: RecoveryConfig;
  readonly control: ControlConfig;
  readonly alerts: AlertsConfig;
  readonly webhooks: WebhooksConfig;
  readonly watchdog: WatchdogConfig;
  readonly monitor: MonitorConfig;
  readonly record: RecordConfig;
  readonly simulation: SimulationConfig;
  readonly exchange: ExchangeConfig;
}

const shipped = (name: string): string => fileURLToPath(new URL(`../../config/${name}`, import.meta.url));

export const DEFAULTS: Settings = {
  bot: 'tick',
  seed: 1,
  logLevel: 'info',
  statusIntervalMs: 1000,
  orderValidityMs: 5000,
  orderHorizonMs: ORDER_HORIZON_MS,
  listLagMs: LIST_LAG_MS,
  data: [],
  historyPages: 300,
  barSpeed: 1,
  onStrategyStop: 'cancel',
  strategyGuard: 'on',
  handlerLimitMs: 2000,
  instruments: shipped('instruments.json'),
  limits: shipped('limits.json'),
  strategies: [],
  allocation: { by: 'off', rebalance: '1d' },
  venue: {
    baseUrl: '',
    dialect: 'interface',
    signedPrefix: API_PREFIX,
    marginModeWord: 'CROSS',
    timeoutMs: 5000,
    credentials: '',
  },
  poll: {
    quotes: 250,
    trades: 1000,
    orders: 500,
    positions: 1000,
    account: 2000,
    stats: 10_000,
    withdrawals: 60_000,
  },
  risk: { ...DEFAULT_LIMITS, symbols: {} },
  external: { ...EXTERNAL_DEFAULTS, equityDropShare: EQUITY_DROP_SHARE },
  store: {
    kind: 'embedded',
    folder: 'var/bot',
    url: '',
    acceptPlaintext: false,
    acceptReplicaLoss: false,
    outageMs: 60_000,
    keepDays: 3650,
  },
  recovery: { unknownOwnOrders: 'cancel' },
  control: { port: 0 },
  watchdog: { start: 'live', silenceMs: 30_000, flattenAfterMs: 0, resume: 'operator', credentials: '' },
  monitor: { enabled: 'start', port: 0 },
  webhooks: { file: '', start: 'apart' },
  alerts: { file: '', rules: {}, quietHours: '', collapseMs: 900_000, escalateAfterMs: 600_000, divergenceBp: 20 },
  record: { enabled: true, maxMegabytes: 1024, maxDays: 14, answers: false, tape: '' },
  simulation: {
    upMs: 20,
    downMs: 20,
    latency: { model: 'constant', jitterMs: 10, spikeChance: '0.01', spikeMs: 200, file: '' },
    fillModel: 'queue',
    fees: { model: 'flat', tiers: [], volume: '0' },
    impact: { model: 'none', coefficient: 'tape', volatility: 'tape', turnover: 'tape' },
    deposits: { USDT: '100000' },
    leverage: 20,
    leverages: {},
    funding: { model: 'constant', everyMs: 28_800_000, rate: '0.0001', file: '' },
  },
  exchange: { ...SWITCH_DEFAULTS, page: 'here', ledgerReads: 'counts', ledgerKeep: 0, reference: '' },
};

/** The configuration without file, variables and flags. @throws Failure if a shipped file is damaged */
export function defaultConfig(): BotConfig {
  const { credentials: _file, ...venue } = DEFAULTS.venue;
  return {
    ...DEFAULTS,
    venue,
    instruments: readInstruments(DEFAULTS.instruments),
    limits: readLimits(DEFAULTS.limits),
    credentials: null,
    keystore: null,
  };
}
