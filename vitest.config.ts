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

export default defineConfig({
  resolve: {
    alias: {
      'tickwright/testing': fileURLToPath(new URL('src/testing.ts', import.meta.url)),
      tickwright: fileURLToPath(new URL('src/index.ts', import.meta.url)),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
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
