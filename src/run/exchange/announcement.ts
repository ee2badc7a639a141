/** The text that the exchange prints when it listens: everything that a person or script needs to trade on it. */
import { firstOf } from '../../base/text/figures.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { RunningExchange } from './exchange.ts';
import type { DemoAccount, ExchangeOptions } from '../setup/options.ts';
import { marketText, speedOf } from '../market/served-market.ts';

/** Most symbols, and most accounts, that are listed; the rest is a number. */
const SYMBOLS_SHOWN = 10;
const ACCOUNTS_SHOWN = 5;

/** Lines of name and value. The first line has only the address, for scripts. */
export function announcement(options: ExchangeOptions, exchange: RunningExchange): string {
  const rows: [string, string][] = [['market', `${marketText(options)}${paceText(options)}`]];
  const bars = barsText(options);
  if (bars !== null) rows.push(['bars', bars]);
  for (const product of ['futures', 'spot'] as const) {
    const symbols = symbolsOf(exchange.instruments.filter((one) => one.product === product));
    if (symbols !== '') rows.push([product, symbols]);
  }
  for (const account of options.accounts.slice(0, ACCOUNTS_SHOWN)) rows.push(['account', accountText(account)]);
  const last = options.accounts.at(-1);
  if (last !== undefined && options.accounts.length > ACCOUNTS_SHOWN) {
    rows.push(['', `… and so on, ${options.accounts.length} accounts in all: ${accountText(last)}`]);
  }
  rows.push([
    'ledger',
    `${options.state ?? 'in memory: gone when it stops; --state FOLDER keeps it'}${exchange.resumed ? ' (carried on)' : ''}`,
  ]);
  if (options.faults !== undefined) rows.push(['faults', options.faults.file]);
  if (options.admin !== undefined) {
    const { token, isGiven } = options.admin;
    rows.push(['admin', `${exchange.adminUrl} with the header "authorization: Bearer ${isGiven ? '…' : token}"`]);
  }
  if (options.page !== 'nobody') rows.push(['page', `${exchange.url}/`]);
  rows.push(['interface', `${exchange.url}/openapi.json; by hand: docs/curl-walk.md of the package`]);
  rows.push(['try', `curl '${exchange.url}/api/v1/future/market/book-ticker'`]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [`listening on ${exchange.url}`, ...rows.map(([name, what]) => `${name.padEnd(width)}  ${what}`)].join('\n');
}

/** What a bot of another process has to be told of a market that does not move in real time. */
function barsText(options: ExchangeOptions): string | null {
  const speed = speedOf(options);
  return speed === 1 ? null : `as fast as the market in a bot with --set barSpeed=${speed}`;
}

function paceText(options: ExchangeOptions): string {
  return options.marketUrl === undefined ? `, at ${Number(speedOf(options).toPrecision(4))}× real time` : '';
}

function accountText({ key, secret, passphrase, deposits }: DemoAccount): string {
  const money = Object.entries(deposits).map(([coin, amount]) => `${amount} ${coin}`);
  return `key=${key} secret=${secret} passphrase=${passphrase}${money.length === 0 ? '' : `  (${money.join(', ')})`}`;
}

function symbolsOf(instruments: readonly Instrument[]): string {
  return firstOf(
    instruments.map(({ symbol }) => symbol),
    SYMBOLS_SHOWN,
    ' ',
  );
}
