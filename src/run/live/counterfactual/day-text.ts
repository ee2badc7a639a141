/** A day of `report divergence --daily` as a sentence, for the report and for the alert. */
import type { DayDivergence } from '../../../control/divergence-days.ts';
import { money, signedMoney } from '../../../report/document/figures.ts';

/** Causes that are named of each day. */
const CAUSES_SHOWN = 3;

/** "2026-11-28: live −12.30, its backtest +4.00, 163.00 bp of 1,000.00 traded; latency −16.20". */
export function sentenceOf(one: DayDivergence): string {
  if (one.errorBp === null) return `${one.day}: nothing was traded`;
  const causes = causesOf(one);
  const apart = `${one.errorBp.toFixed(2)} bp of ${money(one.traded)} traded`;
  return `${one.day}: live ${signedMoney(one.live)}, its backtest ${signedMoney(one.backtest)}, ${apart}${causes === '' ? '' : `; ${causes}`}`;
}

/** The largest causes. */
export function causesOf({ causes }: DayDivergence): string {
  return causes
    .slice(0, CAUSES_SHOWN)
    .map(({ title, amount }) => `${title} ${signedMoney(amount)}`)
    .join(', ');
}
