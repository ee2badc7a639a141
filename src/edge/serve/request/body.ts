/** Reads a request body up to a size limit. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

export type BodyResult = Buffer | 'too-large' | 'not-utf8' | 'aborted';

const EMPTY = Buffer.alloc(0);

/** Calls `done` once, with the complete body or the reason why there is none. Stops reading beyond `limit` bytes. */
export function readBody(message: IncomingMessage, limit: number, done: (body: BodyResult) => void): void {
  const declared = message.headers['content-length'];
  const isChunked = message.headers['transfer-encoding'] !== undefined;
  if (declared !== undefined && Number(declared) > limit) return done('too-large');
  if (!isChunked && (declared === undefined || declared === '0')) return done(EMPTY);
  const chunks: Buffer[] = [];
  let size = 0;
  let isDone = false;
  const finish = (result: BodyResult): void => {
    if (isDone) return;
    isDone = true;
    done(result);
  };
  message.on('data', (chunk: Buffer) => {
    if (isDone) return;
    size += chunk.length;
    if (size > limit) {
      chunks.length = 0;
      message.pause();
      return finish('too-large');
    }
    chunks.push(chunk);
  });
  message.on('end', () => {
    const [first] = chunks;
    const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size);
    finish(isUtf8(body) ? body : 'not-utf8');
  });
  message.on('error', () => finish('aborted'));
  message.on('close', () => finish('aborted'));
}
