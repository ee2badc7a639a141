/** Of an account at the venue. */
export interface Credentials {
  readonly key: Secret;
  readonly secret: Secret;
  readonly passphrase: Secret;
}

/** A value that must never be printed: every conversion to text gives "[secret]". Only `reveal` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, only for signing. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [Symbol.toPrimitive](): string {
    return '[secret]';
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]';
  }
}
