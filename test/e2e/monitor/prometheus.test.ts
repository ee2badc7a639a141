/** The metrics over HTTP of a real bot: who may read them, the format, and each rule for Prometheus fired by the fault that it is for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { PROMETHEUS_RULES, type PrometheusRule } from '../../../src/monitor/metrics/prometheus-files.ts';
import { METRICS, type MetricRow } from '../../../src/monitor/metrics/catalogue.ts';
import { operate } from '../../../src/run/bot/outside/operate.ts';
import { discordService, type AlertService } from '../../support/monitor/alert-services.ts';
import { readExposition, type Series } from '../../support/monitor/exposition.ts';
import { callWeb, tokenOf } from '../../support/monitor/monitor-client.ts';
import { cleanUp, ROOT } from '../process.ts';
import { RISK, Stage } from '../stage.ts';

const LOOK_MS = 100;

type RuleName = keyof typeof PROMETHEUS_RULES;

let service: AlertService | null = null;
afterEach(async () => {
  await cleanUp();
  await service?.close();
});

/** A bot on an exchange, with a monitor whose only channel refuses every message. */
class Scraped {
  readonly stage = new Stage({ env: { TICKWRIGHT_MONITOR_ENABLED: 'always' }, symbols: ['BTCUSDT'] });
  readonly folder = join(this.stage.folder, 'bot');
  #url = '';
  first: readonly Series[] = [];

  async start(): Promise<void> {
    service = await discordService();
    service.always = { status: 404 };
    const file = join(this.stage.folder, 'alerts.yaml');
    writeFileSync(file, `channels:\n  - { name: desk, kind: discord, url: "${service.url}" }\n`, { mode: 0o600 });
    const strategies = [
      { file: join(ROOT, 'test/e2e/strategies/holder.ts'), symbols: ['BTCUSDT'] },
      { file: join(ROOT, 'test/e2e/monitor/throws.ts'), symbols: ['ETHUSDT'] },
    ];
    const external = { position: 'adopt' };
    await this.stage.startBot({ config: { alerts: { file }, strategies, external, risk: RISK } });
    await this.stage.bot.untilLogged('dashboard');
    await this.heard();
    this.first = await this.scrape();
  }

  async heard(): Promise<void> {
    while (valueOf(await this.scrape(), 'tickwright_up') !== 1) await sleep(LOOK_MS);
  }

  /** @throws Error if the text is not as the format wants it */
  async scrape(): Promise<readonly Series[]> {
    this.#url ||= (await tokenOf(this.folder)).url;
    const { status, body } = await this.get(readFileSync(join(this.folder, 'metrics.token'), 'utf8').trim());
    if (status !== 200) throw new Error(`/metrics: status ${status}`);
    return readExposition(String(body));
  }

  get(token: string): ReturnType<typeof callWeb> {
    return callWeb(this.#url, 'GET', '/metrics', { authorization: `Bearer ${token}` });
  }

  /** Waits until the condition of the rule holds; how long it has to hold is up to Prometheus. */
  async fires(name: RuleName): Promise<void> {
    while (!this.holds(name, await this.scrape())) await sleep(LOOK_MS);
  }

  holds(name: RuleName, now: readonly Series[]): boolean {
    const { metric, labels = {}, growsIn, op, value }: PrometheusRule = PROMETHEUS_RULES[name];
    const isMeant = (one: Series): boolean => one.name === metric && Object.entries(labels).every(([key, of]) => one.labels[key] === of);
    return now.filter(isMeant).some((one) => {
      const before = this.first.find((old) => old.name === metric && JSON.stringify(old.labels) === JSON.stringify(one.labels));
      // A counter that begins above 0 has not grown for Prometheus.
      const shown = growsIn === undefined ? one.value : one.value - (before?.value ?? one.value);
      return op === '>' ? shown > value : op === '<' ? shown < value : shown === value;
    });
  }
}

const valueOf = (all: readonly Series[], name: string): number | undefined => all.find((one) => one.name === name)?.value;

/** What happens to the bot, in this order: each goes on from the one before. */
const FAULTS: { readonly [Name in RuleName]: (scraped: Scraped) => Promise<void> } = {
  TickwrightClockAhead: ({ stage }) => stage.faults([{ fault: 'skew', endpoints: 'all', ms: 5_000 }]),
  TickwrightClockBehind: ({ stage }) => stage.faults([{ fault: 'skew', endpoints: 'all', ms: -5_000 }]),
  async TickwrightStrategyDisabled(scraped) {
    await scraped.stage.faults([]);
    // Ten errors within a minute stop a strategy.
    while (!scraped.holds('TickwrightStrategyDisabled', await scraped.scrape()))
      await Promise.all(Array.from({ length: 10 }, () => operate(scraped.folder, 'signal', { strategy: 'throws', text: 'throw' })));
  },
  TickwrightErrors: () => Promise.resolve(),
  TickwrightAlertsFail: () => Promise.resolve(),
  async TickwrightUnknownOutcome({ stage }) {
    await stage.faults([
      { fault: 'drop', phase: 'after', endpoints: ['E12'], count: 1 },
      { fault: 'status', status: 503, endpoints: ['E17', 'E18'] },
    ]);
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
  },
  async TickwrightKilled({ stage, folder }) {
    await stage.faults([]);
    await operate(folder, 'kill', {});
  },
  TickwrightVenueAway: ({ stage }) => stage.faults([{ fault: 'status', phase: 'before', status: 503, endpoints: 'all' }]),
  TickwrightPositionsOld: () => Promise.resolve(),
  TickwrightDown: ({ stage }) => stage.bot.kill('SIGKILL'),
  async TickwrightNotArmed(scraped) {
    // Its venue still refuses every read: it runs, and agrees with nobody.
    scraped.stage.launchBot();
    await scraped.heard();
  },
};

it('each rule for Prometheus is fired by a fault, and none by a bot that is well', async () => {
  expect(Object.keys(FAULTS).sort()).toEqual(Object.keys(PROMETHEUS_RULES).sort());
  const scraped = new Scraped();
  await scraped.start();
  await scraped.stage.untilHeld(1);
  const firing = async (): Promise<RuleName[]> => {
    const now = await scraped.scrape();
    return (Object.keys(FAULTS) as RuleName[]).filter((name) => scraped.holds(name, now));
  };
  // A condition that holds for a moment only does not fire its rule.
  await expect.poll(firing, { timeout: 60_000, interval: LOOK_MS }).toEqual([]);
  for (const [name, cause] of Object.entries(FAULTS) as [RuleName, (scraped: Scraped) => Promise<void>][]) {
    await cause(scraped);
    await scraped.fires(name);
  }
});

it('/metrics needs its token, and a counter begins at 0 before anything is counted', async () => {
  const scraped = new Scraped();
  await scraped.start();
  for (const token of ['', 'x'.repeat(43)]) expect((await scraped.get(token)).status, token).toBe(401);
  const names = new Set(scraped.first.map(({ name }) => name));
  const counters = Object.entries<MetricRow>(METRICS).flatMap(([name, { type }]) => (type === 'counter' ? [name] : []));
  expect(counters.filter((name) => !names.has(name))).toEqual([]);
  for (const name of ['tickwright_alerts_delivered_total', 'tickwright_alerts_failed_total'])
    expect(scraped.first.filter((one) => one.name === name)).toEqual([{ name, labels: { channel: 'desk' }, value: 0 }]);
  await scraped.stage.end();
});
