/** Builds faulty answers: invalid bodies, and bodies that end early. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { row } from '../../../contract/endpoints/endpoints.ts';
import type { Random } from '../../../base/random.ts';
import { failure, SUCCESS_CODE, SUCCESS_MSG, type Envelope } from '../../../contract/envelope.ts';
import { GeneralRefusal } from '../../../contract/endpoints/general-refusals.ts';
import type { FaultRule } from './fault-plan.ts';

const CHUNK = 1 << 16;
const RATE_STATUS = 429;

/** A success envelope for a request that the venue never handled. */
export function synthetic(now: number): Envelope {
  return { code: SUCCESS_CODE, msg: SUCCESS_MSG, requestTime: now, data: { orderId: 'fu-1', clientOid: '' } };
}

/** The body of an error status. */
export function statusBody(status: number, now: number): string {
  const refusal = status === RATE_STATUS ? new GeneralRefusal('tooManyRequests') : row('bookTickers', 'upstream-invalid');
  return JSON.stringify(failure(refusal, now));
}

export function htmlBody(status: number): string {
  const title = `${status} ${STATUS_CODES[status] ?? 'Error'}`;
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>gateway</center>\r\n</body>\r\n</html>\r\n`;
}

/** Damages `text` so that it is not valid JSON. */
export function malformedBody(text: string, random: Random): string {
  const half = text.length >> 1;
  const ways = [
    text.slice(0, half),
    text.slice(0, -1),
    `${text}}`,
    `${text},${text}`,
    text.replaceAll('"', "'"),
    `callback(${text})`,
    text.replace(/:\d+/, ':NaN'),
    `${text.slice(0, half)}\u0000${text.slice(half)}`,
  ];
  const way = ways[random.below(ways.length)] ?? '';
  return way === text ? `${text}]` : way;
}

/** Returns `envelope` with values of wrong types. If the venue did not act, no variant may look like a success. */
export function wrongTypesBody(envelope: Envelope, hasActed: boolean, random: Random): string {
  const { code, msg, requestTime, data } = envelope;
  const broken: unknown[] = [
    null,
    0,
    'success',
    [],
    {},
    [envelope],
    { ...envelope, code: Number(code) },
    { ...envelope, code: [code] },
    { ...envelope, code: null },
    { msg, requestTime, data },
  ];
  const odd: unknown[] = [
    { ...envelope, data: 'done' },
    { ...envelope, data: [data] },
    { ...envelope, data: { orderId: 1, clientOid: 2 } },
    { ...envelope, data: null },
    { ...envelope, msg: 0 },
    { ...envelope, requestTime: String(requestTime) },
  ];
  const ways = hasActed ? [...broken, ...odd] : broken;
  return JSON.stringify(ways[random.below(ways.length)]);
}

/** Starts the answer and ends it early: by a reset, or by a normal end as `rule.how` says. */
export function cutShort(response: ServerResponse, status: number, text: string, rule: FaultRule): void {
  const { socket } = response;
  if (socket === null) return void response.destroy();
  const whole = Buffer.from(text, 'utf8');
  const isReset = rule.fault === 'reset';
  const how = isReset ? 'length' : rule.how;
  const isShort = how === 'close' ? rule.share : Math.min(rule.share, (whole.length - 1) / Math.max(1, whole.length));
  const part = whole.subarray(0, Math.floor(whole.length * isShort));
  const size = { length: `content-length: ${whole.length}\r\n`, chunked: 'transfer-encoding: chunked\r\n', close: 'connection: close\r\n' }[
    how
  ];
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json\r\n${size}\r\n`;
  const chunk = how === 'chunked' ? [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')] : [part];
  const bytes = Buffer.concat([Buffer.from(head), ...(part.length === 0 ? [] : chunk)]);
  if (!isReset) return void socket.end(bytes);
  socket.write(bytes, () => setImmediate(() => socket.resetAndDestroy()));
}

/** Sends a body of `bytes` bytes that looks like an answer until its end, as fast as the caller reads. */
export function sendHuge(response: ServerResponse, status: number, bytes: number): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.write(`{"code":"${SUCCESS_CODE}","msg":"${SUCCESS_MSG}","requestTime":0,"data":"`);
  const filler = Buffer.alloc(CHUNK, 'x');
  let left = bytes;
  const goOn = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= CHUNK;
      if (!response.write(filler)) return;
    }
    if (!response.writableEnded) response.end('"}');
  };
  response.on('drain', goOn);
  goOn();
}
