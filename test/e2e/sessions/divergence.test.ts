/** The difference between a session on the paper exchange and its backtest is explained to the last digit, and a planted cause is found. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { formatMoney } from '../../../src/domain/instrument.ts';
import { parseScaled } from '../../../src/domain/amounts/scale.ts';
import type { DivergenceDays } from '../../../src/control/divergence-days.ts';
import { CAUSES, type CauseName } from '../../../src/run/live/counterfactual/causes.ts';
import { explained, type Divergence, type SessionSlice } from '../../../src/run/live/counterfactual/divergence.ts';
import { readSessions } from '../../../src/run/live/facts/read-sessions.ts';
import { readRecording } from '../../../src/run/live/counterfactual/recording.ts';
import type { Answer } from '../../../src/ports/venue.ts';
import { writeRows } from '../../../src/run/testing/written-rows.ts';
import { signedSend } from '../../support/exchange/served-kit.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, STOPPED, type Program } from '../process.ts';

afterEach(cleanUp);

/** The price rises by 100 USDT a second of the session, whatever the speed. */
function risingMarket(folder: string, speed: number): void {
  const rows = Array.from({ length: 9_000 }, (_, k) => {
    const bid = 60_000 + k;
    const sizes = { bidSize: 5, askSize: 5 };
    return [
      { at: k * 10 * speed, bid, ask: (bid + 0.1).toFixed(1), ...sizes },
      { at: k * 10 * speed, symbol: 'ETHUSDT', bid: 2600, ask: '2600.01', ...sizes },
    ];
  }).flat();
  writeRows(folder, { rows, symbol: 'BTCUSDT', start: Date.UTC(2026, 0, 1), barMs: 60_000 });
}

interface Plan {
  readonly speed: number;
  readonly faults?: string;
  /** Something that a person does to the running bot, or on its account. */
  readonly during?: (bot: string, program: Program, url: string) => Promise<void>;
  readonly settings?: readonly string[];
}

/** A session of `adder`: the folder of its state. */
async function session({ speed, faults, during, settings = [] }: Plan): Promise<string> {
  const folder = freshFolder();
  const [bot, ledger, tape, plan] = ['bot', 'exchange', 'tape', 'plan.yaml'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  risingMarket(tape, speed);
  if (faults !== undefined) writeFileSync(plan, `seed: 3\nrules:\n  - ${faults}\n`);
  const market = ['--tape', tape, '--speed', String(speed), '--port', '0', '--state', ledger];
  const url = await addressOf(launch(['exchange', ...market, ...(faults === undefined ? [] : ['--faults', plan])]));
  const set = [`venue.baseUrl=${url}`, `store.folder=${bot}`, ...settings].flatMap((one) => ['--set', one]);
  const program = launch(
    ['run', '--config', 'config/paper.yaml', '--strategy', 'test/e2e/strategies/adder.ts', '--symbol', 'BTCUSDT', ...set],
    DEMO,
  );
  await program.untilLogged('order-placed', 2);
  await sleep(3_500);
  await during?.(bot, program, url);
  await program.kill('SIGINT');
  expect(STOPPED).toContain(program.code);
  return bot;
}

async function divergence(bot: string, more: readonly string[] = []): Promise<Divergence> {
  const program = await runToEnd(['report', 'divergence', '--session', bot, '--json', ...more]);
  expect(program.code, program.err).toBe(0);
  const found = JSON.parse(program.out) as Divergence;
  const sum = found.causes.reduce((total, { amount }) => total + parseScaled(amount, 8), 0);
  expect([found.residual, formatMoney(sum)]).toEqual(['0.00000000', found.difference]);
  expect(parseScaled(found.live, 8) - parseScaled(found.backtest, 8)).toBe(sum);
  return found;
}

/** The causes, the largest first, for the message of a failure. */
const told = ({ causes, sessions }: Divergence): string => JSON.stringify({ causes, rungs: sessions.map(({ rungs }) => rungs) }, null, 1);

it('a planted cause is the largest one, and nothing is left over', async () => {
  const plans: Readonly<Record<string, Plan>> = {
    // Its session is also read by this process, whose clock stays as it is.
    latency: { speed: 20, faults: '{ fault: delay, phase: before, endpoints: [E12], ms: 2000 }', settings: ['strategyGuard=off'] },
    refusals: { speed: 20, faults: '{ fault: refuse, endpoints: [E12], msg: Insufficient balance, probability: 0.5 }' },
    unknowns: {
      speed: 1,
      faults: '{ fault: drop, phase: before, endpoints: [E12], probability: 0.5 }',
      settings: ['orderHorizonMs=1000', 'listLagMs=1000', 'venue.timeoutMs=500'],
    },
    operator: {
      speed: 20,
      during: async (bot, program) => {
        for (const command of ['halt', 'flatten']) expect((await runToEnd([command, '--state', bot, '--why', 'a test'])).code).toBe(0);
        await program.untilLogged('halt-lifted');
        await sleep(2_500);
      },
    },
    external: {
      speed: 20,
      during: async (_bot, program, url) => {
        const order = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: '0.04', side: 'LONG', tradeSide: 'CLOSE', orderType: 'MARKET' };
        expect(await signedSend(url, 0, 'POST', '/api/v1/future/order/place-order', order)).toMatchObject({ code: '00000' });
        await program.untilLogged('external');
        await sleep(3_000);
      },
    },
  };
  const found = await Promise.all(
    Object.entries(plans).map(async ([cause, plan]) => ({ cause, report: await divergence(await session(plan)) })),
  );
  // How late polls and orders are without a plan depends on the machine, and the reports say so.
  const OF_THE_MACHINE = ['polls', 'latency'];
  for (const { cause, report } of found) {
    const [largest] = report.causes.filter((one) => one.cause === cause || !OF_THE_MACHINE.includes(one.cause));
    expect(largest?.cause, `${cause}: ${told(report)}`).toBe(cause);
  }
  // Each order came two seconds late or more, on a market that rises by 100 a second: 0.01 BTC costs 0.001 USDT more with each millisecond.
  const late = found.find(({ cause }) => cause === 'latency')!.report;
  const { answers, commands } = readRecording(late.sessions[0]!.session);
  const expected = commands.reduce((sum, { command, landedAt }) => sum + (landedAt > 0 ? landedAt - command.time - 20 : 0) / 1000, 0);
  expect(expected).toBeGreaterThan(15);
  const cost = -Number(late.causes.find(({ cause }) => cause === 'latency')!.amount);
  expect(cost / expected, told(late)).toBeGreaterThan(0.5);
  expect(cost / expected, told(late)).toBeLessThan(2);

  // Parts of a session, as of days, add up to the session in every cause. The order after a cut belongs to the later part.
  const whole = await readSessions(late.sessions[0]!.session);
  const third = (whole.endedAt - whole.startedAt) / 3;
  const { slices, sums } = explained(
    whole,
    {},
    [1, 2].map((k) => Math.round(whole.startedAt + k * third)),
  );
  expect(slices.map(({ from, to }) => Math.round((to - from) / third))).toEqual([1, 1, 1]);
  const total = (of: (slice: SessionSlice) => number): number => slices.reduce((sum, slice) => sum + of(slice), 0);
  for (const [cause, amount] of sums) {
    // Prices are compared order by order: one whose fills stand on both sides of a cut counts with the fills instead.
    if (cause === 'prices' || cause === 'fills') continue;
    expect([cause, total((slice) => slice.sums.get(cause)!)]).toEqual([cause, amount]);
  }
  const both = (of: ReadonlyMap<CauseName, number>): number => of.get('prices')! + of.get('fills')!;
  expect(total(({ sums: part }) => both(part))).toBe(both(sums));
  expect([total(({ live }) => live), total(({ backtest }) => backtest)].map(formatMoney)).toEqual([late.live, late.backtest]);
  for (const { live, backtest, sums: part } of slices) expect([...part.values()].reduce((sum, one) => sum + one, 0)).toBe(live - backtest);
  expect(slices.filter(({ traded }) => traded.live > 0).length).toBeGreaterThan(1);

  // A session within a day is that day.
  const daily = await runToEnd(['report', 'divergence', '--session', late.sessions[0]!.session, '--daily', '--json']);
  const { days, notes } = JSON.parse(daily.out) as DivergenceDays;
  expect(notes).toEqual([]);
  expect(days.reduce((sum, { difference }) => sum + parseScaled(difference, 8), 0)).toBe(parseScaled(late.difference, 8));
  const [day] = days;
  expect(day).toMatchObject({
    isOver: false,
    sessions: 1,
    causes: expect.arrayContaining([expect.objectContaining({ cause: 'latency' })]),
  });
  expect(day!.errorBp).toBeCloseTo((Math.abs(Number(day!.difference)) / Number(day!.traded)) * 1e4, 1);

  // With the tape that the exchange served, orders are filled at their live prices, but for one whose arrival no read showed before the stop.
  // The price tells the time of a row.
  const { answer } = [...answers.values()].flat().find((one) => one.answer?.kind === 'quotes')!;
  const { bid, venueTime } = (answer as Extract<Answer, { kind: 'quotes' }>).quotes.find(({ instrument }) => instrument === 0)!;
  const start = venueTime - (bid / 10 - 60_000) * 10;
  const { session: folder } = late.sessions[0]!;
  const tape = ['--tape', join(folder, '../../../tape'), '--speed', '20'];
  const exact = await divergence(folder, [...tape, '--start', String(start)]);
  const prices = exact.causes.find(({ cause }) => cause === 'prices')!;
  expect(prices.evidence).toMatch(/^[1-9]\d* orders/);
  expect(Math.abs(Number(prices.amount)) / expected, told(exact)).toBeLessThan(0.2);
  // A fee model of the simulation moves fees alone.
  const free = join(freshFolder(), 'free.yaml');
  writeFileSync(free, "simulation: { fees: { model: tiers, tiers: [{ from: '0', maker: '0', taker: '0' }] } }\n");
  const unpaid = await divergence(folder, [...tape, '--start', String(start), '--config', free]);
  const amountOf = ({ causes }: Divergence, name: string): string => causes.find(({ cause }) => cause === name)!.amount;
  expect(amountOf(unpaid, 'fills')).toBe(amountOf(exact, 'fills'));
  expect(Number(amountOf(unpaid, 'fees'))).toBeLessThan(Number(amountOf(exact, 'fees')));
  const wrong = await runToEnd(['report', 'divergence', '--session', folder, ...tape]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/expected quotes between .*, the time of the session, found none/)]);
});

it('docs/sessions.md lists every cause, in the order in which they are brought in', () => {
  const page = readFileSync('docs/sessions.md', 'utf8');
  const rows = Object.values(CAUSES).map(({ title, doc }) => `| ${title} | ${doc} |`);
  expect(page).toContain(rows.join('\n'));
});
