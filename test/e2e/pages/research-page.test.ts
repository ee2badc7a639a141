/** docs/research.md, docs/portfolio.md and docs/migrate/README.md: their commands run as shown and print what is shown. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasTools, lineDifference, runSteps, stepsOf } from '../../support/processes/shell-document.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe.skipIf(!hasTools('docs/research.md', 'bash', 'grep', 'sed', 'sort', 'wc')).each([
  ['docs/research.md', 13],
  ['docs/portfolio.md', 3],
  ['docs/migrate/README.md', 3],
])('%s', (page, blocks) => {
  it('prints what it shows', { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tickwright-research-'));
    try {
      const program = `'${process.execPath}' '${join(ROOT, 'src/tickwright.js')}'`;
      const here = readFileSync(join(ROOT, page), 'utf8')
        .replace('npm run -s tickwright --', program)
        .replaceAll(/^( *)node "/gm, `$1'${process.execPath}' "`)
        .replace('TAPES=var/tapes', `TAPES='${folder}/new'; cd '${ROOT}'`); // as in a new project, without the folder
      const steps = stepsOf(here);
      const answers = await runSteps(steps);
      expect(steps.length).toBe(blocks);
      for (const [k, { shell, shown }] of steps.entries()) {
        expect([shell, lineDifference(typeof shown === 'string' ? shown : '', answers[k] ?? '')]).toEqual([shell, '']);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
