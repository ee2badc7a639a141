import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      'tickwright/testing': fileURLToPath(new URL('src/testing.ts', import.meta.url)),
      tickwright: fileURLToPath(new URL('src/index.ts', import.meta.url)),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The longest files start processes and wait for them: one worker more than there are cores does not crowd anybody out.
    maxWorkers: availableParallelism() + 1,
    // CI runs real processes beside each other on two cores: what fails for want of time is tried once more there, and nowhere else.
    retry: process.env['CI'] === 'true' ? 1 : 0,
  },
});
