/** The warnings above the figures of a run, because they look harmless without it. */
import { settingsOf } from '../../../domain/limits.ts';
import type { OrderCounts, RunReport } from '../../run-report.ts';
import { moment, whole } from '../figures.ts';

/** Strategies that were stopped or threw, and what refused the orders of a run that has none, or none from some time on. */
export function alertsOf({ failed, threw = [], orders }: Pick<RunReport, 'failed' | 'threw' | 'orders'>): string[] {
  return [
    ...failed.map(({ strategy, why }) => `STOPPED: strategy ${strategy} was disabled ${why}`),
    ...threw.map(({ strategy, why }) => `ERRORS: strategy ${strategy} threw ${why}`),
    ...refusalOf(orders),
  ];
}

function refusalOf({ placed, refused, blocked }: OrderCounts): string[] {
  const rules = Object.keys(refused);
  if (placed === 0) {
    const said = rules.map((rule) => [rule, settingsOf(rule).join(', ')].filter((part) => part !== '').join(': '));
    return rules.length === 0
      ? []
      : [`NOTHING WAS PLACED: every order was refused (${said.join('; ')}), see the notes below${cureOf(rules)}`];
  }
  if (blocked == null) return [];
  const what = `${whole(blocked.intents)} intents refused (${blocked.rules.join(', ')}), and nothing was placed`;
  return [`BLOCKED from ${moment(blocked.from)} on: ${what}; see the notes below`];
}

/** What usually helps if limits of the configuration refused everything; "" for other rules. */
function cureOf(rules: readonly string[]): string {
  const [key] = rules.flatMap(settingsOf);
  return key === undefined ? '' : `; allow more by --set ${key}=…, or with the limits of a project by --config config/paper.yaml`;
}
