/** Every row of docs/faults.md has a test that names it, and every id in a test title has a row. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultRows, idsInTitles } from './fault-rows.ts';
import { ROOT, sourcesIn } from './source.ts';

const { live, struck } = faultRows(readFileSync(join(ROOT, 'docs/faults.md'), 'utf8'));
const tested = new Set(sourcesIn('test').flatMap((source) => idsInTitles(source.text)));

describe('the rows of docs/faults.md', () => {
  it('are listed once each', () => {
    expect(live.length).toBeGreaterThan(100);
    expect(live.filter((id, at) => live.indexOf(id) !== at)).toEqual([]);
  });

  it('have a test each, or a reason why not', () => {
    expect(live.filter((id) => !tested.has(id) && !struck.includes(id))).toEqual([]);
  });

  it('are struck only when no test names them', () => {
    expect(struck.filter((id) => tested.has(id) || !live.includes(id))).toEqual([]);
  });

  it('hold every id that a test title carries', () => {
    expect([...tested].filter((id) => !live.includes(id))).toEqual([]);
  });
});

describe('the reader of titles', () => {
  it('finds ids in plain, templated and parametrised titles', () => {
    expect(idsInTitles("it('a [N7]', () => {})")).toEqual(['N7']);
    expect(idsInTitles('it.each(rows)(`row $id [outcomes C6] [fault R1]`, f)')).toEqual(['outcomes C6', 'fault R1']);
    expect(idsInTitles("describe.skipIf(!has('redis'))('x [outcomes 3.7]', f)")).toEqual(['outcomes 3.7']);
  });

  it('does not count comments, other strings and skipped tests', () => {
    expect(idsInTitles("// [N7]\nconst a = 'x [N7]'; it.skip('b [N7]', f); it.todo('c [N7]')")).toEqual([]);
  });

  it('tells a struck row from a live one', () => {
    expect(faultRows('| `N1` | x |\n\n## Struck\n\n| `N2` | why |')).toEqual({ live: ['N1'], struck: ['N2'] });
  });
});
