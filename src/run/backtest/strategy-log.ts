/** Takes what strategies write by `ctx.log` in a backtest: as lines for people, or a file of JSON lines as the log of a bot has them. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';
import { escapeHidden } from '../../base/hidden.ts';
import { toPlain } from '../../edge/log/scrub.ts';
import type { Output, TakeStrategyLine } from '../setup/options.ts';

export interface StrategyLog {
  readonly take: TakeStrategyLine;
  /** Writes what is left. */
  end(): void;
}

/** Characters that are written at once. */
const PIECE = 1 << 16;

/**
 * A file with a JSON object a line. @throws Failure (report-unwritable), at once or by `end`: what cannot be written is no error of the
 * strategy that calls `take`
 */
export function strategyLogFile(file: string): StrategyLog {
  const unwritable = (error: unknown): Failure => {
    const { code = '' } = error as NodeJS.ErrnoException;
    return new Failure(
      'report-unwritable',
      { what: `a file that can be written was expected, found ${code}`, where: `--log ${file}` },
      { cause: error },
    );
  };
  let handle: number;
  try {
    handle = openSync(file, 'w');
  } catch (error) {
    throw unwritable(error);
  }
  let text = '';
  let trouble: unknown = null;
  const write = (): void => {
    try {
      if (trouble === null) writeFileSync(handle, text);
    } catch (error) {
      trouble = error;
    }
    text = '';
  };
  return {
    take: (time, fields) => {
      const line = { event: 'strategy-log', level: 'info', time: new Date(time).toISOString(), ...(toPlain(fields) as object) };
      text += `${JSON.stringify(line)}\n`;
      if (text.length >= PIECE) write();
    },
    end: () => {
      write();
      closeSync(handle);
      if (trouble !== null) throw unwritable(trouble);
    },
  };
}

/** A readable line each: "2024-01-31T12:00:00.000Z [name] says field=value". */
export function strategyLogText(out: Output): StrategyLog {
  return {
    take: (time, fields) => {
      const { strategy, says, ...rest } = toPlain(fields) as Record<string, unknown>;
      const shown = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
      out.write(`${escapeHidden([new Date(time).toISOString(), `[${String(strategy)}]`, String(says), ...shown].join(' '))}\n`);
    },
    end: () => undefined,
  };
}
