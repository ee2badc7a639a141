import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that start processes first: they take longest, and at the end one of them would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/e2e/');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Walks through real processes that `npm test` runs as well: a start, a stop, kills of the bot, and a flat account. */
const IN_SUITE = ['start/start', 'start/stop', 'crash/kill-bot', 'operator/flat'].map((name) => `test/e2e/${name}.test.ts`);

export default defineConfig({
  resolve: {
    alias: {
      ...Object.fromEntries(
        ['control', 'exchange', 'research', 'testing'].map((door) => [
          `tickwright/${door}`,
          fileURLToPath(new URL(`src/${door}.ts`, import.meta.url)),
        ]),
      ),
      tickwright: fileURLToPath(new URL('src/index.ts', import.meta.url)),
    },
  },
  test: {
    // `npm test` runs the suite, `npm run test:processes` the rest: real bots and exchanges, which are waited for.
    projects: [
      // The files of one worker share their modules: loading them again for each file took half of the processor time.
      { extends: true, test: { name: 'suite', include: ['test/!(e2e)/**/*.test.ts', ...IN_SUITE], isolate: false } },
      { extends: true, test: { name: 'processes', include: ['test/e2e/**/*.test.ts'], exclude: IN_SUITE } },
    ],
    // Far more than any test needs, because a busy machine is slow: it only ends a wait for what never comes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // The longest files start processes and wait for them: one worker more than there are cores does not crowd anybody out.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // A test that fails now and then is a defect, of the test or of the program: `npm run repeat` finds it.
    retry: 0,
  },
});
