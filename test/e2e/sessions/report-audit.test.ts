/** `report audit`: a bot over HTTP that is killed with kill -9 agrees with the exchange's ledger; a ledger with one altered line does not. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { LedgerLine } from '../../../src/edge/file/ledger/read-ledger.ts';
import type { AuditLine } from '../../../src/run/live/audit/audit.ts';
import type { SessionAudit } from '../../../src/run/live/audit/session-audit.ts';
import { addressOf, cleanUp, freshFolder, runToEnd, STOPPED } from '../process.ts';
import { Scene } from '../scene.ts';

afterEach(cleanUp);

const UNGUARDED = { TICKWRIGHT_STRATEGY_GUARD: 'off' };

type Line = LedgerLine & { n: number };

it('every line of a killed bot agrees with the ledger, and each altered line is found', { timeout: 300_000 }, async () => {
  const scene = new Scene(11);
  const exchange = scene.exchange();
  const url = await addressOf(exchange);
  let bot = scene.run(url);
  for (let kill = 0; kill < 2; kill++) {
    await bot.untilLogged('fill', 12);
    await bot.kill('SIGKILL');
    bot = scene.run(url);
  }
  await bot.untilLogged('fill', 12);
  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGTERM');

  const audited = async (
    ledger: string,
    session = scene.botFolder,
  ): Promise<{ readonly code: number | null; readonly found: SessionAudit }> => {
    const { code, out, err } = await runToEnd(['report', 'audit', '--session', session, '--ledger', ledger, '--json'], UNGUARDED);
    expect(err).toBe('');
    return { code, found: JSON.parse(out) as SessionAudit };
  };
  const { code, found } = await audited(scene.ledgerFolder);
  expect([found.first, code]).toEqual([null, 0]);
  expect(found.sessions).toHaveLength(3);
  expect(found.notes.filter((note) => note.includes('the bot was killed'))).toHaveLength(2);
  const { order, fills, fee, balance, position } = found.counts;
  // How many there are depends on when the bot is killed.
  expect(order.agrees).toBeGreaterThan(15);
  expect(fee.agrees).toBeGreaterThan(8);
  expect(fills.agrees).toBeGreaterThan(fee.agrees);
  expect(balance.agrees).toBeGreaterThan(5);
  expect(position.agrees).toBe(4);

  // Of a session that was killed, the next ones are read too: they booked what it had not read.
  const followed = await Promise.all(found.sessions.map((session) => audited(scene.ledgerFolder, session)));
  expect(followed.map(({ found: { sessions } }) => sessions.length)).toEqual([3, 2, 1]);
  expect(followed.map((one) => [one.code, one.found.first])).toEqual(followed.map(() => [0, null]));
  expect(followed[0]!.found.lines).toEqual(found.lines);

  // One line of a copy is altered, about an order or a sum amid those that agree.
  const lines = readFileSync(join(scene.ledgerFolder, 'ledger.jsonl'), 'utf8').trimEnd().split('\n');
  const parsed = lines.map((text) => JSON.parse(text) as Line);
  const numbers = new Map(parsed.flatMap((one) => (one.kind === 'order' ? [[String(one.order['clientOid']), one.order.no]] : [])));
  const orderOf = (line: Line): number | null =>
    line.kind === 'fill' ? line.fill.orderNo : line.kind === 'end' ? line.orderNo : line.kind === 'order' ? line.order.no : null;
  const unsure = new Set(found.lines.filter(({ verdict }) => verdict === 'not recorded').map(({ id }) => id));
  /** Of a fill whose price the bot did not learn, only the size is compared. */
  const isWhole = ({ what, recorded }: AuditLine): boolean => recorded !== 'none' && (what !== 'fills' || recorded.includes(' at '));
  const agreed = (what: string): AuditLine[] =>
    found.lines.filter((one) => one.what === what && !unsure.has(one.id) && one.verdict === 'agrees' && one.line > 0 && isWhole(one));
  const amid = <T>(all: readonly T[]): T => all[Math.floor(all.length / 2)]!;
  const toAlter = (kind: string, what: string): { readonly id: string; readonly at: number } =>
    amid(
      agreed(what).flatMap(({ id }) => {
        const no = numbers.get(id);
        const at = parsed.findIndex((one) => no !== undefined && one.kind === kind && orderOf(one) === no);
        return at < 0 ? [] : [{ id, at }];
      }),
    );
  const changes: readonly (readonly [what: string, kind: string, change: (text: string) => string])[] = [
    ['order', 'order', (text) => text.replace(/"size":(\d+)/, (_, size: string) => `"size":${Number(size) + 1}`)],
    // One fill of several by one tick is less than the half tick to which an average is known.
    ['fills', 'fill', (text) => text.replace(/"price":(\d+)/, (_, price: string) => `"price":${2 * Number(price)}`)],
    ['fee', 'fill', (text) => text.replace(/"fee":(\d+)/, (_, amount: string) => `"fee":${Number(amount) + 1}`)],
    ['end', 'end', (text) => text.replace(/"how":\d/, '"how":7')],
  ];
  for (const [what, kind, change] of changes) {
    const { id, at } = toAlter(kind, what);
    const folder = freshFolder();
    writeFileSync(join(folder, 'ledger.jsonl'), `${lines.map((text, k) => (k === at ? change(text) : text)).join('\n')}\n`);
    expect(change(lines[at]!), what).not.toBe(lines[at]);
    const altered = await audited(folder);
    expect([altered.code, altered.found.first?.what, altered.found.first?.id], what).toEqual([1, what, id]);
    expect(
      altered.found.lines.filter(({ verdict }) => verdict === 'differs'),
      what,
    ).toHaveLength(1);
  }
  const cashAt = lines.findLastIndex(
    (text) => text.includes('"kind":"cash"') && (JSON.parse(text) as Line).n <= amid(agreed('balance')).line,
  );
  const folder = freshFolder();
  cpSync(scene.ledgerFolder, folder, { recursive: true });
  const moved = lines.map((text, k) =>
    k === cashAt ? text.replace(/"amount":(-?\d+)/, (_, amount: string) => `"amount":${Number(amount) + 1}`) : text,
  );
  writeFileSync(join(folder, 'ledger.jsonl'), `${moved.join('\n')}\n`);
  const richer = await runToEnd(['report', 'audit', '--session', scene.botFolder, '--ledger', folder], UNGUARDED);
  expect(richer.code).toBe(1);
  expect(richer.out.replaceAll(/\s+/g, ' ')).toMatch(/They differ first at \S+ \S+, line \d+ of the ledger: balance of USDT\./);

  // Wrong files.
  const wrong = async (session: string, ledger: string): Promise<string> => {
    const { code: failed, err } = await runToEnd(['report', 'audit', '--session', session, '--ledger', ledger], UNGUARDED);
    expect(failed).toBeGreaterThan(1);
    return err;
  };
  expect(await wrong(scene.botFolder, scene.botFolder)).toContain('there is no ledger in');
  expect(await wrong(scene.ledgerFolder, scene.ledgerFolder)).toContain('expected the folder of a recorded session');
  const other = freshFolder();
  writeFileSync(join(other, 'ledger.jsonl'), `${lines[0]}\n`);
  expect(await wrong(scene.botFolder, other)).toMatch(/found none of its \d+ orders/);
  writeFileSync(join(other, 'ledger.jsonl'), `${lines[0]}\nnothing\n`);
  expect(await wrong(scene.botFolder, other)).toMatch(/expected line 2 of a ledger, found "nothing"/);
});
