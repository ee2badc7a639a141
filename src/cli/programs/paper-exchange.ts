/** `tickwright/exchange`: a paper exchange in the process of a test, for any bot that speaks the interface. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { problemsOf, type FieldTable } from '../../base/fields.ts';
import { keyOf, type SwitchName, type SwitchValues } from '../../contract/switches.ts';
import { FILL_MODELS, type FillModelName } from '../../domain/models/fill.ts';
import { tradedName } from '../../domain/instrument.ts';
import { SILENT_LOG, type Log } from '../../ports/log.ts';
import type { FaultCount, FaultPlanGiven, LedgerLine, OperatorCommandName } from '../../run/exchange/exchange-admin.ts';
import type { RunningExchange } from '../../run/exchange/exchange.ts';
import type { ExchangeState } from '../../run/exchange/views/exchange-state.ts';
import type { RequestSummary } from '../../run/exchange/views/request-counters.ts';
import { SYNTHETIC_MAX, type DemoAccount } from '../../run/setup/options.ts';
import type { MarketRow } from '../../run/testing/written-rows.ts';
import { exchangeOptions } from '../exchange/exchange-command.ts';
import { configOf } from '../shell/cli-context.ts';
import { NO_TERMINAL } from './no-terminal.ts';
import { defined } from '../../base/defined.ts';
import { asOptions, settingsOf } from './option-names.ts';

/** What `startExchange` takes. The names are those of the flags of `tickwright exchange`. */
export interface PaperExchangeOptions {
  /** Folder of a tape to serve. Default: a synthetic market. */
  readonly tape?: string | undefined;
  /** The market, row by row, instead of a tape. Times count from the start; the last quotes stay. */
  readonly rows?: readonly MarketRow[] | undefined;
  /** Seed of the synthetic market, and of all other chance. Default: that of the configuration. */
  readonly seed?: number | undefined;
  /** Number of synthetic futures. Default: those of the configuration. */
  readonly symbols?: number | undefined;
  /** Milliseconds of the past that historical trades (E8) of a synthetic market show. Default: none. */
  readonly pastMs?: number | undefined;
  /** Times real time. Default: 1. */
  readonly speed?: number | undefined;
  /** True: the tape starts over at its end. Default: false. */
  readonly loop?: boolean | undefined;
  /** Number of accounts. Default: 1. */
  readonly accounts?: number | undefined;
  /** Deposits of each account as decimal strings: `{ USDT: '1000' }`. Default: those of the configuration. */
  readonly deposit?: Readonly<Record<string, string>> | undefined;
  /** How resting orders fill. Default: that of the configuration. */
  readonly fillModel?: FillModelName | undefined;
  /** Readings of the interface where it is silent: docs/reference/assumptions.md. Default: those of the configuration. */
  readonly switches?: Partial<SwitchValues> | undefined;
  /** What goes wrong with requests: docs/reference/faults-and-admin.md. Default: nothing. */
  readonly faults?: FaultPlanGiven | undefined;
  /** Port to listen on. Default: 0, which the system chooses. */
  readonly port?: number | undefined;
  /** Folder of the ledger: an exchange that is started on it again goes on. Default: a folder of its own, which `close` removes. */
  readonly state?: string | undefined;
  /** A configuration file: instruments, limits, deposits. Default: the built-in defaults. Variables of the environment do not count. */
  readonly config?: string | undefined;
  /** Keys of the configuration with their values, such as `{ 'venue.dialect': 'mix-v2' }`. */
  readonly set?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Gets the lines of the exchange's log. Default: nobody does. */
  readonly log?: ((level: 'info' | 'warn' | 'error', event: string, fields: Readonly<Record<string, unknown>>) => void) | undefined;
}

/** An account of the exchange, with what its requests are signed with. */
export interface PaperAccount extends DemoAccount {
  /** Its name in the ledger and in `act`: "account-1". */
  readonly name: string;
}

/** A running paper exchange. */
export interface PaperExchange {
  /** "http://127.0.0.1:PORT", without a path. */
  readonly url: string;
  /** The accounts, with key, secret and passphrase. */
  readonly accounts: readonly PaperAccount[];
  /** Symbols that are traded, futures first. */
  readonly symbols: readonly string[];
  /** True if an existing ledger was continued. */
  readonly isResumed: boolean;
  /** Resolves with the error if the exchange cannot go on, because its ledger can no longer be written. */
  readonly failed: Promise<Error>;
  /** What the venue holds now: equity, positions and working orders of all accounts. */
  readonly state: () => ExchangeState;
  /** The lines of the ledger in order, of all kinds or of those named: docs/paper-exchange.md#the-ledger. Throws Failure (admin-request). */
  readonly ledger: (...kinds: readonly string[]) => readonly LedgerLine[];
  /** How many requests each endpoint got and refused, and what the last refusal said. */
  readonly requests: () => RequestSummary;
  /**
   * Acts as the venue's operator: `act('spike', { symbol: 'BTCUSDT', percent: -50 })`. Returns the result. Throws Failure (admin-request) for
   * a wrong field, and for what is not possible now.
   */
  readonly act: (command: OperatorCommandName, given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Sets a fault plan from now on; null ends all faults. Throws Failure (fault-plan). */
  readonly setFaults: (plan: FaultPlanGiven | null) => void;
  /** How often each rule of the fault plan matched and was applied. */
  readonly faults: () => readonly FaultCount[];
  /** Stops market and server. Can be called twice. */
  readonly close: () => Promise<void>;
}

const whole = (min: number, max: number, doc: string) => ({ kind: 'whole', min, max, doc, isOptional: true }) as const;
const flag = { kind: 'flag', doc: 'true or false', isOptional: true } as const;
const record = { kind: 'object', doc: 'an object', isOptional: true } as const;
const text = (doc: string) => ({ kind: 'text', doc, most: 4_096, isOptional: true }) as const;

/** Most accounts. */
const ACCOUNTS_MAX = 1_000;

/** What the options may be, as far as no other part checks it. `log` is a function, which a table cannot say. */
const OPTIONS: FieldTable = {
  tape: text('the folder of a tape'),
  rows: { kind: 'list', doc: 'at least one row', isOptional: true },
  seed: whole(0, Number.MAX_SAFE_INTEGER, 'a seed'),
  symbols: whole(1, SYNTHETIC_MAX, 'number of synthetic futures'),
  pastMs: whole(0, Number.MAX_SAFE_INTEGER, 'milliseconds'),
  speed: { kind: 'number', min: 0.001, max: 1e6, doc: 'times real time', isOptional: true },
  loop: flag,
  accounts: whole(1, ACCOUNTS_MAX, 'number of accounts'),
  deposit: record,
  fillModel: { kind: 'word', words: Object.keys(FILL_MODELS), doc: 'a fill model', isOptional: true },
  switches: record,
  faults: record,
  port: whole(0, 65_535, 'a port'),
  state: text('the folder of the ledger'),
  config: text('a configuration file'),
  set: record,
  log: flag,
};

/**
 * Starts a paper exchange, and returns when it listens and its market has opened.
 * @throws Failure with the code that `tickwright exchange` would print
 */
export async function startExchange(options: PaperExchangeOptions = {}): Promise<PaperExchange> {
  const problems = problemsOf({ ...options, log: undefined }, OPTIONS, 'startExchange', 'the options');
  if (options.tape !== undefined && options.rows !== undefined)
    problems.push({ what: 'expected a tape or rows, found both', where: 'startExchange' });
  if (problems.length > 0) throw new Failure('flag-value', problems);
  const own = mkdtempSync(join(tmpdir(), 'tickwright-exchange-'));
  try {
    return await started(options, own);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    throw error instanceof Failure ? asOptions(error) : error;
  }
}

/** `own`: a new folder, which the exchange removes when it is closed. */
async function started(options: PaperExchangeOptions, own: string): Promise<PaperExchange> {
  const { rows, tape, faults, state, switches = {}, fillModel, set, log } = options;
  const keys = Object.fromEntries(Object.entries(switches).map(([name, value]) => [keyOf(name as SwitchName), value]));
  const config = await configOf(settingsOf({ ...options, set: { ...set, ...keys } }), NO_TERMINAL);
  const served = rows === undefined ? tape : await tapeOf(rows, join(own, 'tape'), config.instruments[0]!.symbol);
  const flags = {
    port: options.port ?? 0,
    speed: options.speed ?? 1,
    past: served === undefined ? (options.pastMs ?? 0) : undefined,
    tape: served,
    seed: options.seed,
    symbols: options.symbols,
    loop: options.loop === true ? (true as const) : undefined,
    accounts: options.accounts,
    deposit: options.deposit,
    fillModel,
    state: state ?? join(own, 'ledger'),
    page: 'nobody' as const,
  };
  const wanted = exchangeOptions(defined(flags), config);
  const { openExchange, untilMarketOpens } = await import('../../run/exchange/exchange.ts');
  const plan = faults === undefined ? undefined : { plan: faults, file: 'option faults' };
  const exchange = await openExchange({ ...wanted, faults: plan }, logTo(log));
  await untilMarketOpens(exchange);
  return running(exchange, wanted.accounts, own);
}

async function tapeOf(rows: readonly MarketRow[], folder: string, symbol: string): Promise<string> {
  const { writeRows } = await import('../../run/testing/written-rows.ts');
  try {
    writeRows(folder, { rows, symbol, start: 0, barMs: 60_000 });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure('flag-value', { what: error.message, where: 'option rows' }, { cause: error });
  }
  return folder;
}

function logTo(give: PaperExchangeOptions['log']): Log {
  if (give === undefined) return SILENT_LOG;
  const level =
    (of: 'info' | 'warn' | 'error') =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void =>
      give(of, event, fields);
  return { debug: () => undefined, info: level('info'), warn: level('warn'), error: level('error') };
}

async function running(exchange: RunningExchange, accounts: readonly DemoAccount[], own: string): Promise<PaperExchange> {
  const { act, ledgerLines, setFaults } = await import('../../run/exchange/exchange-admin.ts');
  const { operator, url, resumed: isResumed, failed, instruments } = exchange;
  return {
    url,
    accounts: accounts.map((account, k) => ({ name: exchange.state().accounts[k]!.account, ...account })),
    symbols: instruments.map(tradedName),
    isResumed,
    failed,
    state: () => exchange.state(),
    ledger: (...kinds) => ledgerLines(operator, kinds),
    requests: operator.requests,
    act: (command, given) => act(operator, command, given),
    setFaults: (plan) => setFaults(operator, plan),
    faults: () => operator.faults.counts(),
    async close() {
      await exchange.close();
      rmSync(own, { recursive: true, force: true });
    },
  };
}
