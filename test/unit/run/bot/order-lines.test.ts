/** Which lines of a bot's log are written, kept for `tail --since` and heard by `tail`. */
import { expect, test } from 'vitest';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { logFor } from '../../../../src/run/setup/bot-log.ts';
import type { Io } from '../../../../src/run/setup/options.ts';

test.each([
  ['info', ['fill'], false],
  ['orders', ['order-placed', 'fill'], false],
  ['debug', ['order-placed', 'fill', 'detail'], true],
] as const)('with logLevel %s the log keeps %j, and tail hears lines of orders too', (logLevel, kept, hearsDebug) => {
  const live = { update: () => undefined, write: () => undefined, end: () => undefined };
  const log = logFor({ ...defaultConfig(), logLevel }, { isTty: true, live, stderr: { columns: 80 } } as unknown as Io);
  const heard: string[] = [];
  log.listen((line) => heard.push(line) > 0);
  log.info('order-placed');
  log.info('fill');
  log.debug('detail');
  const events = (lines: Iterable<string>): unknown[] => [...lines].map((line) => (JSON.parse(line) as { event: unknown }).event);
  expect(events(log.kept.since(0))).toEqual(kept);
  expect(events(heard)).toEqual(['order-placed', 'fill', ...(hearsDebug ? ['detail'] : [])]);
});
