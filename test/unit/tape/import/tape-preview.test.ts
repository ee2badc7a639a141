/** `tape import --preview`: every published form shows its format and its first rows, before anything is written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { previewFiles } from '../../../../src/tape/import/preview.ts';
import { SAMPLES } from '../../../support/tape/format-samples.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';

test.each(SAMPLES.map((sample) => [sample.format, sample.file, sample] as const))('%s, %s', async (format, file, { text }) => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, file), text);
    const [preview] = await previewFiles([join(folder, file)], {});
    expect(preview?.format).toBe(format);
    expect(preview?.rows.length).toBeGreaterThan(0);
    for (const row of preview!.rows) expect(row.length).toBe(preview!.values.length);
  });
});
