/** Answers bytes that are not a valid HTTP request with an error envelope, then closes the connection. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { failure } from '../../../contract/envelope.ts';
import { GeneralRefusal, type GeneralName } from '../../../contract/endpoints/general-refusals.ts';

const REFUSALS: Readonly<Record<string, GeneralName>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'notSentInTime',
};

/** Sends a refusal, closes `socket` and returns the refusal. Null if the connection is already gone, or never sent a byte: it asked nothing. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, now: number): GeneralRefusal | null {
  if (!socket.writable || error.code === 'ECONNRESET' || (socket as Socket).bytesRead === 0) {
    socket.destroy();
    return null;
  }
  return write(socket, new GeneralRefusal(REFUSALS[error.code ?? ''] ?? 'malformedRequest'), now);
}

/** Refuses a CONNECT request, which Node passes as a bare socket. */
export function refuseConnect(socket: Duplex, now: number): GeneralRefusal {
  return write(socket, new GeneralRefusal('methodUnknown'), now);
}

function write(socket: Duplex, refusal: GeneralRefusal, now: number): GeneralRefusal {
  const { status } = refusal;
  const text = JSON.stringify(failure(refusal, now));
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  socket.on('error', () => undefined);
  socket.end(head + text);
  return refusal;
}
