/** Every key the bot has in Redis. The braces are a hash tag: all keys of one bot are in one slot of a cluster. */
export interface Keys {
  /** Stream: one entry per journal record, its id is `<position>-0`. */
  readonly journal: string;
  /** Hash: the values of `put`. */
  readonly entries: string;
  /** Hash: format, genesis, position and link of the last committed record. */
  readonly head: string;
  /** String with a time to live: who may write. */
  readonly lease: string;
  /** Counter that never expires: grows with every lease, so an old holder is known as one. */
  readonly fence: string;
}

/** Keys under `prefix`, which is 1 to 64 letters, digits, `-`, `_`, `.` or `:`. @throws RangeError */
export function keysOf(prefix: string): Keys {
  if (!/^[\w.:-]{1,64}$/.test(prefix)) {
    throw new RangeError(`a key prefix of 1 to 64 letters, digits, "-", "_", "." or ":" was expected, found ${JSON.stringify(prefix)}`);
  }
  const key = (name: string): string => `{${prefix}}:${name}`;
  return { journal: key('journal'), entries: key('entries'), head: key('head'), lease: key('lease'), fence: key('fence') };
}
