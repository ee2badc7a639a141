import { defineConfig } from 'vitest/config';
import { fileURLToPath } from 'node:url';

export default defineConfig({
  resolve: { alias: { tickwright: fileURLToPath(new URL('src/index.ts', import.meta.url)) } },
  // CI runs real processes beside each other on two cores: what fails once for want of time is tried again there, and nowhere else.
  test: { include: ['test/**/*.test.ts'], testTimeout: 30_000, retry: process.env['CI'] === 'true' ? 2 : 0 },
});
