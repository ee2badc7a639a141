/** What the monitor of a dead bot tells: that it is lost and what its watchdog does about it, and of nothing that it is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULTS } from '../../../../src/config/defaults.ts';
import type { Change, ConnectionRow, StatusRow } from '../../../../src/control/changes.ts';
import { HaltRequests } from '../../../../src/edge/file/beside/halt-requests.ts';
import { ReadModel } from '../../../../src/monitor/model/read-model.ts';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { AlertWatcher } from '../../../../src/run/monitor/alerts/alert-watcher.ts';
import { toldAlerts } from '../../../../src/run/monitor/alerts/past-alerts.ts';
import { WatchdogWatcher } from '../../../../src/run/monitor/alerts/watchdog-watcher.ts';
import { StatusFile, type WatchdogStatus } from '../../../../src/run/watchdog/status-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alerts-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const START = 1_000_000;
const WAITS: WatchdogStatus = {
  pid: 1,
  bot: 'stage',
  state: 'watching',
  time: START,
  since: START,
  silentMs: 0,
  epoch: 7,
  acted: 0,
  cancelled: 0,
  left: 0,
  problem: '',
  flattenAfterMs: 60_000,
  closed: 0,
  positions: [],
  closing: '',
  fence: '',
  did: '',
};
const DID = 'cancelled 1 opening order: BTCUSDT LONG 0.020 at 60000.1; closed BTCUSDT LONG 0.027 at 59999.9';

/** A monitor with its alerts and without a channel. */
class Kit {
  now = START;
  readonly model = new ReadModel(START);
  readonly #watchdog: WatchdogWatcher;
  readonly #alerts: AlertWatcher;

  constructor() {
    this.#watchdog = new WatchdogWatcher(join(folder, 'bot'), (event, fields) =>
      this.#take({ id: '', kind: 'log', time: this.now, log: { ...fields, event, level: 'warn', time: new Date(this.now).toISOString() } }),
    );
    const { alerts } = DEFAULTS;
    const deps = { folder, settings: { bot: 'stage', alerts }, channels: [], now: () => this.now, log: SILENT_LOG };
    this.#alerts = new AlertWatcher({ ...deps, more: () => this.#watchdog.levels() });
  }

  #take(change: Change): void {
    this.model.take(change);
    this.#alerts.changed(change, this.model);
  }

  /** The bot says so; it was started at `startedAt`. */
  says(halts: readonly string[], startedAt = 1, more: Partial<StatusRow> = {}): void {
    const rows = halts.map((code) => ({ scope: 'bot', code, detail: 'd', ends: 'e', since: this.now, stops: 'opens' }));
    const status = { time: this.now, startedAt, halts: rows, troubles: [], positions: [], readAt: {}, ...more } as unknown as StatusRow;
    this.#take({ id: `b-${this.now}`, kind: 'status', time: this.now, status });
    this.connection('connected');
  }

  connection(state: ConnectionRow['state']): void {
    if (state === this.model.connection.state) return;
    this.#take({ id: '', kind: 'connection', time: this.now, connection: { state, since: this.now, heardAt: this.now, cause: 'gone' } });
  }

  /** So many seconds pass, with what the watchdog writes at their begin. */
  passes(seconds: number, status?: Partial<WatchdogStatus>): void {
    if (status !== undefined) new StatusFile(join(folder, 'bot')).write({ ...WAITS, time: this.now, since: this.now, ...status });
    for (let k = 0; k < 4 * seconds; k++) {
      this.now += 250;
      this.#watchdog.tick(this.now, this.model);
      this.#alerts.tick(this.now, this.model);
    }
  }

  get isActing(): boolean {
    return this.#watchdog.isActing;
  }

  /** Titles and texts of what was told, oldest first. */
  async told(): Promise<readonly string[]> {
    await this.#alerts.close();
    return toldAlerts(folder, 100).map(({ message: { title, text } }) => `${title}: ${text}`);
  }
}

it('the monitor of a dead bot tells what its watchdog does, and resolves neither its halts nor the loss', async () => {
  const kit = new Kit();
  kit.says(['kill']);
  kit.passes(1, {});
  kit.says(['kill']);
  kit.connection('lost');
  kit.passes(30);
  kit.passes(5, { state: 'acting', acted: 1, left: 1 });
  expect(kit.isActing).toBe(true);
  // A watchdog at work writes every two seconds: the monitor waits for no longer for one that is gone.
  kit.passes(26);
  expect(kit.isActing).toBe(false);
  kit.passes(900, { state: 'done', acted: 1, cancelled: 1, closed: 1, did: DID, positions: ['BTCUSDT SHORT 0.007 stays'] });
  expect(await kit.told()).toEqual([
    expect.stringMatching(/^CRITICAL stage: kill switch: bot: kill/),
    expect.stringMatching(/^CRITICAL stage: the bot is gone or stands still: gone$/),
    expect.stringMatching(/^CRITICAL stage: the watchdog acts for the bot: The bot gave no sign of life: .* Left: 1 opening order\.$/),
    `CRITICAL stage: the watchdog acts for the bot: It ${DID}. Left: BTCUSDT SHORT 0.007 stays.`,
    expect.stringMatching(/\(not acknowledged\): /),
    expect.stringMatching(/\(not acknowledged\): /),
    expect.stringMatching(/\(not acknowledged\): /),
    expect.stringMatching(/\(not acknowledged\): /),
  ]);
});

it('resolves the act once the bot answers for its orders again, or another process does', async () => {
  const kit = new Kit();
  kit.says([]);
  kit.passes(1, {});
  kit.connection('lost');
  kit.passes(5, { state: 'done', acted: 1, cancelled: 1, did: DID, fence: 'one' });
  // The same process goes on, halted: the watchdog still guards it.
  kit.says(['operator']);
  kit.passes(1);
  kit.says(['operator']);
  kit.passes(2, { state: 'watching', acted: 1 });
  kit.connection('lost');
  kit.passes(2, { state: 'done', acted: 2, cancelled: 1, did: DID, fence: 'two' });
  // A bot without a watchdog is started: nobody replaces the status of before.
  kit.says([], kit.now + 1);
  kit.passes(2);
  kit.says([], kit.now);
  kit.passes(1);
  const told = (await kit.told()).filter((text) => text.includes('the watchdog acts')).map((text) => text.split(' ')[0]);
  expect(told).toEqual(['CRITICAL', 'CRITICAL', 'RESOLVED', 'CRITICAL', 'CRITICAL']);
});

it('a monitor that starts tells nothing of a watchdog of an earlier bot', async () => {
  const kit = new Kit();
  kit.passes(5, { state: 'done', acted: 1, cancelled: 1, did: DID, problem: 'unauthorized' });
  kit.says([], kit.now + 1);
  kit.passes(3);
  expect(await kit.told()).toEqual([]);
});

it('on a full disk the request that fences the bot tells it', async () => {
  const kit = new Kit();
  kit.says([]);
  kit.passes(1, {});
  kit.connection('lost');
  const why = 'no sign of life for 30 s: its opening orders are cancelled';
  new HaltRequests(join(folder, 'bot')).add({ id: 'w', name: 'halt', scope: '', by: 'watchdog', why, time: kit.now });
  kit.passes(2);
  expect(await kit.told()).toContain(`CRITICAL stage: the watchdog acts for the bot: ${why}`);
});

it('a watchdog that could not act is told after ten seconds, and what an old status says is not', async () => {
  const kit = new Kit();
  for (let k = 0; k < 12; k++) {
    kit.says([]);
    kit.passes(1, { problem: 'unauthorized' });
  }
  for (let k = 0; k < 40; k++) {
    kit.says([]);
    kit.passes(1);
  }
  expect(await kit.told()).toEqual([
    'CRITICAL stage: the watchdog cannot act: it could cancel or close nothing now: unauthorized',
    expect.stringMatching(/^RESOLVED stage: the watchdog cannot act: /),
  ]);
});

it('a watchdog that is missing is told once, also over a loss of the bot, and resolved when it is back or another bot has one', async () => {
  const kit = new Kit();
  const says = (seconds: number, startedAt: number, more: Partial<StatusRow>): void => {
    for (let k = 0; k < seconds; k++) {
      kit.says([], startedAt, more);
      kit.passes(1);
    }
  };
  says(3, 1, {});
  says(3, 1, { noWatchdog: true });
  kit.connection('lost');
  kit.passes(90);
  says(3, 1, { noWatchdog: true });
  says(90, 1, {});
  says(3, 1, { noWatchdog: true });
  kit.connection('lost');
  kit.passes(3);
  says(62, kit.now, {});
  const told = (await kit.told()).filter((text) => text.includes('the watchdog cannot act')).map((text) => text.split(' ')[0]);
  expect(told).toEqual(['CRITICAL', 'RESOLVED', 'CRITICAL', 'RESOLVED']);
});
