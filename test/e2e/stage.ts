/** A bot on an exchange with an acting operator: both are separate processes, judged by the exchange's ledger. */
import { join } from 'node:path';
import { stringify } from 'yaml';
import { writeFileSync } from 'node:fs';
import { CLOSE, OPEN } from '../../src/domain/codes.ts';
import { readLedger } from '../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, adminOf, DEMO, freshFolder, launch, runToEnd, type Program } from './process.ts';

const TOKEN = 'token-of-the-test';
const HOLDER = 'test/e2e/strategies/holder.ts';

/** Limits wide enough for the positions of the tests. */
export const RISK = { maxOrderSize: '2', maxPosition: '4', maxNotionalOrder: 'off', maxNotionalPosition: 'off', maxNotionalTotal: 'off' };

export interface StageOptions {
  readonly seed?: number;
  readonly symbols?: readonly string[];
  readonly params?: Readonly<Record<string, string | number | boolean>>;
  /** Sections of the bot's configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Variables of the bot's environment besides its keys. */
  readonly env?: Readonly<Record<string, string>>;
  /** More arguments of the exchange. */
  readonly exchange?: readonly string[];
}

export class Stage {
  readonly folder = freshFolder();
  readonly exchange: Program;
  readonly #options: { -readonly [K in keyof StageOptions]: StageOptions[K] };
  bot!: Program;

  constructor(options: StageOptions = {}) {
    this.#options = { ...options };
    const { seed = 5, exchange = [] } = options;
    const args = ['exchange', '--synth', '--seed', String(seed), '--port', '0', '--state', join(this.folder, 'exchange')];
    this.exchange = launch([...args, '--admin-port', '0', ...exchange], { TICKWRIGHT_ADMIN_TOKEN: TOKEN });
  }

  /** Starts the bot, or restarts it with the same store; `changes`: what is configured otherwise from now on. */
  async startBot(changes: Partial<StageOptions> = {}): Promise<Program> {
    Object.assign(this.#options, changes);
    const { symbols = ['BTCUSDT'], params = {}, config = {} } = this.#options;
    const paper = {
      bot: 'stage',
      venue: { baseUrl: await addressOf(this.exchange) },
      limits: join(process.cwd(), 'config/limits.paper.json'),
      poll: { quotes: 100, trades: 250, orders: 250, positions: 250, account: 500 },
      orderHorizonMs: 2000,
      listLagMs: 2000,
      risk: RISK,
      strategies: [{ file: join(process.cwd(), HOLDER), symbols, params }],
      store: { kind: 'embedded', folder: join(this.folder, 'bot') },
      ...config,
    };
    writeFileSync(join(this.folder, 'bot.yaml'), stringify(paper));
    this.launchBot();
    await this.bot.untilLogged('armed');
    return this.bot;
  }

  /** Starts the bot as it was configured last. */
  launchBot(): Program {
    this.bot = launch(['run', '--config', join(this.folder, 'bot.yaml')], { ...DEMO, ...this.#options.env });
    return this.bot;
  }

  /** Confirms that the store is new although the account has a position or orders. */
  async confirmStore(): Promise<void> {
    await this.bot.untilLogged('opens-halted');
    const resumed = await runToEnd(['resume', '--i-know', '--state', join(this.folder, 'bot')]);
    if (!resumed.out.includes('ended: bot journal-lost')) throw new Error(resumed.out + resumed.err);
  }

  /** Runs a command of the exchange's operator, which must succeed. */
  async operator(name: string, given: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`${await adminOf(this.exchange)}/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(given),
    });
    const answer = (await reply.json()) as Record<string, unknown>;
    if (reply.status !== 200) throw new Error(`${name}: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** What the admin interface of the exchange answers to a question. */
  async admin(path: string): Promise<Record<string, unknown>> {
    const reply = await fetch(`${await adminOf(this.exchange)}/${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    return (await reply.json()) as Record<string, unknown>;
  }

  /** Sets the fault rules from now on. */
  async faults(rules: readonly object[]): Promise<void> {
    const reply = await fetch(`${await adminOf(this.exchange)}/faults`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ rules }),
    });
    if (reply.status !== 200) throw new Error(await reply.text());
  }

  /** Trades by hand on the bot's account. */
  async byHand(symbol: string, side: 'LONG' | 'SHORT', tradeSide: 'OPEN' | 'CLOSE', size: string): Promise<void> {
    const params = { symbol, marginMode: 'CROSS', size, side, tradeSide, orderType: 'MARKET' };
    const answer = await this.operator('call', { account: 'account-1', endpoint: 'E12', params });
    if (answer['code'] !== '00000') throw new Error(JSON.stringify(answer));
  }

  /** Waits until the bot's opening orders have filled on so many position sides. */
  async untilHeld(legs: number): Promise<void> {
    await this.bot.until(`${legs} legs held`, () => this.bot.logged('fill').filter((line) => line['effect'] === 'OPEN').length >= legs);
  }

  /** The bot's own orders in the ledger that open or close. */
  orders(effect: 'OPEN' | 'CLOSE', side: 'LONG' | 'SHORT' = 'LONG'): { no: number; request: number; clientOid: string }[] {
    const code = effect === 'OPEN' ? OPEN : CLOSE;
    const { orders } = readLedger(join(this.folder, 'exchange'));
    return orders
      .filter(({ order }) => order['effect'] === code && order['side'] === (side === 'LONG' ? 0 : 1))
      .filter(({ order }) => String(order['clientOid']).startsWith('stage-'))
      .map(({ order, request }) => ({ no: order.no, request: request?.request ?? 0, clientOid: String(order['clientOid']) }));
  }

  /** Requests of this endpoint, with the code of the answer. */
  requests(endpoint: string): { request: number; code: string; body: string }[] {
    return readLedger(join(this.folder, 'exchange')).requests.filter((one) => one.endpoint === endpoint);
  }

  async end(): Promise<void> {
    if (this.bot.isRunning) await this.bot.kill('SIGTERM');
    await this.exchange.kill('SIGTERM');
  }
}
