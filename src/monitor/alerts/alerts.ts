/**
 * Decides what a person is told. An alert is a rule and a cause. It is told when it begins and when it is resolved. What repeats within the time
 * of collapse is a count, but what was told last is true again after a quiet minute at the latest, and a critical alert that goes on is told
 * within seconds. Quiet hours hold back all but critical ones. Nothing here waits or sends.
 */
import { SEVERITIES, type Severity } from '../../base/tables/alert-channels.ts';
import { ALERT_RULES, type AlertRule, type AlertRuleName } from '../../base/tables/alert-rules.ts';
import type { AlertMessage } from '../../ports/alert-channel.ts';
import type { Happening, Level } from './alert-inputs.ts';

export interface AlertSettings {
  readonly bot: string;
  /** Severities that differ from those of the table. */
  readonly rules: Readonly<Partial<Record<AlertRuleName, Severity | 'off'>>>;
  readonly collapseMs: number;
  readonly escalateAfterMs: number;
  readonly isQuiet: (now: number) => boolean;
}

/** Takes what is to be told: `usual` by all channels, `escalation` by those that are told what nobody has acknowledged. */
export type Tell = (message: AlertMessage, to: 'usual' | 'escalation') => void;

/** An alert that was told, or will be. Plain JSON, because it survives a restart of the monitor. */
export interface Alert {
  readonly id: number;
  readonly rule: AlertRuleName;
  readonly cause: string;
  readonly severity: Severity;
  readonly isLevel: boolean;
  text: string;
  /** In place of the title of its rule; files of earlier versions do not have it. */
  title?: string | undefined;
  /** Time when it began, or began again. */
  since: number;
  /** Time when it last ended or happened. */
  last: number;
  /** False once a level no longer holds. An event does not hold. */
  holds: boolean;
  /** How often it began or happened in this time of collapse, and how many of these were told. */
  count: number;
  toldCount: number;
  told: 'nothing' | 'raised' | 'resolved';
  /** Time when it was first told; 0 for not yet. */
  toldAt: number;
  /** Time when it was last told that it holds again after it was resolved; 0 for never. */
  againAt: number;
  /** Time of the last message; files of earlier versions do not have it. */
  saidAt?: number;
  /** Until then repetitions are counted. */
  collapsesUntil: number;
  acknowledgedBy: string;
  isEscalated: boolean;
}

export interface SavedAlerts {
  readonly next: number;
  readonly alerts: readonly Alert[];
  readonly digest: { readonly lines: readonly string[]; readonly dropped: number; readonly severity: Severity };
}

const DIGEST_MOST = 40;
/** A level that has not changed for so long is told as it is, also within the time of collapse. */
const QUIET_MS = 60_000;
/** A critical one that began again before its end was told is told after this time. */
const STAYS_MS = 10_000;
/** Such messages of one alert are this far apart. */
const APART_MS = 30_000;
const NO_DIGEST: SavedAlerts['digest'] = { lines: [], dropped: 0, severity: 'info' };
const RULES: Readonly<Record<AlertRuleName, AlertRule>> = ALERT_RULES;

export class Alerts {
  readonly #settings: AlertSettings;
  readonly #tell: Tell;
  readonly #alerts = new Map<string, Alert>();
  readonly #ruleOf = new Map<string, AlertRuleName>();
  #next = 1;
  #digest = NO_DIGEST;
  /** Kinds of levels that are not known at the moment. */
  #blind: ReadonlySet<Level['kind']> = new Set();

  /** `saved`: what `save` gave before a restart. */
  constructor(settings: AlertSettings, tell: Tell, saved?: SavedAlerts) {
    this.#settings = settings;
    this.#tell = tell;
    for (const name of Object.keys(RULES) as AlertRuleName[]) {
      const { halts = [], events = [], states = [], troubles } = RULES[name];
      for (const code of halts) this.#ruleOf.set(`halt ${code}`, name);
      for (const event of events) this.#ruleOf.set(`event ${event}`, name);
      for (const state of states) this.#ruleOf.set(`state ${state}`, name);
      if (troubles === true) for (const kind of ['signed', 'public', 'silent']) this.#ruleOf.set(`trouble ${kind}`, name);
    }
    if (saved === undefined) return;
    this.#next = saved.next;
    this.#digest = saved.digest;
    for (const one of saved.alerts) this.#alerts.set(keyOf(one.rule, one.cause), { ...one });
  }

  /** Alerts that hold, or were told within the time of collapse, the newest last. */
  get open(): readonly Alert[] {
    return [...this.#alerts.values()].filter(({ told }) => told !== 'nothing');
  }

  save(): SavedAlerts {
    return { next: this.#next, alerts: [...this.#alerts.values()], digest: this.#digest };
  }

  /** What holds now. Levels of the kinds in `blind` are not known at the moment: those that held go on. */
  observe(levels: readonly Level[], now: number, blind: ReadonlySet<Level['kind']> = new Set()): void {
    this.#blind = blind;
    const held = new Set<string>();
    for (const { kind, name, cause, text, title } of levels) {
      const rule = this.#ruleOf.get(`${kind} ${name}`) ?? 'error';
      // Two halts of one rule and scope are two causes.
      const whole = kind === 'state' ? cause : `${name} ${cause}`;
      held.add(keyOf(rule, whole));
      this.#begins(rule, whole, { text, title }, true, now);
    }
    for (const [key, alert] of this.#alerts) {
      if (!alert.isLevel || !alert.holds || held.has(key) || blind.has(kindOf(alert))) continue;
      alert.holds = false;
      alert.last = now;
    }
    this.tick(now);
  }

  /** Something happened. An error that no rule watches, neither as an event nor as a halt of that name, is told by the rule `error`. */
  happened({ name, cause, text, isError }: Happening, now: number): void {
    const rule = this.#ruleOf.get(`event ${name}`) ?? (isError && !this.#ruleOf.has(`halt ${name}`) ? 'error' : null);
    if (rule === null) return;
    // What happened and what holds are two causes: the end of the one says nothing of the other.
    const ofRule = RULES[rule].states === undefined ? cause : `${name} ${cause}`;
    this.#begins(rule, rule === 'error' ? name : ofRule, { text }, false, now);
    this.tick(now);
  }

  /** Tells what is due. Call it at least once a second. */
  tick(now: number): void {
    for (const [key, alert] of this.#alerts) {
      this.#review(alert, now);
      if (this.#isOver(alert, now)) this.#alerts.delete(key);
    }
    const { lines, dropped, severity } = this.#digest;
    if (lines.length === 0 || this.#settings.isQuiet(now)) return;
    this.#digest = NO_DIGEST;
    const text = [...lines, ...(dropped > 0 ? [`and ${dropped} more`] : [])].join('\n');
    const title = `${severity.toUpperCase()} ${this.#settings.bot}: ${lines.length + dropped} alerts of the quiet hours`;
    this.#tell({ alert: 0, severity, title, text, time: now, isResolved: false }, 'usual');
  }

  /** Ends the escalation of an alert. False if there is no such alert. */
  acknowledge(id: number, by: string): boolean {
    for (const alert of this.#alerts.values()) {
      if (alert.id !== id) continue;
      alert.acknowledgedBy = by;
      return true;
    }
    return false;
  }

  #begins(rule: AlertRuleName, cause: string, { text, title }: Pick<Alert, 'text' | 'title'>, isLevel: boolean, now: number): void {
    const severity = this.#settings.rules[rule] ?? RULES[rule].severity;
    if (severity === 'off') return;
    const alert = this.#alerts.get(keyOf(rule, cause));
    if (alert === undefined) {
      const begun = { id: this.#next++, rule, cause, severity, isLevel, text, title, since: now, last: now, holds: isLevel } as const;
      const untold = {
        count: 1,
        toldCount: 0,
        told: 'nothing',
        toldAt: 0,
        againAt: 0,
        collapsesUntil: 0,
        acknowledgedBy: '',
        isEscalated: false,
      } as const;
      this.#alerts.set(keyOf(rule, cause), { ...begun, ...untold });
      return;
    }
    alert.text = text;
    alert.title = title;
    if (isLevel && alert.holds) return;
    if (isLevel) alert.since = now;
    // Something critical that happens again after a quiet minute is told at once, as a level would be.
    if (!isLevel && alert.severity === 'critical' && now - alert.last >= QUIET_MS)
      alert.collapsesUntil = Math.min(alert.collapsesUntil, now);
    alert.holds = isLevel;
    alert.last = now;
    alert.count++;
  }

  #review(alert: Alert, now: number): void {
    const { afterMs = 0, isLast = false } = RULES[alert.rule];
    if (alert.told === 'nothing') {
      if (now - alert.since < afterMs) return;
      if (alert.isLevel && !alert.holds && afterMs > 0) return;
      this.#say(alert, now, alert.isLevel && !alert.holds ? 'short' : 'raised');
    } else if (alert.holds && alert.told === 'resolved') {
      const heldMs = now - alert.since;
      const isDue = alert.severity === 'critical' || this.#isChangeDue(alert, heldMs, now);
      if (heldMs >= afterMs && isDue) this.#say(alert, now, 'again');
    } else if (alert.isLevel && !alert.holds && alert.told === 'raised') {
      if (!this.#blind.has(kindOf(alert)) && this.#isChangeDue(alert, now - alert.last, now)) this.#say(alert, now, 'resolved');
    } else if (alert.count > alert.toldCount && (isLast || now >= alert.collapsesUntil || stays(alert, now))) {
      this.#say(alert, now, alert.isLevel && !alert.holds ? 'short' : 'repeated');
    }
    this.#escalate(alert, now);
  }

  /** Whether a level that holds or not for `ms`, other than was told, is told now: the first time at once, then if it does not come and go. */
  #isChangeDue({ collapsesUntil, toldCount }: Alert, ms: number, now: number): boolean {
    return toldCount === 1 || now >= collapsesUntil || ms >= QUIET_MS;
  }

  #say(alert: Alert, now: number, what: 'raised' | 'short' | 'again' | 'resolved' | 'repeated'): void {
    const isFirst = alert.told === 'nothing';
    alert.told = what === 'resolved' || what === 'short' ? 'resolved' : 'raised';
    alert.toldCount = alert.count;
    alert.saidAt = now;
    const times = alert.count > 1 ? `${alert.count} times since ${timeOf(alert.toldAt)}` : '';
    if (isFirst) alert.toldAt = now;
    if (what === 'again') {
      // Whoever acknowledged it was told that it is over.
      alert.acknowledgedBy = '';
      alert.isEscalated = false;
      alert.againAt = now;
    }
    if (now >= alert.collapsesUntil) alert.collapsesUntil = now + this.#settings.collapseMs;
    const isResolved = what === 'resolved';
    const lasted = isResolved || what === 'short' ? `after ${Math.max(1, Math.round((alert.last - alert.since) / 1000))} s` : '';
    const title = `${isResolved ? 'RESOLVED' : alert.severity.toUpperCase()} ${this.#settings.bot}: ${alert.title ?? RULES[alert.rule].title}`;
    const text = [alert.text, times, lasted === '' ? '' : `It ended ${lasted}.`].filter((part) => part !== '').join('\n');
    const message: AlertMessage = { alert: alert.id, severity: alert.severity, title, text, time: now, isResolved };
    if (alert.severity !== 'critical' && this.#settings.isQuiet(now)) this.#hold(message);
    else this.#tell(message, 'usual');
  }

  /** A critical alert that nobody acknowledged goes to a second channel, once. */
  #escalate(alert: Alert, now: number): void {
    if (alert.severity !== 'critical' || alert.told !== 'raised' || alert.isEscalated || alert.acknowledgedBy !== '') return;
    // Its end waits to be told.
    if (alert.isLevel && !alert.holds) return;
    if (now - Math.max(alert.toldAt, alert.againAt) < this.#settings.escalateAfterMs) return;
    alert.isEscalated = true;
    const title = `CRITICAL ${this.#settings.bot}: ${alert.title ?? RULES[alert.rule].title} (not acknowledged)`;
    this.#tell({ alert: alert.id, severity: 'critical', title, text: alert.text, time: now, isResolved: false }, 'escalation');
  }

  #hold({ title, severity, time }: AlertMessage): void {
    const { lines, dropped, severity: worst } = this.#digest;
    const line = `${timeOf(time)} ${title}`;
    const isFull = lines.length >= DIGEST_MOST;
    this.#digest = {
      lines: [...(isFull ? lines.slice(1) : lines), line],
      dropped: dropped + (isFull ? 1 : 0),
      severity: SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(worst) ? severity : worst,
    };
  }

  /** True if nothing is left to tell or to count. */
  #isOver(alert: Alert, now: number): boolean {
    if (alert.holds || now < alert.collapsesUntil) return false;
    if (alert.told === 'nothing') return true;
    if (alert.isLevel) return alert.told === 'resolved' && alert.count === alert.toldCount;
    const isWaiting = alert.severity === 'critical' && !alert.isEscalated && alert.acknowledgedBy === '';
    return alert.count === alert.toldCount && !isWaiting;
  }
}

/** True for a critical level that ended and began again untold, and goes on. */
function stays({ holds, rule, saidAt = 0, severity, since }: Alert, now: number): boolean {
  const { afterMs = 0 } = RULES[rule];
  return holds && severity === 'critical' && now - since >= Math.max(afterMs, STAYS_MS) && now - saidAt >= APART_MS;
}

function keyOf(rule: AlertRuleName, cause: string): string {
  return `${rule} ${cause}`;
}

/** Rules watch levels of one kind each. */
function kindOf({ rule }: Alert): Level['kind'] {
  const { states, troubles } = RULES[rule];
  return states !== undefined ? 'state' : troubles === true ? 'trouble' : 'halt';
}

function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(11, 16)} UTC`;
}
