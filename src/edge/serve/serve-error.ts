/** A socket that could not listen. */
export type ServeErrorCode = 'port-in-use' | 'cannot-listen';

export class ServeError extends Error {
  override readonly name = 'ServeError';
  readonly code: ServeErrorCode;
  constructor(code: ServeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
