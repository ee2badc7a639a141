/** docs/research.md: its commands run as shown and print what is shown. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTools, lineDifference, runSteps, stepsOf } from '../support/shell-document.ts';

const ROOT = join(import.meta.dirname, '../..');
const document = readFileSync(join(ROOT, 'docs/research.md'), 'utf8');

describe.skipIf(!hasTools('docs/research.md', 'bash', 'grep', 'sed', 'sort', 'wc'))('docs/research.md', () => {
  it('prints what it shows', { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tickwright-research-'));
    try {
      const program = `'${process.execPath}' '${join(ROOT, 'src/tickwright.js')}'`;
      const here = document
        .replace('npm run -s tickwright --', program)
        .replaceAll('  node "', `  '${process.execPath}' "`)
        .replace('TAPES=var/tapes', `TAPES='${folder}'; cd '${ROOT}'`);
      const steps = stepsOf(here);
      const answers = await runSteps(steps);
      expect(steps.length).toBe(11);
      for (const [k, { shell, shown }] of steps.entries()) {
        expect([shell, lineDifference(typeof shown === 'string' ? shown : '', answers[k] ?? '')]).toEqual([shell, '']);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
