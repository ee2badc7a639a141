/** Files that tapes are written to. */
import { closeSync, openSync, readFileSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileSink } from '../../../src/tape/file/byte-sink.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

test('a file is closed once: another file that got its number meanwhile stays open', () =>
  withFolder((folder) => {
    const sink = new FileSink(join(folder, 'tape'));
    sink.write(Buffer.from('rows'));
    sink.finish();
    const other = openSync(join(folder, 'other'), 'w');
    sink.close();
    sink.close();
    writeSync(other, 'still open');
    closeSync(other);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['still open', 'rows']);
    return Promise.resolve();
  }));
