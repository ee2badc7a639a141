/** Files of columns, by their form. */
import type { ColumnFile } from './columnar.ts';
import { openFeather } from './feather.ts';
import type { Input } from '../files/inputs.ts';
import { openParquet } from './parquet.ts';

/** @throws TapeError malformed */
export async function openColumns(input: Input): Promise<ColumnFile> {
  return input.form === 'arrow' ? openFeather(input) : openParquet(input);
}
