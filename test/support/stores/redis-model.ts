/**
 * An in-memory Redis with the features that the store uses: keys with a time to live, and the store's scripts rewritten in TypeScript.
 * `test/conformance/redis-model.test.ts` compares it with a real server.
 */
import { ACQUIRE, COMMIT, RELEASE, RENEW } from '../../../src/edge/redis/scripts.ts';

interface State {
  readonly strings: Map<string, { readonly value: string; readonly until: number }>;
  readonly hashes: Map<string, Map<string, string>>;
  readonly streams: Map<string, readonly (readonly [string, readonly string[]])[]>;
}

export class RedisModel {
  now = 0;
  #runs = 1;
  #state: State = { strings: new Map(), hashes: new Map(), streams: new Map() };

  /** The content of an up-to-date replica. */
  copy(): State {
    const { strings, hashes, streams } = this.#state;
    const copied = new Map([...hashes].map(([key, fields]) => [key, new Map(fields)]));
    return { strings: new Map(strings), hashes: copied, streams: new Map(streams) };
  }

  restore(state: State): void {
    this.#state = state;
  }

  /** Another run of the server, or another server. */
  begin(): void {
    this.#runs++;
  }

  /** Differs between runs and servers. */
  get replicationId(): string {
    return `history-${this.#runs}`;
  }

  flush(): void {
    this.#state = { strings: new Map(), hashes: new Map(), streams: new Map() };
  }

  expire(key: string): void {
    this.#state.strings.delete(key);
  }

  set(key: string, value: string): void {
    this.#set(key, value, Infinity);
  }

  script(lua: string, keys: readonly string[], args: readonly string[]): unknown {
    switch (lua) {
      case ACQUIRE:
        return this.#acquire(keys, args);
      case RENEW:
        return this.#renew(keys, args);
      case RELEASE:
        return this.#release(keys, args);
      case COMMIT:
        return this.#commit(keys, args);
      default:
        throw new Error('a script that the model does not implement');
    }
  }

  command(name: string, ...args: (string | number)[]): unknown {
    const [key, first, last, , count] = args.map(String) as [string, string, string, string, string];
    const stream = this.#state.streams.get(key) ?? [];
    switch (name) {
      case 'INFO':
        return `redis_version:7.4.0\r\nrole:master\r\naof_enabled:1\r\nmaxmemory_policy:noeviction\r\nrun_id:${this.#runs}\r\nmaster_replid:${this.replicationId}\r\n`;
      case 'CONFIG':
        return ['appendfsync', 'always'];
      case 'HMGET':
        return args.slice(1).map((field) => this.#state.hashes.get(key)?.get(String(field)) ?? null);
      case 'HGET':
        return this.#state.hashes.get(key)?.get(first) ?? null;
      case 'HGETALL':
        return [...(this.#state.hashes.get(key) ?? [])].flat();
      case 'XRANGE':
        return stream
          .filter(([id]) => placeOf(id) >= placeOf(first) && (last === '+' || placeOf(id) <= placeOf(last)))
          .slice(0, Number(count));
      case 'XREVRANGE':
        return stream.slice(-1);
      default:
        throw new Error(`a command that the model does not implement: ${name}`);
    }
  }

  #get(key: string): string | null {
    const found = this.#state.strings.get(key);
    return found === undefined || found.until <= this.now ? null : found.value;
  }

  #set(key: string, value: string, ms: number): void {
    this.#state.strings.set(key, { value, until: this.now + ms });
  }

  #fields(key: string): Map<string, string> {
    const found = this.#state.hashes.get(key) ?? new Map<string, string>();
    this.#state.hashes.set(key, found);
    return found;
  }

  #acquire([lease, fenceKey, head, journal]: readonly string[], [name, ms, format, genesis, run]: readonly string[]): unknown {
    const holder = this.#get(lease!);
    const match = holder === null ? null : /^(\d+) (.+)$/.exec(holder);
    if (holder !== null && match?.[2] !== name) {
      return ['held', holder, String(this.#state.strings.get(lease!)!.until - this.now)];
    }
    let fence = match?.[1];
    if (holder === null) {
      fence = String(Number(this.#get(fenceKey!) ?? 0) + 1);
      this.#set(fenceKey!, fence, Infinity);
      this.#set(lease!, `${fence} ${name}`, Number(ms));
    }
    if (!this.#state.hashes.has(head!) && !this.#state.streams.has(journal!)) {
      const fields = this.#fields(head!);
      for (const [field, value] of [
        ['format', format!],
        ['genesis', genesis!],
        ['position', '0'],
        ['link', genesis!],
      ] as const) {
        fields.set(field, value);
      }
    }
    const fields = this.#state.hashes.get(head!);
    const before = fields?.get('returned') === `${Number(fence) - 1} ${run}` ? 'returned' : 'open';
    return [
      'ok',
      fence,
      before,
      ...['format', 'genesis', 'position', 'link'].map((field) => fields?.get(field) ?? null),
      fields?.get('commit') ?? '',
    ];
  }

  #renew([lease, fenceKey]: readonly string[], [fence, name, ms]: readonly string[]): unknown {
    const found = this.#get(fenceKey!);
    const holder = this.#get(lease!);
    if (found !== fence || (holder !== null && holder !== `${fence} ${name}`)) return ['lost', found ?? 'false'];
    this.#set(lease!, `${fence} ${name}`, Number(ms));
    return ['ok'];
  }

  #release([lease, , head]: readonly string[], [fence, name, run]: readonly string[]): unknown {
    if (this.#get(lease!) === `${fence} ${name}`) {
      this.expire(lease!);
      if (run !== '') this.#state.hashes.get(head!)?.set('returned', `${fence} ${run}`);
    }
    return ['ok'];
  }

  #commit([lease, fenceKey, headKey, journal, entries]: readonly string[], args: readonly string[]): unknown {
    const [fence, name, ms, position, link, linkAfter, records, commit, commitBefore] = args;
    const found = this.#get(fenceKey!);
    const holder = this.#get(lease!);
    if (found !== fence || (holder !== null && holder !== `${fence} ${name}`)) return ['lost', found ?? 'false'];
    const head = this.#state.hashes.get(headKey!);
    const count = Number(records);
    if (head?.get('commit') === commit) {
      this.#set(lease!, `${fence} ${name}`, Number(ms));
      return ['ok', '0'];
    }
    if (
      head === undefined ||
      head.get('position') !== position ||
      head.get('link') !== link ||
      (head.get('commit') ?? '') !== commitBefore
    ) {
      return ['moved', head?.get('position') ?? 'false'];
    }
    const last = this.#state.streams.get(journal!)?.at(-1)?.[0].split('-')[0] ?? '0';
    if (last !== position) return ['moved', last];
    const values = String(this.#state.hashes.get(entries!)?.size ?? 0);
    const committed = head.get('entries') ?? '0';
    if (values !== committed) return ['values', values, committed];
    let at = 9;
    const added: [string, string[]][] = [];
    for (let i = 1; i <= count; i++, at += 5) {
      const [data, kind, seq, time, own] = args.slice(at, at + 5) as [string, string, string, string, string];
      added.push([`${Number(position) + i}-0`, ['data', data, 'kind', kind, 'seq', seq, 'time', time, 'link', own]]);
    }
    if (count > 0) this.#state.streams.set(journal!, [...(this.#state.streams.get(journal!) ?? []), ...added]);
    for (; at < args.length; at += 2) this.#fields(entries!).set(args[at]!, args[at + 1]!);
    head.set('position', String(Number(position) + count));
    head.set('link', linkAfter!);
    head.set('commit', commit!);
    head.set('entries', String(this.#state.hashes.get(entries!)?.size ?? 0));
    this.#set(lease!, `${fence} ${name}`, Number(ms));
    return ['ok', '0'];
  }
}

function placeOf(id: string): number {
  return Number(id.split('-')[0]);
}
