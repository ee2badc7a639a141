/** Text on the terminal: columns align, the status line never wraps, and foreign text cannot move the cursor. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatStatus, StatusLine } from '../../../src/cli/terminal/status-line.ts';
import { grouped, span } from '../../../src/base/text/figures.ts';
import { table } from '../../../src/report/document/text-table.ts';
import { bytes, fitted, fitting, painter, safeText, sized, widthOf } from '../../../src/cli/terminal/terminal.ts';
import type { Output, StatusSnapshot } from '../../../src/run/setup/options.ts';

const PLAIN = painter(false, {});

const snapshot: StatusSnapshot = {
  time: Date.UTC(2024, 7, 8, 23, 55, 1),
  phase: 'armed',
  symbols: [{ symbol: 'BTCUSDT', bid: '61800.20', ask: '61800.30', last: '61800.30', long: '0.010', short: '0.000' }],
  equity: '100012.50',
  pnl: '12.50',
  orders: 2,
  fills: 7,
  polls: 100,
  requests: 120,
  errors: 0,
  unknown: 0,
  halted: [],
  disabled: [],
};

describe('the status line', () => {
  test('has time, prices, position, orders, equity, profit, poll rate and requests', () => {
    const before = { ...snapshot, time: snapshot.time - 2000, polls: 75 };
    expect(formatStatus(snapshot, before, 300, PLAIN)).toBe(
      '23:55:01 BTCUSDT 61800.20/.30 long 0.010 · 2 open, 7 fills · equity 100,012.50 +12.50 · polls 13/s requests 120',
    );
  });

  test('starts with halts and unknown outcomes, and has errors only if there are any', () => {
    const line = formatStatus({ ...snapshot, halted: ['BTCUSDT'], unknown: 1, errors: 3 }, null, 300, PLAIN);
    expect(line).toMatch(/^23:55:01 HALTED BTCUSDT · unknown 1 · /);
    expect(line).toMatch(/errors 3$/);
  });

  test('starts with a disabled strategy, because the bot continues without it', () => {
    const line = formatStatus({ ...snapshot, disabled: ['a', 'b'], halted: ['BTCUSDT'] }, null, 300, PLAIN);
    expect(line).toMatch(/^23:55:01 DISABLED a,b · HALTED BTCUSDT · /);
  });

  test('says how far a strategy is with its bars, in 80 columns', () => {
    const line = formatStatus({ ...snapshot, warmingUp: '14 of 60 1h bars' }, null, 79, PLAIN);
    expect(line).toBe('23:55:01 warming up: 14 of 60 1h bars · BTCUSDT long 0.010 · 2 open, 7 fills');
  });

  test('has no equity before the account was read', () => {
    expect(formatStatus({ ...snapshot, equity: '', pnl: '' }, null, 300, PLAIN)).toContain(' 7 fills · equity – · polls ');
  });

  test('has orders, fills and equity in 80 columns, in a halt too', () => {
    const busy = { ...snapshot, fills: 17, equity: '99994.11', pnl: '-5.89' };
    const text = '23:55:01 BTCUSDT 61800.20/.30 short 0.010';
    const symbols = [{ ...snapshot.symbols[0]!, long: '0.000', short: '0.010' }];
    const [narrow, wide] = [79, 97].map((width) => formatStatus({ ...busy, placed: 54, symbols }, null, width, PLAIN));
    expect(narrow).toBe('23:55:01 BTCUSDT short 0.010 · 2 open, 54 placed, 17 fills · 99,994.11 -5.89');
    expect(wide).toBe(`${text} · 2 open, 54 placed, 17 fills · 99,994.11 -5.89`);
    const halted = { ...busy, symbols, halted: ['bot'], ends: 'tickwright resume all' };
    expect(formatStatus(halted, null, 79, PLAIN)).toBe('23:55:01 HALTED bot · BTCUSDT short 0.010 · 2 open, 17 fills · 99,994.11 -5.89');
  });

  test('says if there is no quote and no position', () => {
    const symbols = [{ symbol: 'A', bid: '', ask: '', last: '', long: '0', short: '0.000' }];
    expect(formatStatus({ ...snapshot, symbols }, null, 300, PLAIN)).toMatch(/ A no quote flat ·/);
  });

  test('shows everything about one market within 120 columns', () => {
    const busy = { ...snapshot, orders: 2, fills: 1_234, requests: 123_456, equity: '100000.00', pnl: '-12.34' };
    const before = { ...busy, time: busy.time - 1000, polls: 76 };
    const line = formatStatus(busy, before, 119, PLAIN);
    expect(line).toMatch(/BTCUSDT 61800.20\/.30 long 0.010 · .* · polls 24\/s requests 123k$/);
  });

  test('of many markets shows those with a position, and the number of others', () => {
    const flat = { symbol: 'A', bid: '1', ask: '2', last: '', long: '0', short: '0' };
    const held = { ...flat, symbol: 'HELD', short: '3' };
    const symbols = [flat, { ...flat, symbol: 'B' }, held];
    expect(formatStatus({ ...snapshot, symbols }, null, 300, PLAIN)).toMatch(/ HELD 1\/2 short 3 · A 1\/2 flat · B 1\/2 flat · 2 open/);
    expect(formatStatus({ ...snapshot, symbols }, null, 108, PLAIN)).toMatch(/ HELD 1\/2 short 3 · \+2 more · 2 open.* requests 120$/);
  });

  test('names the phase while the bot does not trade', () => {
    expect(formatStatus({ ...snapshot, phase: 'reconciling' }, null, 300, PLAIN)).toMatch(/^23:55:01 reconciling · /);
  });

  test('is never wider than the terminal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 200 }), (width) => {
        expect(formatStatus(snapshot, null, width, PLAIN).length).toBeLessThanOrEqual(width);
      }),
    );
  });

  test('rewrites one line of a terminal; log lines go above it', () => {
    const written: string[] = [];
    const line = new StatusLine({ write: (text) => written.push(text), columns: 40 }, true, PLAIN);
    line.update(snapshot);
    line.write('a log line\n');
    line.end();
    const shown = formatStatus(snapshot, null, 39, PLAIN);
    expect(written).toEqual([`\r\u001b[2K${shown}`, `\r\u001b[2Ka log line\n${shown}`, '\n']);
  });

  test('has 80 columns on a terminal that does not know its size', () => {
    const written: string[] = [];
    new StatusLine(sized({ write: (text) => written.push(text), columns: 0 }), true, PLAIN).update(snapshot);
    expect(written).toEqual([`\r\u001b[2K${formatStatus(snapshot, null, 79, PLAIN)}`]);
    expect(widthOf(sized({ write: () => true, columns: 0 }))).toBe(80);
  });

  test('is absent without a terminal', () => {
    const written: string[] = [];
    const line = new StatusLine({ write: (text) => written.push(text) }, false, PLAIN);
    line.update(snapshot);
    line.write('{"event":"x"}\n');
    line.end();
    expect(written).toEqual(['{"event":"x"}\n']);
  });
});

describe('colours', () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
  ])('terminal %s with %j: %s', (isTty, env, isColoured) => {
    expect(painter(isTty, env)('red', 'x') !== 'x').toBe(isColoured);
  });
});

test('columns align, numbers to the right, ignoring colour codes', () => {
  const paint = painter(true, {});
  const text = table(
    [{ title: 'name' }, { title: 'size', align: 'right' }],
    [
      ['a', '1.5'],
      [paint('red', 'longer'), '10.25'],
    ],
  );
  // oxlint-disable-next-line no-control-regex
  expect(text.replace(/\u001b\[\d+m/g, '').split('\n')).toEqual(['name     size', 'a         1.5', 'longer  10.25', '']);
});

test('foreign text cannot move the cursor or reverse its direction', () => {
  expect(safeText('a\u001b[2Kb\rc\u0007\u202ed')).toBe('ab·c··d');
});

test('numbers in readable form', () => {
  expect(['1234567.5', '-1000', '999', '0.1234567'].map(grouped)).toEqual(['1,234,567.5', '-1,000', '999', '0.1234567']);
  expect([0, 999, 1000, 12_345_678].map(bytes)).toEqual(['0 B', '999 B', '1.0 kB', '12.3 MB']);
  expect([0, 9_999, 60_000, 3_723_000, 90_061_000].map(span)).toEqual(['0.0s', '10.0s', '1m 00s', '1h 02m 03s', '1d 01h 01m']);
});

describe('a table', () => {
  const columns = [
    { title: 'file', flows: true as const },
    { title: 'rows', align: 'right' as const },
    { title: 'why', flows: true as const },
  ];
  const rows = [
    ['a.csv', '12', 'none'],
    ['a/long/path/of/folders/that/nobody/can/type/trades-2026-11-22.csv', '1,234', 'a reason of many words that goes on and on'],
  ];

  test('stays within its width, whatever its content, and loses nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 130 }), (width) => {
        const text = table(columns, rows, width);
        for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
        const count = (all: string, letter: string): number => all.split(letter).length - 1;
        const given = rows.flat().join('');
        for (const letter of new Set(given.replaceAll(' ', ''))) expect(count(text, letter)).toBeGreaterThanOrEqual(count(given, letter));
      }),
    );
  });

  test('without a limit has one line per row', () => {
    expect(table(columns, rows, Infinity).trimEnd().split('\n')).toHaveLength(3);
  });

  test('wraps the longest titles first, and only those that it must', () => {
    const titles = ['largest position', 'net per size'].map((title) => ({ title, align: 'right' as const }));
    const figures = [['646', '197.42']];
    expect(table(titles, figures, 30)).toBe('largest position  net per size\n             646        197.42\n');
    expect(table(titles, figures, 29)).toBe(' largest  net per size\nposition\n     646        197.42\n');
    expect(table(titles, figures, 20)).toBe(' largest     net\nposition     per\n            size\n     646  197.42\n');
  });

  test('prints columns for which there is no room below the row, together', () => {
    const params = ['fast', 'slow'].map((title) => ({ title, flows: true as const }));
    const row = ['a-name-of-30-letters-and-digits', '12', '50'];
    expect(table([{ title: '' }, ...params], [row], 32)).toBe(`${row[0]}\n    fast: 12; slow: 50\n`);
  });

  test('is not wider than 80 columns, if nothing is said', () => {
    const words = 'a word and another '.repeat(20).trim();
    for (const line of table([{ title: '' }, { title: '', flows: true }], [['name', words]]).split('\n'))
      expect(line.length).toBeLessThanOrEqual(80);
  });
});

describe('sentences at a terminal', () => {
  const long = `error: ${'word '.repeat(20)}end\n  a hint of ${'more '.repeat(20)}words\n/a/${'path'.repeat(30)}\nshort\n`;

  test('are broken at blanks, and go on two blanks further right; a word stays whole', () => {
    const lines = fitted(long, { columns: 80 }).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([`/a/${'path'.repeat(30)}`]);
    expect(lines.slice(0, 3)).toEqual([
      `error: ${'word '.repeat(14)}`.trimEnd(),
      `  ${'word '.repeat(6)}end`,
      `  a hint of ${'more '.repeat(13)}`.trimEnd(),
    ]);
    expect(lines.join(' ').replace(/ +/g, ' ')).toBe(long.split('\n').join(' ').replace(/ +/g, ' '));
  });

  test('stay whole in a pipe, and where the cursor is moved', () => {
    const written: string[] = [];
    const output = (columns?: number): Output => fitting({ write: (text) => (written.push(text), true), columns });
    for (const [columns, text] of [
      [undefined, long],
      [80, `\r${long}`],
    ] as const)
      output(columns).write(text);
    expect(written).toEqual([long, `\r${long}`]);
  });

  test('a long name in a table is cut after a hyphen, a dot or a slash', () => {
    const text = table(
      [{ title: 'name' }, { title: 'x' }].map((one) => ({ ...one, flows: true as const })),
      [['the-holder-of-bitcoin', 'y'.repeat(16)]],
      36,
    );
    expect(text).toBe('name                x\nthe-holder-of-      yyyyyyyyyyyyyyyy\nbitcoin\n');
  });
});
