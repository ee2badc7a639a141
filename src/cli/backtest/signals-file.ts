/** The file of `--signals`: what programs outside said, and when. */
import { readFileSync } from 'node:fs';
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { csvCells } from '../../base/text/csv.ts';
import { SIGNAL_MOST } from '../../control/control-fields.ts';
import type { SignalGiven } from '../../run/setup/options.ts';
import { requireFile } from '../shell/cli-context.ts';
import { moment, ValueError } from '../shell/values.ts';

/** Wrong lines that are named. */
const NAMED = 5;

/**
 * Reads JSON lines, or CSV with a header. Each has a `time`, may have a `strategy`, and has the `text` that `onSignal` gets; without `text` the
 * other fields are it, as a JSON object. @throws Failure (signals-unreadable) with the lines that are wrong
 */
export function readSignals(path: string): readonly SignalGiven[] {
  const file = requireFile(path, '--signals');
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  const isJson =
    lines
      .find((line) => line.trim() !== '')
      ?.trimStart()
      .startsWith('{') === true;
  const head = isJson ? [] : csvCells(lines[0] ?? '');
  const problems: Problem[] = [];
  if (!isJson && !head.includes('time')) {
    const found = head.join(', ') || 'nothing';
    throw new Failure('signals-unreadable', { what: `expected a column "time" in the first line, found ${found}`, where: `${path}:1` });
  }
  const given: SignalGiven[] = [];
  for (const [k, line] of lines.entries()) {
    if (problems.length >= NAMED || line.trim() === '' || (!isJson && k === 0)) continue;
    try {
      given.push(signalOf(isJson ? jsonFields(line) : csvFields(line, head)));
    } catch (error) {
      if (!(error instanceof ValueError || error instanceof SyntaxError)) throw error;
      problems.push({ what: error.message, where: `${path}:${k + 1}` });
    }
  }
  if (problems.length === 0 && given.length === 0) problems.push({ what: 'expected at least one signal, found none', where: path });
  if (problems.length > 0) throw new Failure('signals-unreadable', problems);
  return given.toSorted((a, b) => a.at - b.at);
}

type Fields = Readonly<Record<string, unknown>>;

function jsonFields(line: string): Fields {
  const value: unknown = JSON.parse(line);
  if (!isRecord(value)) throw new ValueError('expected a JSON object, found another JSON value');
  return value;
}

function csvFields(line: string, head: readonly string[]): Fields {
  const cells = csvCells(line);
  if (cells.length !== head.length) throw new ValueError(`expected ${head.length} columns, found ${cells.length}`);
  return Object.fromEntries(head.map((name, k) => [name, cells[k]!] as const).filter(([, cell]) => cell !== ''));
}

function signalOf({ time, strategy = '', text, ...rest }: Fields): SignalGiven {
  if (typeof time !== 'string' && typeof time !== 'number') throw new ValueError('"time" is missing');
  if (typeof strategy !== 'string') throw new ValueError('"strategy": expected the name of a strategy');
  if (text !== undefined && typeof text !== 'string')
    throw new ValueError('"text": expected a text; leave it out to give the other fields as JSON');
  if (text !== undefined && Object.keys(rest).length > 0)
    throw new ValueError(`expected "text" or other fields, found both: ${Object.keys(rest).join(', ')}`);
  const said = text ?? JSON.stringify(rest);
  if (said.length > SIGNAL_MOST) throw new ValueError(`expected at most ${SIGNAL_MOST} characters, found ${said.length}`);
  return { at: moment(String(time)), strategy, text: said };
}
