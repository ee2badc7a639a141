/** Starts listening on a port, with a clear error if that fails. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ServeErrorCode = 'port-in-use' | 'cannot-listen';

export class ServeError extends Error {
  override readonly name = 'ServeError';
  readonly code: ServeErrorCode;
  constructor(code: ServeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Listens on `port` of `host`; 0 lets the system choose. Returns the port. @throws ServeError */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      const text = isTaken
        ? `port ${port} of ${host} is in use; choose another, or 0 to let the system choose`
        : `cannot listen on ${host}:${port}: ${error.message}`;
      reject(new ServeError(isTaken ? 'port-in-use' : 'cannot-listen', text, { cause: error }));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve((server.address() as AddressInfo).port);
    });
  });
}
