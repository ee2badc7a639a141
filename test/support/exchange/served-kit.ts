/** The exchange as the command line starts it, on a synthetic market, and signed requests to it. */
import { defaultConfig } from '../../../src/config/defaults.ts';
import { SWITCH_DEFAULTS } from '../../../src/contract/switches.ts';
import { demoAccount as demoAccountOf, type DemoAccount, type ExchangeOptions } from '../../../src/run/setup/options.ts';
import { send, signedHeaders } from './exchange-client.ts';

export function demoAccount(k: number): DemoAccount {
  return demoAccountOf(k, { USDT: '10000', BTC: '1' });
}

export function exchangeOptions(options: Partial<ExchangeOptions>, accounts = 2): ExchangeOptions {
  return {
    tape: null,
    host: '127.0.0.1',
    port: 0,
    speed: 1,
    loop: false,
    seed: 1,
    state: null,
    accounts: Array.from({ length: accounts }, (_, k) => demoAccount(k)),
    switches: SWITCH_DEFAULTS,
    reference: '',
    page: 'here',
    ledgerReads: 'counts',
    ledgerKeep: 0,
    fillModel: 'queue',
    config: defaultConfig(),
    ...options,
  };
}

/** One signed request of demo account `account`; the envelope. */
export async function signedSend(
  url: string,
  account: number,
  method: 'GET' | 'POST',
  target: string,
  json?: object,
): Promise<Record<string, unknown>> {
  const text = json === undefined ? '' : JSON.stringify(json);
  const headers = signedHeaders({ name: '', ...demoAccount(account) }, String(Date.now()), method, target, text);
  const { body } = await send(url, method, target, text, { ...headers, ...(text === '' ? {} : { 'content-type': 'application/json' }) });
  return body;
}
