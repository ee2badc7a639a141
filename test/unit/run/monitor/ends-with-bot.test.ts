/** The ends of a monitor beside its bot: one that was asked to end loses no bot, and one that only starts ends with the bot. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { controlPath } from '../../../../src/edge/control/socket-path.ts';
import { keepProcess } from '../../../../src/run/bot/kept-process.ts';
import { followBot } from '../../../../src/run/monitor/follow-bot.ts';

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
    const ended = followBot({ folder, now: Date.now, onChange: () => undefined, onConnection }, stop.signal);
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
