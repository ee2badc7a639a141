/** The ends of a monitor beside its bot: one that was asked to end loses no bot, and one that only starts ends with the bot. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ConnectionRow } from '../../../../src/control/changes.ts';
import { controlPath } from '../../../../src/edge/control/socket-path.ts';
import { keepProcess } from '../../../../src/run/bot/kept-process.ts';
import { followBot } from '../../../../src/run/monitor/followed/follow-bot.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ends-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a monitor that is asked to end has not lost its bot; a bot that hangs up is lost', async () => {
  const line = `${JSON.stringify({ id: 'a-1', kind: 'status', time: 1, status: {} })}\n`;
  const server = createServer((_request, response) => void response.writeHead(200).write(line));
  await new Promise<void>((done) => void server.listen(controlPath(folder), done));
  const statesOf = async (end: (stop: AbortController) => void, count: number): Promise<readonly string[]> => {
    const states: string[] = [];
    const stop = new AbortController();
    const onConnection = ({ state }: { readonly state: string }): void => void states.push(state);
    const ended = followBot({ folder, now: Date.now, onChange: () => undefined, onConnection, stopped: () => null }, stop.signal);
    await vi.waitUntil(() => states.length === 1, { timeout: 60_000 });
    end(stop);
    await vi.waitUntil(() => states.length === count, { timeout: 60_000 });
    stop.abort();
    await ended;
    return states;
  };
  expect(await statesOf((stop) => stop.abort(), 1)).toEqual(['connected']);
  expect((await statesOf(() => server.closeAllConnections(), 2)).slice(0, 2)).toEqual(['connected', 'lost']);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('a bot that starts again in place is waited for, and is lost if it does not', async () => {
  const lines = (end: object): string =>
    [
      { id: 'a-1', kind: 'status', time: 1, status: {} },
      { id: 'a-2', kind: 'end', time: 1, end },
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join('');
  let [end, now, asked] = [{}, 1_000, 0];
  const server = createServer(
    (_request, response) => void (asked++ === 0 ? response.writeHead(200).end(lines(end)) : response.writeHead(404).end()),
  );
  await new Promise<void>((done) => void server.listen(controlPath(folder), done));
  const rowsOf = async (which: object, passes: number, count: number): Promise<unknown[]> => {
    [end, asked] = [which, 0];
    const rows: unknown[] = [];
    const stop = new AbortController();
    const onConnection = ({ state, cause, again }: ConnectionRow): void => void rows.push([state, cause, again]);
    const ended = followBot({ folder, now: () => now, onChange: () => undefined, onConnection, stopped: () => null }, stop.signal);
    await vi.waitUntil(() => rows.length === 2, { timeout: 60_000 });
    now += passes;
    await vi.waitUntil(() => rows.length === count && asked > 2, { timeout: 60_000 });
    stop.abort();
    await ended;
    return rows.slice(1);
  };
  expect(await rowsOf({}, 3_600_000, 2)).toEqual([['stopped', 'the bot was stopped', undefined]]);
  const reopens = ['stopped', 'the bot starts again in place', true];
  expect(await rowsOf({ again: true }, 30_000, 2)).toEqual([reopens]);
  expect(await rowsOf({ again: true }, 61_000, 3)).toEqual([
    reopens,
    ['lost', 'the bot was to start again in place, and did not', undefined],
  ]);
  await new Promise((done) => server.close(done));
});

it('a bot that was stopped before its monitor began is stopped and not starting, and is followed when it starts', async () => {
  const rows: ConnectionRow[] = [];
  const stop = new AbortController();
  let looks = 0;
  // A process has the folder at the first look: a bot that starts.
  const stopped = (): { at: number; how: string } | null => (++looks === 1 ? null : { at: 500, how: 'stopped since noon' });
  const onConnection = (row: ConnectionRow): void => void rows.push(row);
  const ended = followBot({ folder, now: () => 1_000, onChange: () => undefined, onConnection, stopped }, stop.signal);
  await vi.waitUntil(() => rows.length === 1, { timeout: 60_000 });
  expect([looks, rows]).toEqual([2, [{ state: 'stopped', since: 500, heardAt: 0, cause: 'stopped since noon' }]]);
  const line = `${JSON.stringify({ id: 'a-1', kind: 'status', time: 1, status: {} })}\n`;
  const server = createServer((_request, response) => void response.writeHead(200).write(line));
  await new Promise<void>((done) => void server.listen(controlPath(folder), done));
  await vi.waitUntil(() => rows.length === 2, { timeout: 60_000 });
  expect(rows[1]).toMatchObject({ state: 'connected' });
  stop.abort();
  await ended;
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('a monitor that has not started yet when its bot ends is ended too', async () => {
  const others: unknown[] = [];
  const kept = { name: 'monitor', args: ['--state', folder, '--port', '0'], folder, given: null, onPrinted: () => undefined } as const;
  const running = (): boolean => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`monitor --state ${folder}`);
  const keeper = keepProcess({ ...kept, onEnded: (facts) => void others.push(facts) });
  await vi.waitUntil(running, { timeout: 30_000 });
  keeper.stop();
  await vi.waitUntil(() => !running(), { timeout: 30_000 });
  expect(others).toEqual([]);
});
