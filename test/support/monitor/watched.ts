/** A bot with opening and closing orders, its watchdog and its exchange: three processes, judged by the exchange's ledger. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOSE, OPEN } from '../../../src/domain/codes.ts';
import { readLedger, type LedgerFill, type LedgerOrder } from '../../../src/edge/file/ledger/read-ledger.ts';
import type { WatchdogStatus } from '../../../src/run/watchdog/status-file.ts';
import { DEMO, launch, runToEnd, ROOT, type Program } from '../../e2e/process.ts';
import { Stage } from '../../e2e/stage.ts';

/** Opening orders that rest, one that waits for its trigger price, and the closing orders that must stay: one at a limit and a stop-loss. */
export const OPENS = 3;

export interface WatchedOptions {
  readonly seed?: number;
  readonly silenceMs: number;
  readonly start?: 'bot' | 'apart';
  readonly resume?: 'operator' | 'restart';
  /** Default: never. */
  readonly flattenAfterMs?: number;
  readonly horizonMs?: number;
  /** Opening orders that rest. Default: OPENS. */
  readonly opens?: number;
  /** More sections of the bot's configuration, and arguments of the exchange. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly exchange?: readonly string[];
  /** Folder of the disk that has the bot's state. Default: that of the test. */
  readonly disk?: string;
  /** Address of the Redis that has the journal; "" for a store in files. */
  readonly redis?: string;
}

export class Watched {
  readonly stage: Stage;
  readonly block: string;
  readonly exit: string;
  watchdog: Program | null = null;
  readonly #silenceMs: number;
  readonly #opens: number;
  readonly #folder: string;

  private constructor(options: WatchedOptions) {
    const {
      seed = 5,
      silenceMs,
      start = 'apart',
      resume = 'operator',
      flattenAfterMs = 0,
      horizonMs = 2_000,
      opens = OPENS,
      redis = '',
      disk = '',
      exchange = [],
    } = options;
    this.#silenceMs = silenceMs;
    this.#opens = opens;
    this.stage = new Stage({ seed, exchange });
    const place = disk === '' ? this.stage.folder : disk;
    this.#folder = join(place, redis === '' ? 'bot' : 'bot-stage');
    this.block = join(this.stage.folder, 'block');
    this.exit = join(this.stage.folder, 'exit');
    const params = { block: this.block, exit: this.exit, opens };
    this.settings = {
      params,
      config: {
        strategies: [{ file: join(ROOT, 'test/e2e/strategies/watched.ts'), symbols: ['BTCUSDT'], params }],
        strategyGuard: 'off',
        handlerLimitMs: 600_000,
        orderHorizonMs: horizonMs,
        watchdog: { start, silenceMs, resume, flattenAfterMs },
        store: { folder: join(place, 'bot'), ...(redis === '' ? { kind: 'embedded' } : { kind: 'redis', url: redis, outageMs: 4_000 }) },
        ...options.config,
      },
    };
  }

  readonly settings: { readonly params: Record<string, string | number>; readonly config: Record<string, unknown> };

  /** Ready: all its orders rest at the venue, and the watchdog watches. */
  static async open(options: WatchedOptions): Promise<Watched> {
    const watched = new Watched(options);
    await watched.stage.startBot(watched.settings);
    if (options.start !== 'bot') await watched.launchWatchdog().untilLogged('watchdog-watching');
    await watched.untilResting();
    await watched.untilState('watching');
    return watched;
  }

  get bot(): Program {
    return this.stage.bot;
  }

  get silenceMs(): number {
    return this.#silenceMs;
  }

  get folder(): string {
    return this.#folder;
  }

  launchWatchdog(): Program {
    return (this.watchdog = launch(['watchdog', '--config', join(this.stage.folder, 'bot.yaml')], DEMO));
  }

  /** The status of the watchdog; null before the first. */
  get status(): WatchdogStatus | null {
    try {
      return JSON.parse(readFileSync(`${this.folder}.watchdog.json`, 'utf8')) as WatchdogStatus;
    } catch {
      return null;
    }
  }

  async untilState(...states: readonly string[]): Promise<void> {
    await this.until(`the watchdog is ${states.join(' or ')}`, () => states.includes(this.status?.state ?? ''));
  }

  /** Waits beside the exchange, which outlives the others. */
  async until(what: string, test: () => boolean): Promise<void> {
    await this.stage.exchange.until(what, test);
  }

  async untilResting(): Promise<void> {
    await this.until('the orders rest', () => this.live(OPEN).length > this.#opens && this.live(CLOSE).length > 0);
  }

  /** Own orders in the ledger that live, trigger orders included. */
  live(effect: number): LedgerOrder[] {
    return this.orders(effect).filter(({ ended }) => ended === null);
  }

  orders(effect: number): LedgerOrder[] {
    const { orders } = readLedger(join(this.stage.folder, 'exchange'));
    return orders.filter(({ order }) => order['effect'] === effect && String(order['clientOid']).startsWith('stage-'));
  }

  /** Number of the last request that the exchange got so far. */
  lastRequest(): number {
    return readLedger(join(this.stage.folder, 'exchange')).requests.at(-1)?.request ?? 0;
  }

  /** When the exchange got this request, in milliseconds since 1970; 0 for none. */
  timeOf(request: number): number {
    return readLedger(join(this.stage.folder, 'exchange')).requests.find((one) => one.request === request)?.time ?? 0;
  }

  /** Cancels that the exchange refused with status 429. */
  get limitedCancels(): number {
    const { refusals } = readLedger(join(this.stage.folder, 'exchange'));
    return refusals.filter(({ endpoint, status }) => status === 429 && (endpoint === 'E15' || endpoint === 'E16')).length;
  }

  /** Lots that fills of the ledger leave on each side of the market: what the account holds. */
  held(): { readonly long: number; readonly short: number } {
    const held = [0, 0];
    for (const { effect, side, size } of this.fills) held[side]! += effect === OPEN ? size : -size;
    return { long: held[0]!, short: held[1]! };
  }

  get fills(): readonly LedgerFill[] {
    return readLedger(join(this.stage.folder, 'exchange')).fills;
  }

  /** Closes that the exchange refused, as of a position that is not there. */
  get refusedCloses(): number {
    return this.stage.requests('E12').filter(({ body, code }) => body.includes('"CLOSE"') && code !== '00000').length;
  }

  /** Ends all its processes. */
  async close(): Promise<void> {
    for (const program of [this.watchdog, this.bot, this.stage.exchange]) if (program?.isRunning === true) await program.kill('SIGKILL');
    rmSync(this.stage.folder, { recursive: true, force: true });
  }

  /** Opening orders that were placed after a request. */
  openedAfter(request: number): number {
    return this.orders(OPEN).filter((one) => (one.request?.request ?? 0) > request).length;
  }

  blockLoop(): void {
    writeFileSync(this.block, '');
  }

  /** When the loop was blocked, in milliseconds since 1970: with the first quote after `blockLoop`. */
  async blockedSince(): Promise<number> {
    let since = 0;
    await this.until('the loop is blocked', () => (since = Number(readIfThere(`${this.block}.since`))) > 0);
    return since;
  }

  /** The state folder is gone at once. A bot that lives cannot make files in the folder that is deleted. */
  loseStore(): void {
    const lost = `${this.folder}.lost`;
    renameSync(this.folder, lost);
    rmSync(lost, { recursive: true });
  }

  unblockLoop(): void {
    for (const file of [this.block, `${this.block}.since`]) rmSync(file, { force: true });
  }

  async resume(): Promise<Program> {
    return runToEnd(['resume', '--state', this.folder]);
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
