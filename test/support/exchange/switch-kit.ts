/** The exchange as wired for the command line, with switches, on a synthetic market and a clock that the test controls. */
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { SWITCH_DEFAULTS, type SwitchValues } from '../../../src/contract/switches.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { openExchange, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import type { ExchangeOptions } from '../../../src/run/setup/options.ts';
import { callOver, type CallOptions, type HttpReply, type TestAccount } from './exchange-client.ts';
import { limitOrder, START, type Params } from './exchange-kit.ts';
import { demoAccount, exchangeOptions } from './served-kit.ts';

const quiet = createLog({ level: 'silent', form: 'json' });

export const FIRST: TestAccount = { name: 'account-1', ...demoAccount(0) };
export const SECOND: TestAccount = { name: 'account-2', ...demoAccount(1) };

export class Served {
  readonly running: RunningExchange;
  readonly #clock: { time: number };

  private constructor(running: RunningExchange, clock: { time: number }) {
    this.running = running;
    this.#clock = clock;
  }

  /** Starts it after some seconds of market data. */
  static async open(switches: Partial<SwitchValues>, options: Partial<ExchangeOptions> = {}): Promise<Served> {
    const clock = { time: START };
    const wanted = exchangeOptions({ ...options, switches: { ...SWITCH_DEFAULTS, ...switches } });
    const running = await openExchange(wanted, quiet, { now: () => clock.time });
    clock.time += 5_000;
    return new Served(running, clock);
  }

  get time(): number {
    return this.#clock.time;
  }

  pass(ms: number): void {
    this.#clock.time += ms;
  }

  call(name: EndpointName, params: Params = {}, options: CallOptions = {}): Promise<HttpReply> {
    const { auth } = ENDPOINTS[name];
    return callOver(this.running.url, this.#clock.time, name, params, auth ? { as: FIRST, ...options } : options);
  }

  /** The `data` of a success. */
  async data(name: EndpointName, params: Params = {}, options: CallOptions = {}): Promise<any> {
    const { status, body } = await this.call(name, params, options);
    if (status !== 200 || body.code !== '00000') throw new Error(`${name}: ${status} ${body.code} ${body.msg}`);
    return body.data;
  }

  /** A LIMIT order far below the market, which rests. */
  async rest(clientOid: string, extra: Params = {}): Promise<string> {
    return (await this.data('placeOrder', this.order({ clientOid, ...extra }))).orderId;
  }

  order(extra: Params = {}): Params {
    return limitOrder({ size: '0.001', price: '20000.0', ...extra });
  }

  async listed(name: 'orderHistory' | 'pendingOrders', params: Params = {}): Promise<any[]> {
    return (await this.data(name, { limit: 100, ...params })).entrustedList;
  }

  close(): Promise<void> {
    return this.running.close();
  }
}
