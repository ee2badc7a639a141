/** All keys of a bot in Redis. The braces are a hash tag, so that all keys of one bot are in the same slot of a cluster. */
export interface Keys {
  /** Stream: one entry per journal record, its id is `<position>-0`. */
  readonly journal: string;
  /** Hash: the values of `put`. */
  readonly entries: string;
  /** Hash: format, genesis, and position and link of the last committed record. */
  readonly head: string;
  /** String with a time to live: the current holder of the right to write. */
  readonly lease: string;
  /** Counter without expiry. It grows with every new lease, so that an old holder is recognised. */
  readonly fence: string;
}

/** Keys under `prefix`, which is 1 to 64 letters, digits, `-`, `_`, `.` or `:`. @throws RangeError */
export function keysOf(prefix: string): Keys {
  if (!/^[\w.:-]{1,64}$/.test(prefix)) {
    throw new RangeError(`expected a key prefix of 1 to 64 letters, digits, "-", "_", "." or ":", found ${JSON.stringify(prefix)}`);
  }
  const key = (name: string): string => `{${prefix}}:${name}`;
  return { journal: key('journal'), entries: key('entries'), head: key('head'), lease: key('lease'), fence: key('fence') };
}
