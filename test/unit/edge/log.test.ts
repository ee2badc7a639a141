import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { KeptLines } from '../../../src/edge/log/kept-lines.ts';
import { createLog, type LogOptions, type LogOutput } from '../../../src/edge/log/pino-log.ts';

function capture(options: Partial<LogOptions> = {}): { log: LogOutput; lines: string[]; records: () => Record<string, unknown>[] } {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', form: 'json', sink: { write: (line) => lines.push(line) }, ...options });
  return { log, lines, records: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('writes one JSON object per line: event, level, time, fields', () => {
    const { log, lines, records } = capture();
    log.info('poll-failed', { kind: 'quotes', attempts: 3 });
    log.error('halt');
    expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(records()).toMatchObject([
      { level: 'info', event: 'poll-failed', kind: 'quotes', attempts: 3 },
      { level: 'error', event: 'halt' },
    ]);
    expect(Object.keys(records()[0]!)).toEqual(['event', 'level', 'time', 'kind', 'attempts']);
    const { time } = records()[0] as { time: string };
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(5_000);
    expect(log.counts).toEqual({ debug: 0, info: 1, warn: 0, error: 1 });
  });

  it('keeps its last error for the status, without secrets and control characters', () => {
    const { log } = capture({ secrets: [new Secret('hunter22')], shows: () => false });
    expect(log.lastError).toBeNull();
    log.error('halt', { scope: 'bot' });
    log.error('order-rejected', { seq: 7, why: 'no\u001b[31m margin', told: 'hunter22' });
    log.warn('later');
    expect(log.lastError).toMatchObject({ event: 'order-rejected', text: String.raw`seq=7 why="no\u001b[31m margin" told=[secret]` });
    expect(Math.abs(log.lastError!.time - Date.now())).toBeLessThan(5_000);
  });

  it('omits lines below its level, and changes the level at run time', () => {
    const { log, lines } = capture({ level: 'warn' });
    log.info('no');
    log.warn('yes');
    log.setLevel('debug');
    log.debug('now');
    expect(lines).toHaveLength(2);
  });

  it('prints values that JSON cannot represent', () => {
    const { log, records } = capture();
    const loop: Record<string, unknown> = { n: 1 };
    loop['self'] = loop;
    log.info('odd', {
      big: 12345678901234567890n,
      nan: NaN,
      map: new Map([['a', 1n]]),
      set: new Set([1, 2]),
      when: new Date(0),
      error: new Error('outer', { cause: new TypeError('inner') }),
      loop,
      f: () => 1,
      none: undefined,
    });
    expect(records()[0]).toMatchObject({
      big: '12345678901234567890',
      nan: 'NaN',
      map: { a: '1' },
      set: [1, 2],
      when: '1970-01-01T00:00:00.000Z',
      error: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
      loop: { n: 1, self: '[circular]' },
      f: '[function]',
    });
  });

  it('does not let a field replace the level, the time or the event', () => {
    const { log, records } = capture();
    log.info('real', { level: 'fake', time: 1, event: 'fake' });
    expect(records()[0]).toMatchObject({ level: 'info', event: 'real', level_: 'fake', time_: 1, event_: 'fake' });
  });

  it('writes times as ISO texts, by the names of fields', () => {
    const { log, records } = capture();
    const at = Date.UTC(2026, 10, 28);
    log.info('since', { since: at, until: at + 0.5, readAt: at, nested: { at }, seq: at, sinceMs: 5, since2: 1, at: 7 });
    const iso = '2026-11-28T00:00:00.000Z';
    expect(records()[0]).toMatchObject({ since: iso, until: iso, readAt: iso, nested: { at: iso }, seq: at, sinceMs: 5, at: 7 });
  });

  it('takes no field for an error or a message of its own', () => {
    const { log, records } = capture();
    log.warn('odd', { err: { message: 'x' }, msg: 'y', error: new Error('z') });
    expect(records()[0]).toMatchObject({ event: 'odd', err: { message: 'x' }, msg: 'y', error: { message: 'z' } });
    expect(Object.keys(records()[0]!).filter((key) => key === 'event')).toHaveLength(1);
  });

  it('keeps the newest lines for tail --since, and says from when on', () => {
    const kept = new KeptLines(1_000);
    for (let time = 0; time < 10; time++) kept.add(time, `line ${time}`);
    expect([...kept.since(7)]).toEqual(['line 7', 'line 8', 'line 9']);
    expect([...kept.since(11)]).toEqual([]);
    expect(kept.from).toBe(-Infinity);
    const reading = kept.since(0);
    expect(reading.next().value).toBe('line 0');
    for (let time = 10; time < 1_000; time++) kept.add(time, `line ${time}`);
    const rest = [...reading];
    expect(kept.from).toBeGreaterThan(800);
    expect(rest[0]).toBe(`line ${kept.from}`);
    expect(rest.at(-1)).toBe('line 999');
    expect(rest).toHaveLength(1_000 - kept.from);
  });

  it('bounds depth, length and number of items', () => {
    const { log, lines } = capture();
    let deep: unknown = 'bottom';
    for (let i = 0; i < 1_000; i++) deep = { deep };
    log.info('large', { deep, long: 'x'.repeat(1e6), many: Array.from({ length: 1e5 }, (_, i) => i) });
    expect(lines[0]?.length).toBeLessThan(10_000);
  });

  const value = 'pa$$/w+rd "q" (x)\u00e9';
  const spellings = [
    value,
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('base64url'),
    encodeURIComponent(value),
  ];
  it('never prints a known secret, in any place and encoding', () => {
    const secret = new Secret(value);
    const places = (text: string): Record<string, unknown>[] => [
      { a: text },
      { a: { b: { c: { d: text } } } },
      { list: [['x-header', text]] },
      { error: new Error(`failed for ${text}`, { cause: new Error(text) }) },
      { error: Object.assign(new Error('x'), { config: { headers: { 'access-sign': text } } }) },
      { url: new URL(`https://user:${encodeURIComponent(text)}@example.com/`) },
      { secret, map: new Map([[text, text]]) },
      { [text]: 1 },
    ];
    for (const form of ['json', 'text'] as const) {
      const { log, lines } = capture({ secrets: [secret], form });
      for (const spelling of spellings) {
        log.info(`said ${spelling}`);
        for (const fields of places(`x${spelling}y`)) log.warn('place', fields);
      }
      const all = lines.join('');
      for (const spelling of spellings) expect(all).not.toContain(spelling);
      expect(all).not.toContain(JSON.stringify(value).slice(1, -1));
      expect(lines).toHaveLength(spellings.length * 9);
    }
  });

  it('never prints a secret for random values in random structures [security 2]', () => {
    const canary = 'CANARY-4f1d9';
    const { log, lines } = capture({ secrets: [new Secret(canary)] });
    const leaf = fc.oneof(
      fc.string(),
      fc.constant(canary),
      fc.string().map((s) => s + canary + s),
      fc.bigInt(),
      fc.double(),
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.string(), fc.constant(canary)), tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), tree, { maxKeys: 4 }), (event, fields) => {
        lines.length = 0;
        log.info(event + canary, fields);
        expect(lines).toHaveLength(1);
        expect(lines[0]).not.toContain(canary);
        JSON.parse(lines[0] ?? '');
      }),
      { numRuns: 2_000 },
    );
  });

  it('breaks text lines at blanks to the width of the terminal, and keeps every word', () => {
    for (const colours of [false, true]) {
      const { log, lines } = capture({ form: 'text', colours, width: () => 60 });
      log.warn('clock-disagrees', {
        url: 'http://127.0.0.1:9/'.padEnd(70, 'x'),
        why: 'the venue answered with a time that is far away',
        ms: 12_345,
      });
      const shown = stripVTControlCharacters(lines.join('')).trimEnd().split('\n');
      expect(shown.length).toBeGreaterThan(2);
      for (const line of shown.slice(1)) expect(line).toMatch(/^ {13}\S/);
      for (const line of shown.filter((one) => !one.includes('xxx'))) expect(line.length).toBeLessThanOrEqual(60);
      expect(shown.map((line) => line.trim()).join(' ')).toContain('why="the venue answered with a time that is far away" ms=12345');
    }
  });

  it('hides fields that are named like secrets, at any depth', () => {
    const { log, lines } = capture();
    log.info('x', { a: { b: { apiSecret: 'v1', 'ACCESS-SIGN': 'v2', passphrase: 'v3' } }, list: [{ Authorization: 'v4' }], key: 'v5' });
    expect(lines[0]).not.toMatch(/v[1-5]/);
  });

  it('prints a readable line to a terminal and escapes control characters of foreign text', () => {
    const { log, lines } = capture({ form: 'text' });
    log.warn('order-rejected', { symbol: 'BTCUSDT', message: 'bad\u001b[2J\nsize\u202e', size: 3, none: null });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}order-rejected symbol=BTCUSDT message=".*" size=3 none=null\n$/);
    // oxlint-disable-next-line no-control-regex
    expect(lines[0]?.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(capture({ form: 'text', colours: true }).log.warn('x')).toBeUndefined();
  });

  it('escapes hidden characters and direction overrides in JSON lines, for readers and listeners alike', () => {
    const text = 'a\u202egnp.exe\u2066b\u200b\u00ad\u{e0041}\ufe0f\u3164\n\u0085z';
    const { log, lines } = capture();
    const heard: string[] = [];
    log.listen((line) => heard.push(line) > 0);
    log.warn('order-rejected', { message: text, [text]: 1 });
    for (const line of [lines[0]!, heard[0]!]) {
      expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(line).toContain('a\\u202egnp.exe\\u2066b\\u200b\\u00ad\\udb40\\udc41\\ufe0f\\u3164\\n\\u0085z');
      expect(JSON.parse(line)).toMatchObject({ message: text });
    }
  });

  it('prints trading events as sentences in a terminal', () => {
    const { log, lines } = capture({ form: 'text' });
    const order = { seq: 7, strategy: 'ema', symbol: 'BTCUSDT', side: 'LONG', effect: 'CLOSE', reason: 'down\u001b[2J', size: '0.010' };
    log.info('order-placed', { ...order, price: null });
    log.info('order-placed', { ...order, price: null, strategy: '', reason: 'flatten' });
    log.info('order-moved', { ...order, price: '1000.5', replaces: 6 });
    log.info('order-cancelled', { ...order, filled: '0.000', why: 'too old' });
    log.info('fill', { ...order, price: '1000.5', fee: '0.36', profit: '-1.2', after: '0.000' });
    log.info('exit', { ...order, what: 'stop-loss', trigger: '990', price: '989.5', profit: '-3', position: '0.000' });
    expect(lines.map((line) => line.slice(13))).toEqual([
      'placed    #7 BTCUSDT LONG CLOSE 0.010 at market · ema: down\\u001b[2J\n',
      'placed    #7 BTCUSDT LONG CLOSE 0.010 at market · flatten\n',
      'moved     #7 BTCUSDT LONG CLOSE 0.010 at 1000.5 · was #6 · ema: down\\u001b[2J\n',
      'cancelled #7 BTCUSDT LONG CLOSE 0.010, 0.000 filled · too old · ema\n',
      'filled    #7 BTCUSDT LONG CLOSE 0.010 at 1000.5 · fee 0.36 · profit -1.2 · position 0.000 · ema: down\\u001b[2J\n',
      'stop-loss #7 BTCUSDT LONG CLOSE 0.010 at 989.5 · trigger 990 · profit -3 · position 0.000 · ema: down\\u001b[2J\n',
    ]);
  });

  it('sends errors to one sink and all else to another, and filters lines for a terminal', () => {
    const belowErrors: string[] = [];
    const { log, lines } = capture({
      belowErrors: { write: (line: string) => belowErrors.push(line) },
      shows: (level, event) => level !== 'info' || event === 'fill',
    });
    log.info('fill');
    log.info('poll-plan');
    log.warn('rate-limited');
    log.error('halt');
    expect(belowErrors.map((line) => JSON.parse(line).event)).toEqual(['fill', 'rate-limited']);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['halt']);
  });

  it('passes every line to listeners, as JSON and scrubbed, until they leave', () => {
    const heard: string[] = [];
    const { log } = capture({ form: 'text' });
    const leave = log.listen((line) => heard.push(line) < 2);
    for (const event of ['one', 'two', 'three']) log.info(event);
    leave();
    expect(heard.map((line) => JSON.parse(line).event)).toEqual(['one', 'two']);
  });
});
