/** Reads from the file of alerts in a bot's folder what was told about the bot, and what a rule would have told. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ALERT_RULES, type AlertRuleName } from '../../../base/tables/alert-rules.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { DAY_MS } from '../../../base/time/time-spans.ts';
import { AlertStore, type ToldRow } from '../../../edge/alerts/alert-store.ts';
import { rehearsed } from '../../../monitor/alerts/rehearse-rule.ts';
import type { AlertMessage } from '../../../ports/alert-channel.ts';
import { readMonitorSettings } from '../../setup/monitor-settings.ts';
import { ALERTS_FILE } from './alert-watcher.ts';

/** The newest messages with what became of them, oldest first. @throws Failure (alerts-none) without such a file */
export function toldAlerts(folder: string, last: number): readonly ToldRow[] {
  return read(folder, (store) => store.told(last));
}

export interface Rehearsal {
  readonly rule: AlertRuleName;
  readonly from: number;
  readonly to: number;
  /** What would have been told, oldest first. */
  readonly messages: readonly AlertMessage[];
}

/** What the rule would have told in the last `days`, by the bot's own settings. @throws Failure (alerts-none) without a past */
export function rehearseRule(folder: string, rule: AlertRuleName, days: number, now: number): Rehearsal {
  const { bot, alerts } = readMonitorSettings(folder);
  const from = now - days * DAY_MS;
  const rows = read(folder, (store) => store.past(from));
  const settings = { ...alerts, bot, isQuiet: () => false };
  const own = ALERT_RULES[rule].severity;
  const severity = alerts.rules[rule] ?? own;
  return { rule, from: rows[0]?.minute ?? now, to: now, messages: rehearsed(rule, rows, settings, severity === 'off' ? 'info' : severity) };
}

function read<T>(folder: string, ask: (store: AlertStore) => T): T {
  const file = join(folder, ALERTS_FILE);
  if (!existsSync(file)) {
    throw new Failure('alerts-none', {
      what: `no monitor has watched the bot in ${folder} yet`,
      hint: 'a monitor writes down what it sees: name channels in alerts.file, or start `tickwright monitor`',
    });
  }
  const store = new AlertStore(file, true);
  try {
    return ask(store);
  } finally {
    store.close();
  }
}
