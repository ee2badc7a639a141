/** The JSON of a run on a terminal: no character of a venue or a strategy changes how it shows, and it is the same JSON. */
import { expect, test } from 'vitest';
import { printRunJson } from '../../../src/cli/shell/show-result.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import type { Io } from '../../../src/run/setup/options.ts';

test('hidden characters and direction overrides are escapes, also in a list that is printed in pieces', async () => {
  const text = 'a\u202eb\u0007\u200b';
  const report = { warnings: [text], fills: Array.from({ length: 10_001 }, () => ({ reason: text })) };
  let out = '';
  await printRunJson(report as unknown as RunReport, { stdout: { write: (piece: string) => void (out += piece) } } as unknown as Io);
  expect(out.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(out)).toEqual(report);
});
