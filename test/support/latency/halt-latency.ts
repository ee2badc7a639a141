/**
 * Measures the time from an operator's halt until it is in effect: a real bot and a real exchange as processes, judged by the exchange's
 * ledger.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlName } from '../../../src/control/commands.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { machineNow } from '../../../src/edge/time/machine-clock.ts';
import { WebUser } from '../monitor/monitor-client.ts';
import { addressOf, cleanUp } from '../../e2e/process.ts';
import { Scene } from '../../e2e/scene.ts';

export interface HaltLatencies {
  /** Milliseconds from the request to the answer, and to the last opening order at the exchange (0 if none arrived). */
  readonly answers: readonly number[];
  readonly lastOpens: readonly number[];
  /** Opening orders that reached the exchange more than a moment after the answer. */
  readonly late: number;
}

/** Time that an order sent before the answer may need to arrive, including the exchange's queue. */
const ON_ITS_WAY_MS = 50;

/** How it is halted: by the socket of the bot, or by STOP of the dashboard. `limitedEvery`: so many opens, one is refused with 429. */
export interface HaltWay {
  readonly by: 'socket' | 'page';
  readonly limitedEvery?: number;
}

/** Halts and resumes a bot that constantly places orders. */
export async function haltLatency(rounds: number, { by, limitedEvery = 0 }: HaltWay, tell: (line: string) => void): Promise<HaltLatencies> {
  const scene = new Scene(36);
  const [answers, lastOpens]: [number[], number[]] = [[], []];
  let late = 0;
  try {
    const rules = join(scene.folder, 'faults.json');
    const limited = { fault: 'status', phase: 'before', status: 429, endpoints: ['E12'], every: limitedEvery };
    writeFileSync(rules, JSON.stringify({ rules: limitedEvery === 0 ? [] : [limited] }));
    const bot = scene.run(await addressOf(scene.exchange('0', ['--faults', rules])), [], { TICKWRIGHT_MONITOR_ENABLED: 'always' });
    await bot.untilLogged('ready');
    await bot.untilLogged('dashboard');
    const user = by === 'page' ? await WebUser.open(scene.botFolder) : null;
    const call = async (name: ControlName): Promise<void> => {
      const called = await callControl(scene.botFolder, { method: 'POST', name, given: { by: 'bench', askedAt: machineNow() } });
      if (!called.isThere || called.status !== 200) throw new Error(`${name}: ${JSON.stringify(called)}`);
    };
    for (let k = 0; k < rounds; k++) {
      const before = opens(scene).length;
      for (let n = 0; n < 500 && opens(scene).length < before + 3; n++) await sleep(20);
      await sleep(Math.floor((k * 37) % 100));
      const [from, at] = [performance.now(), Date.now()];
      if (user === null) await call('halt');
      else if ((await user.call('POST', '/api/stop', { why: 'bench' })).status !== 200) throw new Error('STOP was refused');
      answers.push(performance.now() - from);
      const answered = Date.now();
      await sleep(600);
      const after = opens(scene).filter((time) => time > at);
      lastOpens.push(Math.max(0, ...after) === 0 ? 0 : Math.max(...after) - at);
      late += after.filter((time) => time > answered + ON_ITS_WAY_MS).length;
      await call('resume');
      if (k % 10 === 9) tell(`${k + 1} of ${rounds}`);
    }
    await bot.kill('SIGTERM');
  } finally {
    await cleanUp();
  }
  return { answers, lastOpens, late };
}

/** Times at which opening orders of the bot reached the exchange, by its ledger. */
function opens(scene: Scene): number[] {
  const lines = readFileSync(join(scene.ledgerFolder, 'ledger.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (!line.includes('"kind":"order"')) return [];
    const { order } = JSON.parse(line) as { order: { createdAt: number; effect: number; byVenue: boolean } };
    return order.effect === 0 && !order.byVenue ? [order.createdAt] : [];
  });
}
