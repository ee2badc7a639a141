/** Recorded sessions are replayed and compared: with faults, kills and operator commands, and with a strategy that is not deterministic. */
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { TimelineData } from '../../../src/report/timeline/timeline-page.ts';
import type { Replayed } from '../../../src/run/replay/replay.ts';
import type { Simulated } from '../../../src/run/replay/simulated.ts';
import type { WhatIf } from '../../../src/run/replay/what-if.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, STOPPED, type Program } from '../process.ts';

afterEach(cleanUp);

const FAULTS = `
seed: 5
rules:
  - { fault: drop, endpoints: writes, phase: after, probability: 0.05 }
  - { fault: status, endpoints: writes, phase: after, status: 502, probability: 0.05 }
  - { fault: duplicate, endpoints: [E12], ms: 20, probability: 0.05 }
  - { fault: truncate, endpoints: all, how: close, probability: 0.03 }
  - { fault: malformed, endpoints: reads, probability: 0.03 }
  - { fault: stale, ms: 400, probability: 0.1 }
  - { fault: delay, endpoints: all, ms: 150, probability: 0.05 }
`;

async function replayed(path: string, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const program = await runToEnd(['replay', path, ...more], env);
  expect([0, 1], program.err).toContain(program.code);
  return program;
}

const jsonLines = ({ out }: Program): unknown[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
const jsonOf = (program: Program): Replayed[] => jsonLines(program) as Replayed[];

/** With other commands than those recorded. */
async function whatIf(session: string, ...args: readonly string[]): Promise<WhatIf & { readonly simulated: Simulated }> {
  const program = await replayed(session, [...args, '--json']);
  const found = JSON.parse(program.out) as WhatIf;
  expect([program.code, found.simulated]).toEqual([1, expect.anything()]);
  return { ...found, simulated: found.simulated! };
}

it('a session with faults, kills and operator commands replays equal, and changes are named', async () => {
  const folder = freshFolder();
  const [plan, strategy, bot] = [join(folder, 'plan.yaml'), join(folder, 'busy.ts'), join(folder, 'bot')];
  writeFileSync(plan, FAULTS);
  copyFileSync('test/e2e/strategies/busy.ts', strategy);
  const market = ['--synth', '--seed', '9', '--speed', '4', '--port', '0', '--state', join(folder, 'exchange')];
  const url = await addressOf(launch(['exchange', ...market, '--faults', plan]));
  const set = {
    'venue.baseUrl': url,
    'store.folder': bot,
    orderHorizonMs: 2000,
    listLagMs: 2000,
    'venue.timeoutMs': 600,
    strategyGuard: 'off',
  };
  const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const run = async (orders: number): Promise<Program> => {
    const program = launch(['run', '--config', 'config/paper.yaml', '--strategy', strategy, ...settings], DEMO);
    await program.untilLogged('armed');
    await program.untilLogged('order-placed', orders);
    return program;
  };
  const operate = async (...args: string[]): Promise<void> => expect((await runToEnd([...args, '--state', bot])).code).toBe(0);

  const first = await run(12);
  await operate('halt', 'BTCUSDT', '--why', 'a test');
  await operate('resume', 'BTCUSDT');
  await first.untilLogged('order-placed', 20);
  // Recordings reach the disk within a second.
  await sleep(1_200);
  await first.kill('SIGKILL');
  await (await run(4)).kill('SIGKILL');
  const last = await run(8);
  await last.kill('SIGINT');
  expect(STOPPED).toContain(last.code);

  const sessions = join(bot, 'sessions');
  const equal = await replayed(sessions, ['--json']);
  const all = jsonOf(equal);
  console.info(all.map(({ events, commands, end }) => `${events} events, ${commands} commands, ${end}`).join('; '));
  expect(all.map(({ divergence, cut, end, changes }) => ({ divergence, cut, end, changes }))).toEqual(
    ['open', 'open', 'stopped'].map((end) => ({ divergence: null, cut: null, end, changes: [] })),
  );
  expect(equal.code).toBe(0);
  expect(all[0]!.commands).toBeGreaterThan(20);
  const { session } = all[0]!;
  expect(jsonOf(await replayed(session, ['--until', '51', '--json']))).toMatchObject([{ events: 50, divergence: null, end: 'open' }]);

  const html = join(folder, 'session.html');
  expect((await replayed(session, ['--html', html])).code).toBe(0);
  const page = readFileSync(html, 'utf8');
  expect(page).toContain(`default-src 'none'; style-src 'sha256-`);
  const shown = JSON.parse(/<script type="application\/json" id="data">(.*)<\/script>/.exec(page)![1]!) as TimelineData;
  expect(shown.orders.length).toBeGreaterThan(10);
  expect(shown.orders.filter(({ from, to }) => to > 0 && to < from)).toEqual([]);
  for (const kind of ['bot', 'command', 'accepted', 'operator', 'halt', 'lift', 'ended'])
    expect(shown.rows.filter((row) => row[1] === kind).length, kind).toBeGreaterThan(0);

  // The strategy checks for a file: a replay in which it exists must differ.
  const calm = join(folder, 'calm');
  writeFileSync(calm, '');
  const outside = await replayed(session, [], { CALM_FILE: calm });
  expect(outside.code).toBe(1);
  expect(outside.out).toMatch(/first difference after event \d+ \(answered quotes\) at 2\d{3}-.*Z\n {4}recorded: .*\n {4}replayed: /);
  expect(outside.out).toContain('the strategy depends on something outside its events');

  const source = readFileSync(strategy, 'utf8');
  writeFileSync(strategy, source.replaceAll('3 * market.tick', '4 * market.tick'));
  const changed = await replayed(session);
  expect(changed.code).toBe(1);
  expect(changed.out).toMatch(
    /recorded: open \w+ (?:LONG|SHORT) [\d.]+, limit \d+\.\d+.* \(order \d+\)\n {4}replayed: open \w+ (?:LONG|SHORT) [\d.]+, limit \d+\.\d+.* \(order \d+\)\n/,
  );
  expect(changed.out).toMatch(/changed: .*busy\.ts was changed \(sha256 [0-9a-f]{12} then, [0-9a-f]{12} now\)/);
  writeFileSync(strategy, source);
  const parameter = await replayed(session, ['--param', 'size=0.02']);
  expect([parameter.code, parameter.out]).toEqual([1, expect.stringContaining('changed: parameter size is 0.02 by --param')]);

  // What a changed strategy would have done: the venue's answers as long as they fit, then those of a simulated venue.
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'busy.ts'), source);
  const same = await replayed(session, ['--with', join(other, 'busy.ts'), '--json']);
  expect([same.code, (JSON.parse(same.out) as WhatIf).simulated]).toEqual([0, null]);
  writeFileSync(join(other, 'busy.ts'), source.replaceAll('3 * market.tick', '4 * market.tick'));
  const otherwise = await whatIf(session, '--with', join(other, 'busy.ts'));
  expect(otherwise).toMatchObject({
    isFromSnapshot: false,
    divergence: { found: expect.stringMatching(/^open \w+ (?:LONG|SHORT) .*limit \d+\.\d+.*\(order \d+\)$/) as string },
  });
  expect(otherwise.simulated.commands.length).toBeGreaterThan(5);
  const limit = Number(/limit (\d+\.\d+)/.exec(otherwise.divergence!.found)![1]);
  expect(otherwise.simulated.commands[0]!.command.price).toBe(Math.round(limit * 10));
  expect(Math.abs(otherwise.simulated.startEquity - 100_000e8)).toBeLessThan(1_000e8);
  const text = await replayed(session, ['--with', join(other, 'busy.ts')]);
  expect(text.out).toContain('From here on the answers are no longer those of the venue');
  writeFileSync(join(other, 'calm.ts'), source);
  expect(jsonLines(await replayed(session, ['--with', join(other, 'calm.ts'), '--json']))).toMatchObject([{ simulated: null }]);
  expect((await runToEnd(['replay', sessions, '--with', join(other, 'busy.ts')])).err).toContain('expected one session');

  const segment = join(session, '000001.seg');
  truncateSync(segment, statSync(segment).size - 5);
  const [torn] = jsonOf(await replayed(session, ['--json']));
  expect(torn).toMatchObject({ divergence: null, end: 'open', cut: { file: segment } });
  expect(torn!.events).toBeLessThan(all[0]!.events);
});

it('a session of start replays equal with record.answers, and nothing is recorded where record.enabled is false', async () => {
  const folder = freshFolder();
  const store = ['--set', `store.folder=${join(folder, 'bot')}`];
  const args = [
    'start',
    '--state',
    folder,
    '--config',
    'config/paper.yaml',
    '--strategy',
    'strategies/quoter.ts',
    '--symbol',
    'BTCUSDT',
    ...store,
  ];
  const recorded = launch([...args, '--set', 'record.answers=true']);
  await recorded.untilLogged('order-placed', 4);
  // A state is saved every five seconds.
  await sleep(6_000);
  await recorded.untilLogged('order-placed', 6);
  await recorded.kill('SIGINT');
  const unrecorded = launch([...args, '--set', 'record.enabled=false']);
  await unrecorded.untilLogged('armed');
  await unrecorded.kill('SIGINT');
  const program = await replayed(join(folder, 'bot', 'sessions'), ['--json']);
  expect(program.code).toBe(0);
  const [one, ...others] = jsonOf(program);
  expect(one).toMatchObject({ end: 'stopped', divergence: null, cut: null, changes: [] });
  expect(one!.commands).toBeGreaterThan(3);
  expect(others).toEqual([]);
  const bodies = jsonLines(await replayed(join(folder, 'bot', 'sessions'), ['--answers'])) as { endpoint: string; body: string }[];
  const quotes = bodies.filter(({ endpoint }) => endpoint.startsWith('E7 '));
  expect(quotes.length).toBeGreaterThan(10);
  for (const { body } of quotes) expect(JSON.parse(body)).toMatchObject({ code: '00000' });
  expect(bodies.some(({ endpoint, body }) => endpoint.startsWith('E12 ') && body.includes('fu-'))).toBe(true);
  // Restarted in the middle it goes on with the orders and the money that it had.
  const restarted = await whatIf(one!.session, '--from-snapshot', '80');
  expect(restarted.simulated).toMatchObject({ leftOut: 0 });
  const before = restarted.commands;
  expect(restarted.simulated.commands.some(({ command }) => command.target > 0 && command.target <= before)).toBe(true);
  expect(restarted.simulated.startEquity).toBeGreaterThan(99_000e8);
  expect((await runToEnd(['replay', one!.session, '--from-snapshot', '2100-01-01'])).err).toContain('found none among');
  expect((await runToEnd(['replay', folder])).code).toBe(2);
  expect((await runToEnd(['replay', join(folder, 'bot', 'sessions'), '--until', 'noon'])).code).toBe(2);
});
