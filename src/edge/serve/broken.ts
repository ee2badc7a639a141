/** Answers bytes that are not a valid HTTP request with an error envelope, then closes the connection. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { METHOD_UNKNOWN, type Refusal } from './refusals.ts';

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: '40001', msg: 'Request headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: '40001', msg: 'Request was not sent in time' },
};
const MALFORMED: Refusal = { status: 400, code: '40001', msg: 'Malformed HTTP request' };

/** Sends a refusal, closes `socket` and returns the refusal. Null if the connection is already gone. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, now: number): Refusal | null {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return null;
  }
  return write(socket, REFUSALS[error.code ?? ''] ?? MALFORMED, now);
}

/** Refuses a CONNECT request, which Node passes as a bare socket. */
export function refuseConnect(socket: Duplex, now: number): Refusal {
  return write(socket, METHOD_UNKNOWN, now);
}

function write(socket: Duplex, refusal: Refusal, now: number): Refusal {
  const { status, code, msg } = refusal;
  const text = JSON.stringify({ code, msg, requestTime: now, data: null });
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  socket.on('error', () => undefined);
  socket.end(head + text);
  return refusal;
}
