/** Writes the journal of a backup to Redis. Until it is whole, its head says so, and no bot opens it. */
import { Failure } from '../../base/failure/failure.ts';
import { StoreError, type RecordPlace } from '../../ports/store.ts';
import type { Row } from '../journal-rows.ts';
import { summedValue } from './entry.ts';
import { FORMAT, RESTORING } from './image.ts';
import { keysOf } from './keys.ts';
import { RedisClient } from './redis-client.ts';
import { scriptKeys } from './scripts.ts';

/**
 * Begins. ARGV: format of a journal that is being restored, genesis. KEYS as `scriptKeys`. What a restore left that was killed is deleted.
 * → 'ok', 'held' or 'exists'.
 */
const BEGIN = `
if redis.call('EXISTS', KEYS[1]) == 1 then return 'held' end
local format = redis.call('HGET', KEYS[3], 'format')
if format and format ~= ARGV[1] then return 'exists' end
if not format and redis.call('EXISTS', KEYS[4]) == 1 then return 'exists' end
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
redis.call('HSET', KEYS[3], 'format', ARGV[1], 'genesis', ARGV[2], 'position', '0', 'link', ARGV[2])
return 'ok'
`;

/** Adds. ARGV: n records, then n × (position, data, kind, seq, time, link), then alternating keys and values. Safe to repeat. */
const ADD = `
local at = 2
for i = 1, tonumber(ARGV[1]) do
  local last = redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 1)[1]
  if not last or tonumber(string.match(last[1], '^%d+')) < tonumber(ARGV[at]) then
    redis.call('XADD', KEYS[4], ARGV[at] .. '-0',
      'data', ARGV[at + 1], 'kind', ARGV[at + 2], 'seq', ARGV[at + 3], 'time', ARGV[at + 4], 'link', ARGV[at + 5])
  end
  at = at + 6
end
while at < #ARGV do
  redis.call('HSET', KEYS[5], ARGV[at], ARGV[at + 1])
  at = at + 2
end
return 'ok'
`;

/** Ends: a bot may open it. ARGV: format while it is restored, format, position, link. The fence shuts out whoever wrote there before. */
const END = `
local format = redis.call('HGET', KEYS[3], 'format')
if format == ARGV[2] and redis.call('HGET', KEYS[3], 'link') == ARGV[4] then return 'ok' end
if format ~= ARGV[1] then return 'exists' end
redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[3], 'format', ARGV[2], 'position', ARGV[3], 'link', ARGV[4], 'entries', tostring(redis.call('HLEN', KEYS[5])))
return 'ok'
`;

/** Records and values of one call. */
const AT_ONCE = 500;

export class RestoredJournal {
  readonly #client: RedisClient;
  readonly #keys: string[];
  readonly #place: string;
  #records: string[] = [];
  #values: string[] = [];
  #last: RecordPlace;

  private constructor(client: RedisClient, prefix: string, base: RecordPlace) {
    this.#client = client;
    this.#keys = scriptKeys(keysOf(prefix));
    this.#place = `${keysOf(prefix).journal} at redis ${client.address}`;
    this.#last = base;
  }

  /** @throws Failure store-exists; StoreError locked if a bot has it, unsafe if Redis cannot hold it, or as of a connection */
  static async begin(
    options: { readonly url: string; readonly prefix: string; readonly acceptPlaintext: boolean },
    base: RecordPlace,
  ): Promise<RestoredJournal> {
    if (base.position > 0) {
      const what = `the first ${base.position} records were deleted by age, and a journal in Redis has all of its records`;
      throw new StoreError('unsafe', `${what}: restore it to an embedded store`);
    }
    const client = new RedisClient({ url: options.url, timeoutMs: 5_000, refusesPlaintext: !options.acceptPlaintext });
    try {
      const journal = new RestoredJournal(client, options.prefix, base);
      await journal.#call(BEGIN, [RESTORING, base.link]);
      return journal;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  async value(key: string, value: string): Promise<void> {
    this.#values.push(key, summedValue(key, value));
    if (this.#values.length >= AT_ONCE) await this.#add();
  }

  async record({ position, data, kind, seq, time, link }: Row): Promise<void> {
    this.#records.push(String(position), data, kind, String(seq), String(time), link);
    this.#last = { position, link };
    if (this.#records.length >= AT_ONCE * 6) await this.#add();
  }

  /** A bot can open it from now on. */
  async publish(): Promise<void> {
    await this.#add();
    await this.#call(END, [RESTORING, FORMAT, String(this.#last.position), this.#last.link]);
  }

  close(): void {
    this.#client.close();
  }

  async #add(): Promise<void> {
    await this.#call(ADD, [String(this.#records.length / 6), ...this.#records, ...this.#values]);
    this.#records = [];
    this.#values = [];
  }

  async #call(script: string, args: readonly string[]): Promise<void> {
    const reply = await this.#client.script(script, this.#keys, args);
    if (reply === 'held') throw new StoreError('locked', `${this.#place} is in use: stop that bot, or wait 15 s if it crashed`);
    if (reply !== 'ok')
      throw new Failure('store-exists', { what: `there is a journal ${this.#place}`, hint: 'use another database of Redis' });
  }
}
