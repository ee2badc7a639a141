/** The command `start` as a newcomer uses it: exchange and bot in one process, stopped and started again, killed and started again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isEnded } from '../../../src/domain/orders/order.ts';
import { Random } from '../../../src/base/random.ts';
import { Secret } from '../../../src/base/secret.ts';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { parseBaseUrl } from '../../../src/edge/http/base-url.ts';
import { VenueClient } from '../../../src/edge/http/call.ts';
import { HttpTransport } from '../../../src/edge/http/transport.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { CLEAN, journalIn } from '../audit.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, type Program, STOPPED } from '../process.ts';
import { expectPrivate } from '../modes.ts';
import { Scene } from '../scene.ts';

afterEach(cleanUp);

/** Pending orders and positions as any signed client sees them. */
async function seenBy(url: string): Promise<{ pending: string[]; legs: string[] }> {
  const clock = new LiveClock();
  const transport = new HttpTransport({ base: parseBaseUrl(url), clock });
  const credentials = { key: new Secret('demo-key'), secret: new Secret('demo-secret'), passphrase: new Secret('demo-pass') };
  const client = new VenueClient({ transport, clock, credentials });
  const pending = await client.call(ENDPOINTS.pendingOrders, { limit: 100 });
  const positions = await client.call(ENDPOINTS.positions, {});
  await transport.close();
  if (pending.status !== 'accepted' || positions.status !== 'accepted') throw new Error('the exchange did not answer');
  return {
    pending: (pending.value.entrustedList ?? []).map(({ clientOid }) => clientOid).sort(),
    legs: positions.value.map(({ symbol, holdSide, total }) => `${symbol} ${holdSide} ${total}`).sort(),
  };
}

/** The bot's positions when it stopped, in the same form. */
function believedLegs(bot: Program): string[] {
  const symbols = (bot.logged('stopped')[0]?.['symbols'] ?? []) as { symbol: string; long: string; short: string }[];
  const legs = symbols.flatMap(({ symbol, long, short }) => [`${symbol} long ${long}`, `${symbol} short ${short}`]);
  return legs.filter((leg) => !/ 0\.0*$/.test(leg)).sort();
}

describe('start', () => {
  it('shows fills within a minute with only its defaults', async () => {
    const folder = freshFolder();
    const both = launch(['start', '--state', folder]);
    await both.untilLogged('fill');
    console.info(`first fill ${(both.age / 1000).toFixed(1)} s after the start`);
    expect(readLedger(`${folder}/exchange`).fills.length).toBeGreaterThan(0);
    await both.kill('SIGINT');
    expect(STOPPED).toContain(both.code);
    for (const fill of both.logged('fill')) expect(fill, 'a fill is reported with its cost').toMatchObject({ price: expect.any(String) });
    expect(both.err, 'a banner for people').toMatch(/^listening on http:[^]*Ctrl-C stops cleanly/);
    expect(both.out.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
    expect(both.out, 'no field was renamed because of the line’s own fields').not.toMatch(/"(level|time|event)_":/);
  });

  it('makes a state that only its user can read, with a monitor too, whatever the umask', async () => {
    const folder = join(freshFolder(), 'state');
    const env = { TICKWRIGHT_MONITOR_ENABLED: 'always', TICKWRIGHT_STATE_HOME: join(folder, 'locks') };
    const both = launch(['start', '--state', folder, '--set', 'monitor.port=0'], env, {
      under: ['sh', '-c', 'umask 022; exec "$@"', 'sh'],
    });
    await both.untilLogged('armed');
    await both.until('the history of alerts', () => existsSync(join(folder, 'bot/alerts.sqlite')));
    expectPrivate(folder);
    await both.kill('SIGINT');
    expectPrivate(folder);
  });

  it('a strategy of slow bars trades at once, and after kill -9 with the same past', async () => {
    const folder = freshFolder();
    const params = ['--param', 'filter=4h', '--param', 'entry=15m'];
    const run = (): Program => launch(['start', '--state', folder, '--strategy', 'strategies/trend-filter.ts', ...params]);
    const bars: unknown[] = [];
    for (const end of ['SIGKILL', 'SIGINT'] as const) {
      const both = run();
      await both.untilLogged('warmed-up');
      await both.until('the history', () => both.logged('history-read').length > 0);
      // A strategy that is named alone trades the symbol of the configuration.
      expect(both.logged('history-read').map(({ symbol }) => symbol)).toEqual(['BTCUSDT']);
      bars.push(...both.logged('history-read').map((line) => line['bars']));
      expect(both.logged('history-cut')).toEqual([]);
      await both.kill(end);
    }
    expect(bars).toEqual(Array.from({ length: 2 }, () => ['100 of 100 4h', '150 of 150 15m']));
  });

  it('a strategy of 15-minute bars trades where the market moves 60 times as fast, also from another process', async () => {
    const folder = freshFolder();
    const strategy = ['--strategy', 'test/e2e/strategies/slow-bars.ts', '--set', 'logLevel=orders'];
    const both = launch(['start', '--speed', '60', '--state', join(folder, 'both'), ...strategy]);
    await both.until('a fill', () => both.logged('fill').length > 0);
    await both.kill('SIGINT');

    const exchange = launch(['exchange', '--synth', '--speed', '60', '--port', '0']);
    const url = await addressOf(exchange);
    expect(exchange.out + exchange.err).toContain('--set barSpeed=60');
    const at = ['--set', `venue.baseUrl=${url}`, '--set', `store.folder=${join(folder, 'bot')}`, '--set', 'barSpeed=60'];
    const bot = launch(['run', '--config', 'config/paper.yaml', ...at, ...strategy], DEMO);
    await bot.until('a fill', () => bot.logged('fill').length > 0);
    for (const program of [both, bot]) {
      const history = program.logged('history-read')[0]!['bars'];
      // A bar of 4h ends each 4 minutes of the clock here: one more if the start came just before.
      expect(history).toEqual([expect.stringMatching(/^12[01] of 250 4h$/), '100 of 100 15m']);
      const [bar] = program.logged('strategy-log');
      expect([bar!['timeframe'], bar!['lengthMs']]).toEqual(['15m', 15_000]);
    }
  });

  it('a second one on the same folder ends with 75, and names the holder', async () => {
    const scene = new Scene(6);
    const first = scene.start();
    await addressOf(first);
    const second = scene.start();
    await second.ended;
    expect([second.code, second.err]).toEqual([75, expect.stringMatching(/in use by process \d+; stop it first or use another folder/)]);
    const exchange = launch(['exchange', '--synth', '--port', '0', '--state', scene.ledgerFolder]);
    await exchange.ended;
    expect([exchange.code, exchange.err]).toEqual([75, expect.stringMatching(/in use by process \d+/)]);
    await first.kill('SIGINT');
    expect(STOPPED).toContain(first.code);
  });

  it('continues where it was, however it was stopped', async () => {
    const scene = new Scene(5);
    const first = scene.start();
    await first.untilLogged('fill', 3);
    // Ctrl-C reaches the program twice: from the terminal and from npm.
    first.send('SIGINT');
    first.send('SIGINT');
    await first.ended;
    expect(STOPPED).toContain(first.code);
    const before = readLedger(scene.ledgerFolder);
    const numbered = (await journalIn(scene.botFolder, 'paper')).localState.nextSeq;

    const second = scene.start();
    await second.untilLogged('fill', 3);
    expect(second.out + second.err).toContain('(carried on)');
    expect(second.logged('armed')[0]?.['nextSeq']).toBe(numbered);
    await second.kill('SIGTERM');
    expect(STOPPED).toContain(second.code);
    const after = readLedger(scene.ledgerFolder);
    expect(after.orders.slice(0, before.orders.length).map(({ order }) => order)).toEqual(before.orders.map(({ order }) => order));
    expect(after.cash.filter(({ why }) => why === 'deposit')).toEqual(before.cash.filter(({ why }) => why === 'deposit'));

    const third = scene.start();
    const url = await addressOf(third);
    await third.untilLogged('fill');
    await scene.calmDown(third);
    const seen = await seenBy(url);
    await third.kill('SIGINT');
    const journal = await journalIn(scene.botFolder, 'paper');
    expect(believedLegs(third)).toEqual(seen.legs);
    expect(
      journal.localState.orders
        .filter(({ state }) => !isEnded(state))
        .map(({ seq }) => journal.clientIdOf(seq))
        .sort(),
    ).toEqual(seen.pending);
    expect(seen.pending.length).toBeGreaterThan(0);
    expect(await scene.compare('start, stopped', 0, third, journal)).toMatchObject(CLEAN);
  });

  it('stopped at any moment leaves no order without an outcome', async () => {
    const scene = new Scene(6);
    const random = new Random(1);
    for (let stop = 0; stop < 6; stop++) {
      const both = scene.start();
      await both.untilLogged('fill');
      await scene.untilMoment(random);
      await both.kill(stop % 2 === 0 ? 'SIGINT' : 'SIGTERM');
      expect(STOPPED).toContain(both.code);
      expect(both.logged('armed')[0]?.['halts']).toBe(0);
    }
  });

  it('continues after kill -9 with bot and exchange in one process', async () => {
    const scene = new Scene(9);
    const random = new Random(3);
    let both = scene.start();
    const kills = 5;
    for (let kill = 0; kill < kills; kill++) {
      await both.untilLogged('fill');
      await scene.killAtMoment(both, random);
      both = scene.start();
    }
    await both.untilLogged('fill');
    await scene.calmDown(both);
    await both.kill('SIGINT');
    expect(STOPPED).toContain(both.code);
    expect(await scene.compare('start, killed', kills, both)).toMatchObject(CLEAN);
  });
});
