/** A test file that is run over a changed copy of the project fails by that change alone, whatever failed before it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../tidy/source.ts';
import { withProbes } from './probes.ts';
import { TestRunner } from './test-runner.ts';

const LIMIT_MS = 240_000;
const TIERS = 'src/domain/tiers.ts';
const [OF_TIERS, OF_IDS] = ['test/unit/domain/tiers.test.ts', 'test/unit/domain/client-ids.test.ts'] as const;

it('fails with the change, passes without it, and ends what does not end', { timeout: 5 * LIMIT_MS }, async () => {
  const runner = new TestRunner();
  onTestFinished(() => runner.close());
  const source = readFileSync(join(ROOT, TIERS), 'utf8');

  runner.write(TIERS, 'throw new Error("broken on purpose");');
  expect(await runner.run(OF_TIERS, LIMIT_MS)).toMatchObject({ failed: true, isOver: false, errors: ['broken on purpose'] });
  expect(await runner.run(OF_IDS, LIMIT_MS)).toMatchObject({ failed: false, errors: [] });
  runner.write(TIERS, 'for (;;);');
  expect(await runner.run(OF_TIERS, 2_000)).toMatchObject({ failed: true, isOver: true });
  runner.write(TIERS, withProbes({ path: TIERS, text: source }, new Map([[7, { start: source.length - 3, end: source.length - 3 }]])));
  expect(await runner.runProbed(OF_TIERS, LIMIT_MS)).toMatchObject({ failed: false, probes: [7] });
  runner.write(TIERS, source);
  expect(await runner.runProbed(OF_TIERS, LIMIT_MS)).toMatchObject({ failed: false, probes: [] });
});
