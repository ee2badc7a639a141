/** Recorded sessions and the days of divergence as the dashboard of a monitor that is played shows them. */
import type { DayDivergence } from '../../../src/control/divergence-days.ts';
import type { SessionRow } from '../../../src/control/past.ts';

const DAY = 86_400_000;

export function playedSessions(hostile: string): { readonly rows: readonly SessionRow[]; readonly days: readonly DayDivergence[] } {
  const end = Date.UTC(2026, 10, 30);
  const session = (k: number): SessionRow => ({
    name: `000${k}-session`,
    startedAt: end - k * DAY,
    endedAt: end - k * DAY + DAY / 2,
    bytes: 4e6 * k,
  });
  const day = (k: number): DayDivergence => ({
    day: new Date(end - k * DAY).toISOString().slice(0, 10),
    coveredMs: DAY,
    isOver: true,
    sessions: 1,
    backtest: k === 2 ? '0.00000000' : '-1234.50000000',
    live: k === 2 ? '0.00000000' : '-1250.25000000',
    difference: k === 2 ? '0.00000000' : '-15.75000000',
    traded: k === 2 ? '0.00000000' : '120000.00000000',
    errorBp: k === 2 ? null : 1.31 * k,
    causes:
      k === 2
        ? []
        : ['fills', 'polls', 'latency', 'funding'].map((cause, at) => ({
            cause,
            title: hostile || `cause ${cause}`,
            amount: `${5 - 3 * at}.25`,
          })),
  });
  return { rows: [1, 2, 3].map(session), days: [3, 2, 1].map(day) };
}
