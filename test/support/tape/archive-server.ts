/**
 * A server with the layout of a public archive, which a test fills and makes misbehave. Run as a program, it serves
 * one-minute klines of the SYMBOL and the days that its arguments name, and prints its address.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { zipOf } from './zip.ts';

/** What happens to the next request for a path instead of an answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection ends after so many bytes of the body. */
  | { readonly cutAfter: number }
  /** Another file is sent. */
  | { readonly instead: Buffer }
  /** Nothing comes after so many. */
  | { readonly stallAfter: number };

export class ArchiveServer {
  readonly files = new Map<string, Buffer>();
  /** By path: one for each of the next requests. */
  readonly faults = new Map<string, Fault[]>();
  /** "GET /path" with " bytes=…" after it, in their order. */
  readonly requests: string[] = [];
  /** False: a range is ignored and the whole file sent. */
  hasRanges = true;
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    return this.address;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A file and, beside it, its sum as Binance Vision publishes it. */
  add(path: string, bytes: Buffer): void {
    this.files.set(path, bytes);
    const sum = createHash('sha256').update(bytes).digest('hex');
    this.files.set(`${path}.CHECKSUM`, Buffer.from(`${sum}  ${path.split('/').at(-1)}\n`));
  }

  #answer({ url = '', method, headers }: IncomingMessage, response: ServerResponse): void {
    const { range } = headers;
    this.requests.push(`${method} ${url}${range === undefined ? '' : ` ${range}`}`);
    const fault = this.faults.get(url)?.shift();
    if (fault !== undefined && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    const file = fault !== undefined && 'instead' in fault ? fault.instead : this.files.get(url);
    if (file === undefined) {
      response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
      return;
    }
    const from = this.hasRanges && range !== undefined ? Number(/^bytes=(\d+)-$/.exec(range)?.[1]) : 0;
    if (from >= file.length) {
      response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end();
      return;
    }
    const body = file.subarray(from);
    const sent = { 'content-length': String(body.length), 'accept-ranges': 'bytes' };
    const part = { ...sent, 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(from > 0 ? 206 : 200, from > 0 ? part : sent);
    if (fault === undefined || 'instead' in fault) response.end(body);
    else if ('stallAfter' in fault) response.write(body.subarray(0, fault.stallAfter));
    else response.write(body.subarray(0, fault.cutAfter), () => response.socket?.end());
  }
}

const MINUTE = 60_000;

/** Klines of Binance Vision, one-minute ones of whole days from `day` on (milliseconds since 1970): a price that goes up and down. */
export function klines(day: number, days = 1, { hasHeader = true, barMs = MINUTE } = {}): string {
  const rows = Array.from({ length: (days * 86_400_000) / barMs }, (_, k) => {
    const time = day + k * barMs;
    const [open, close] = [priceAt(time), priceAt(time + barMs)];
    const [high, low] = [Math.max(open, close) + 20, Math.min(open, close) - 20];
    const shown = [open, high, low, close].map((price) => price.toFixed(1)).join(',');
    return `${time},${shown},${(50 + (k % 7)).toFixed(3)},${time + barMs - 1},3000000.5,100,25.000,1500000.2,0`;
  });
  const header = 'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
  return `${[...(hasHeader ? [header] : []), ...rows].join('\n')}\n`;
}

/** Waves of an hour, of seven hours and of five days. */
function priceAt(time: number): number {
  const hours = time / 3_600_000;
  return Math.round((42_000 + 150 * Math.sin(hours * 6.28) + 600 * Math.sin(hours * 0.9) + 2000 * Math.sin(hours * 0.052)) * 10) / 10;
}

/** An archive of Binance Vision with one CSV file of its name. */
export function archiveOf(path: string, text: string): Buffer {
  return zipOf({ [path.split('/').at(-1)!.replace(/zip$/, 'csv')]: text });
}

/** Path of one-minute klines of USDT contracts: `date` is a month or a day. */
export function klinePath(symbol: string, date: string, timeframe = '1m'): string {
  const period = date.length === 7 ? 'monthly' : 'daily';
  return `/data/futures/um/${period}/klines/${symbol}/${timeframe}/${symbol}-${timeframe}-${date}.zip`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , symbol = '', ...dates] = process.argv;
  const server = new ArchiveServer();
  for (const date of dates) {
    const path = klinePath(symbol, date);
    server.add(path, archiveOf(path, klines(Date.parse(date))));
  }
  process.stdout.write(`${await server.listen()}\n`);
}
