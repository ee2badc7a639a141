/** A study as the dashboard of a monitor that is played shows it. */
import type { StudyAnswer, StudyTrial } from '../../../src/control/studies.ts';

const MINUTE = 60_000;

/** A search with constraints and two objectives that was killed. */
export function studyOf(hostile: string): StudyAnswer {
  const time = Date.now();
  const trial = (number: number): StudyTrial => ({
    number,
    params: `fast=${number} slow=${40 + number} note=${hostile}`,
    values: [(1.9 - number / 40).toFixed(3), `0.0${number} %`],
    heldOut: number === 3 ? ['0.41', '0.3 %'] : null,
    meetsConstraints: number !== 5,
    endedAt: time - number * MINUTE,
  });
  return {
    id: '1',
    name: hostile || 'ema-cross-btc-2024',
    file: `/srv/projects/my-bot/var/studies/${hostile || 'ema-cross-btc-2024'}.study`,
    typedFile: `/srv/projects/my-bot/var/studies/${hostile || 'ema-cross-btc-2024'}.study`,
    state: 'interrupted',
    says: 'tickwright optimize --resume /srv/projects/my-bot/var/studies/ema-cross-btc-2024.study',
    strategy: 'ema-cross',
    settled: 1_204,
    trials: 5_000,
    startedAt: time - 90 * MINUTE,
    toldAt: time - 3 * MINUTE,
    leftMs: null,
    best: 'sharpe 1.83, maxDrawdown 0.03 %',
    bestHeldOut: 'sharpe 0.41, maxDrawdown 0.3 %',
    time,
    sampler: 'nsga2',
    tape: 'tapes/btc',
    objectives: ['largest sharpe', 'smallest maxDrawdown'],
    constraints: ['trades>=30'],
    areShares: [false, true],
    rungs: 1,
    rows: [3, 4, 5, 8].map(trial),
    curve: [],
    front: [3, 4, 5, 8].map((k) => [1.9 - k / 40, k / 1e4]),
    others: Array.from({ length: 200 }, (_, k) => [1.5 * Math.sin(k), 0.001 + (k % 17) / 5e3]),
  };
}
