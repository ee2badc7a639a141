/** Answers bytes that are not an HTTP request, so that even these get an envelope before the connection ends. */
import type { Duplex } from 'node:stream';

const STATUSES: Readonly<Record<string, readonly [status: string, msg: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'Request was not sent in time'],
};

/** Writes one refusal and ends `socket`. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, now: number): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, msg] = STATUSES[error.code ?? ''] ?? ['400 Bad Request', 'Malformed HTTP request'];
  const text = JSON.stringify({ code: '40001', msg, requestTime: now });
  const head = `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  socket.end(head + text);
}
