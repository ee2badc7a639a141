/** Backtests for tests: recordings as tapes, strategies from a few lines, the shipped settings with a few changes. */
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { BotConfig, RiskConfig, SimulationConfig } from '../../../src/config/model.ts';
import type { InstrumentSpec } from '../../../src/domain/instrument.ts';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import type { BacktestOptions } from '../../../src/run/setup/options.ts';
import { importFiles } from '../../../src/tape/import/import.ts';
import { WIDE_LIMITS } from '../specs.ts';

const DATA = resolve(import.meta.dirname, '../../../../shared/data');
export const HAS_RECORDINGS = existsSync(join(DATA, 'BTCUSDT-perp-2024-08-08.book.csv.gz'));
if (!HAS_RECORDINGS) console.warn('SKIPPED: the recordings are not at ../shared/data; the arithmetic on real rows is not checked');

/** The recorded trades and book of these symbols as a tape. */
export async function recordingTape(folder: string, symbols: readonly ('BTCUSDT' | 'ETHUSDT')[]): Promise<string> {
  const files = symbols.flatMap((symbol) => ['trades', 'book'].map((kind) => join(DATA, `${symbol}-perp-2024-08-08.${kind}.csv.gz`)));
  await importFiles(files, folder, { overwrite: true });
  return folder;
}

export interface Changes {
  readonly simulation?: Partial<SimulationConfig>;
  readonly risk?: Partial<RiskConfig>;
  readonly limits?: BotConfig['limits'];
  readonly poll?: Partial<BotConfig['poll']>;
  /** Changes to the BTCUSDT futures contract. */
  readonly contract?: Partial<InstrumentSpec>;
}

/** The shipped settings, with these changes. */
export function configWith({ simulation, risk, limits, poll, contract }: Changes = {}): BotConfig {
  const base = defaultConfig();
  return {
    ...base,
    simulation: { ...base.simulation, ...simulation },
    risk: {
      ...base.risk,
      ...WIDE_LIMITS,
      maxOpenOrders: 20,
      priceCollar: '0.02',
      staleAfterMs: 5000,
      maxOrderSize: '1',
      maxPosition: '2',
      ...risk,
    },
    limits: { ...base.limits, ...limits },
    poll: { ...base.poll, ...poll },
    instruments: base.instruments.map((one) => (one.symbol === 'BTCUSDT' && one.product === 'futures' ? { ...one, ...contract } : one)),
  };
}

let files = 0;

/**
 * Writes a strategy whose `create` has this body, and returns its path. Each call creates a new file, so that no module is loaded twice.
 */
export function strategyFile(folder: string, body: string, params = ''): string {
  const file = join(folder, `strategy-${++files}.ts`);
  writeFileSync(
    file,
    `import { defineStrategy, param } from 'tickwright';\nvoid param;\nexport default defineStrategy({\n  name: 'scripted',\n` +
      `  params: { ${params} },\n  create(params: any, markets: any) {\n    void params; void markets;\n${body}\n  },\n});\n`,
  );
  return file;
}

/** The intent to place when the n-th book row has been seen; counted from 1. */
export type Step = readonly [row: number, intent: string];

/** A strategy that counts book rows and places orders at some of them; `intent` is the text of a PlaceIntent without its market. */
export function scriptedStrategy(folder: string, steps: readonly Step[]): string {
  const cases = steps.map(([row, intent]) => `        if (row === ${row}) ctx.place({ market, ...${intent} });`);
  return strategyFile(
    folder,
    `    let row = 0;\n    return {\n      onQuote(market: any, ctx: any) {\n        row++;\n${cases.join('\n')}\n      },\n    };`,
  );
}

/** Runs one strategy file on a tape. */
export function backtest(tape: string, strategy: string, given: Partial<BacktestOptions> = {}): Promise<BacktestReport> {
  return runBacktest(optionsFor(tape, strategy, given));
}

/** Options of a backtest of one strategy file. */
export function optionsFor(tape: string, strategy: string, given: Partial<BacktestOptions> = {}): BacktestOptions {
  return {
    strategies: [{ file: strategy, params: {}, symbols: [] }],
    tape,
    config: configWith(),
    everyTick: false,
    speed: 1,
    seed: 1,
    ...given,
  };
}
