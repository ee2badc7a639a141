/** `exchange`: serves a recording or a synthetic market as a venue. `start`: the same, with a bot that trades on it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../base/failure/failure.ts';
import { DAY_MS } from '../../base/time/time-spans.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { DEPOSIT, isDeposit } from '../../config/schema/deposit.ts';
import { readLimits } from '../../config/files/data-files.ts';
import type { BotConfig, LedgerReads, PageAccess } from '../../config/model.ts';
import { tradedName } from '../../domain/instrument.ts';
import type { FillModelName } from '../../domain/models/fill.ts';
import { barsReadBy } from '../../domain/universe.ts';
import { demoAccount, SYNTHETIC_MAX, type ExchangeOptions, type StaleOrders } from '../../run/setup/options.ts';
import {
  configOf,
  folderToBe,
  requireTape,
  statedConfigOf,
  strategiesOf,
  withParams,
  type ChoiceFlags,
  type CliContext,
  type ConfigFlags,
  withNamedSymbols,
} from '../shell/cli-context.ts';
import { faultOptions, type FaultFlags } from './fault-flags.ts';
import { switchesFrom } from './switch-flags.ts';

interface MarketFlags extends ConfigFlags {
  readonly tape?: string;
  readonly synth?: true;
  readonly marketUrl?: string;
  readonly symbols?: number;
  readonly season?: true;
  readonly stretch?: number;
  readonly past?: number;
  readonly staleOrders?: StaleOrders;
  readonly port: number;
  readonly speed: number;
  readonly seed?: number;
  readonly state?: string;
}

interface ExchangeFlags extends MarketFlags, FaultFlags {
  readonly host: string;
  readonly loop?: true;
  readonly accounts: number;
  readonly deposit?: Readonly<Record<string, string>>;
  readonly fillModel?: FillModelName;
  readonly page?: PageAccess;
  readonly ledgerReads?: LedgerReads;
  readonly ledgerKeep?: number;
}

type StartFlags = MarketFlags & ChoiceFlags & { readonly state: string };

const USUAL_SYMBOL = 'BTCUSDT';

const PAPER = fileURLToPath(new URL('../../../config/paper.yaml', import.meta.url));
const PAPER_LIMITS = fileURLToPath(new URL('../../../config/limits.paper.json', import.meta.url));

/** Where `init` writes the configuration of a project, from its folder. */
const OF_PROJECT = 'config/paper.yaml';

/** 120 bars of four hours: the longest that a strategy of the gallery waits for is 100. */
const PAST_MS = 20 * DAY_MS;

export async function serveExchange(flags: ExchangeFlags, context: CliContext): Promise<void> {
  if (flags.tape === undefined && !flags.synth && flags.marketUrl === undefined) {
    throw new Failure('flag-missing', {
      what: 'expected --tape FOLDER or --synth or --market-url URL',
      where: 'exchange',
      hint: 'tickwright exchange --synth',
    });
  }
  const faults = await faultOptions(flags, context);
  const config = await configOf(flags, context);
  const options = { ...exchangeOptions(flags, config), ...faults };
  const { runExchange } = await import('../../run/exchange/run-exchange.ts');
  context.exit(await runExchange(options, context.io));
}

/** Refuses a flag of one kind of market with another kind. @throws Failure */
function checkMarket({ tape, marketUrl, stretch, symbols, season, past, staleOrders }: MarketFlags): void {
  const isSynthetic = tape === undefined && marketUrl === undefined;
  const wrong = (flag: string, market: string): never => {
    throw new Failure('flag-conflict', { what: `${flag} works only with ${market}`, where: flag });
  };
  if (stretch !== undefined && tape === undefined) wrong('--stretch', 'a tape');
  if (symbols !== undefined && !isSynthetic) wrong('--symbols', 'a synthetic market');
  if (past !== undefined && !isSynthetic) wrong('--past', 'a synthetic market');
  if (staleOrders !== undefined && marketUrl === undefined) wrong('--stale-orders', 'a live market');
  if (season === true && !isSynthetic) wrong('--season', 'a synthetic market');
}

export async function startBoth(given: StartFlags, context: CliContext): Promise<void> {
  const flags = { ...given, ...fileOfProject(given) };
  const { config: loaded, isStated } = await statedConfigOf(flags, context, { packaged: PAPER });
  // The journal belongs to the account on this exchange. The folder that a file names has the journal of another account.
  const isSet = (key: string): boolean => flags.set?.some((one) => one.startsWith(`${key}=`)) === true;
  const store = isSet('store.folder') ? loaded.store : { ...loaded.store, folder: resolve(folderToBe(flags.state, '--state'), 'bot') };
  const strategies = strategiesOf(withSymbols(flags, loaded), loaded);
  // This exchange refuses nobody for the number of requests.
  const limits = isStated('limits') ? loaded.limits : readLimits(PAPER_LIMITS);
  const config: BotConfig = { ...loaded, limits, store, strategies };
  const market = isStated('instruments') ? flags : forUniverses(flags, config);
  const exchange = exchangeOptions({ ...market, state: resolve(flags.state, 'exchange'), loop: true }, config);
  const { runStart } = await import('../../run/start.ts');
  context.exit(await withParams(flags, () => runStart({ exchange, config, maySlow: !isStated('poll.trades') }, context.io)));
}

/** `--config` where it was not given: the file of the project in this folder, unless this is the package itself. */
export function fileOfProject({ config }: Pick<StartFlags, 'config'>, folder = process.cwd()): Pick<StartFlags, 'config'> {
  const own = resolve(folder, OF_PROJECT);
  return config === undefined && own !== PAPER && existsSync(own) ? { config: own } : {};
}

/**
 * A synthetic market that a universe can choose from, unless flags say what it is like: a fifth more futures than the universe takes, and a
 * past as long as it reads. Named candidates are those of the configuration.
 */
export function forUniverses<F extends MarketFlags>(
  flags: F,
  { strategies, instruments }: Pick<BotConfig, 'strategies' | 'instruments'>,
): F {
  if (flags.tape !== undefined || flags.marketUrl !== undefined) return flags;
  const universes = strategies.flatMap(({ universe }) => universe ?? []);
  if (universes.length === 0) return flags;
  const wanted = Math.max(...universes.map(({ top, exclude }) => Math.ceil(1.2 * top) + exclude.length));
  const configured = instruments.filter(({ product }) => product === 'futures').length;
  const isOpen = universes.every(({ from }) => from.length === 0);
  const symbols = flags.symbols ?? (isOpen && wanted > configured ? Math.min(wanted, SYNTHETIC_MAX) : undefined);
  const past = flags.past ?? Math.max(PAST_MS, ...universes.map((terms) => barsReadBy(terms) * terms.bars + DAY_MS));
  return { ...flags, past, ...(symbols === undefined ? {} : { symbols }) };
}

/**
 * A strategy that is named alone trades the symbols that the configuration names, else BTCUSDT (the first instrument if there is no such one).
 * On another market without a file, or whose file names no symbols, it trades what that market has.
 */
export function withSymbols(flags: StartFlags, loaded: BotConfig): StartFlags {
  const { config, strategy, symbol, tape, marketUrl, symbols } = flags;
  const isOurs = tape === undefined && marketUrl === undefined && symbols === undefined;
  if (strategy === undefined || symbol !== undefined || (config === undefined && !isOurs)) return flags;
  const named = withNamedSymbols(flags, loaded);
  if (named.symbol !== undefined) return named;
  const names = loaded.instruments.map(tradedName);
  return isOurs ? { ...flags, symbol: names.includes(USUAL_SYMBOL) ? [USUAL_SYMBOL] : names.slice(0, 1) } : flags;
}

/** What `openExchange` takes. @throws Failure */
export function exchangeOptions(flags: MarketFlags & Partial<ExchangeFlags>, config: BotConfig): ExchangeOptions {
  checkMarket(flags);
  const deposits = flags.deposit ?? config.simulation.deposits;
  const coins = new Set(config.instruments.flatMap(({ baseCoin, quoteCoin }) => [baseCoin, quoteCoin]));
  for (const coin of Object.keys(flags.deposit ?? {})) {
    if (coins.has(coin)) continue;
    const hint = didYouMean(coin, coins) ?? `its coins are ${[...coins].join(', ')}`;
    throw new Failure('flag-value', { what: `expected a coin of this market, found "${coin}"`, where: '--deposit', hint });
  }
  for (const [coin, amount] of Object.entries(deposits)) {
    if (!isDeposit(amount)) {
      const hint = `such as ${coin}=1000.5`;
      throw new Failure('flag-value', { what: `expected ${DEPOSIT}, found "${amount}"`, where: '--deposit', hint });
    }
  }
  return {
    tape: flags.tape === undefined ? null : requireTape(flags.tape),
    host: flags.host ?? '127.0.0.1',
    port: flags.port,
    speed: flags.speed,
    loop: flags.loop === true,
    stretchMs: flags.stretch,
    symbols: flags.symbols,
    season: flags.season === true,
    pastMs: flags.past ?? PAST_MS,
    marketUrl: flags.marketUrl,
    staleOrders: flags.staleOrders,
    seed: flags.seed ?? config.seed,
    state: flags.state === undefined ? null : folderToBe(flags.state, '--state'),
    accounts: Array.from({ length: flags.accounts ?? 1 }, (_, i) => demoAccount(i, deposits)),
    switches: switchesFrom({ ...flags }, config.exchange),
    reference: config.exchange.reference,
    page: flags.page ?? config.exchange.page,
    ledgerReads: flags.ledgerReads ?? config.exchange.ledgerReads,
    ledgerKeep: flags.ledgerKeep ?? config.exchange.ledgerKeep,
    fillModel: flags.fillModel ?? config.simulation.fillModel,
    config,
  };
}
