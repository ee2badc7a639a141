/** `tape record`: polls the market of a venue and records what it answers. Public endpoints alone: no keys, no strategy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../base/failure/failure.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import type { BotConfig } from '../../config/model.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { BaseUrlError } from '../../edge/http/base-url.ts';
import { createLog } from '../../edge/log/pino-log.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import { qualitySentences } from '../../tape/quality/sentences.ts';
import { readManifest } from '../../tape/read.ts';
import { dialectOf } from '../../venue/registry/dialects.ts';
import { PublicReads } from '../market/public-reads.ts';
import { instrumentsOf } from '../setup/instruments/instruments.ts';
import type { Io } from '../setup/options.ts';
import { untilStopped } from '../setup/signals.ts';
import { AnswerRecorder } from './answer-recorder.ts';

/** Trades per page: the maximum of trades (E8). */
const PAGE = 1_000;
/** Pages read backwards to reach the trades that are recorded. */
const PAGES_MAX = 50;

export interface RecordRequest {
  readonly config: BotConfig;
  readonly folder: string;
  /** Empty = every futures instrument. */
  readonly symbols: readonly string[];
  /** undefined: until a signal. */
  readonly forMs: number | undefined;
  /** Called a few times a second. */
  readonly progress: ((rows: number, gaps: number) => void) | undefined;
}

export interface RecordResult {
  readonly folder: string;
  /** Of this run. */
  readonly rows: number;
  readonly gaps: number;
  /** What is odd about the recording, in sentences. */
  readonly findings: readonly string[];
}

const PROGRESS_EVERY_MS = 200;

/** @throws Failure, TapeError */
export async function recordVenue({ config, folder, symbols, forMs, progress }: RecordRequest, io: Io): Promise<RecordResult> {
  const all = instrumentsOf(config.instruments);
  const chosen = chooseFutures(all, symbols);
  const clock = new LiveClock();
  const log = createLog({ level: 'info', form: io.isTty ? 'text' : 'json', width: () => io.stderr.columns });
  const { baseUrl: url, timeoutMs } = config.venue;
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const reads = openReads({
    url,
    dialect: dialectOf(config.venue.dialect),
    instruments: all,
    wanted: chosen,
    limits: config.limits,
    timeoutMs,
    clock,
    log,
  });
  try {
    const now = (): number => clock.now();
    const quotesMs = config.poll.quotes;
    const recorder = new AnswerRecorder({ folder, source: `recorded from ${url}`, instruments: all, now, quotesMs, onFailure: fail });
    const polls = new MarketPolls(reads, recorder, chosen);
    reads.loop(quotesMs, () => polls.quotes());
    for (const instrument of chosen) reads.loop(config.poll.trades, () => polls.trades(instrument));
    const line = setInterval(() => progress?.(recorder.rows, recorder.gaps), PROGRESS_EVERY_MS);
    try {
      const over = forMs === undefined ? [] : [sleep(forMs)];
      await Promise.race([untilStopped(), failed, ...over]);
    } finally {
      clearInterval(line);
      await reads.close();
      await recorder.close();
    }
    const { folder: path, rows, gaps } = recorder;
    return { folder: path, rows, gaps, findings: rows === 0 ? [] : qualitySentences(readManifest(path)) };
  } finally {
    await reads.close();
  }
}

function openReads(options: ConstructorParameters<typeof PublicReads>[0]): PublicReads {
  try {
    return new PublicReads(options);
  } catch (error) {
    if (!(error instanceof BaseUrlError)) throw error;
    throw new Failure('venue-missing', { what: error.message, where: 'venue.baseUrl' }, { cause: error });
  }
}

function chooseFutures(all: readonly Instrument[], symbols: readonly string[]): readonly Instrument[] {
  const futures = all.filter(({ product }) => product === 'futures');
  const known = futures.map(({ symbol }) => symbol);
  for (const symbol of symbols) {
    if (known.includes(symbol)) continue;
    const hint = didYouMean(symbol, known) ?? `the futures are ${known.join(', ')}; add a row to \`instruments\` for another`;
    throw new Failure('symbol-flag', { what: `${symbol} is not a futures instrument`, where: '--symbol', hint });
  }
  return symbols.length === 0 ? futures : futures.filter(({ symbol }) => symbols.includes(symbol));
}

class MarketPolls {
  readonly #reads: PublicReads;
  readonly #recorder: AnswerRecorder;
  readonly #chosen: readonly Instrument[];

  constructor(reads: PublicReads, recorder: AnswerRecorder, chosen: readonly Instrument[]) {
    this.#reads = reads;
    this.#recorder = recorder;
    this.#chosen = chosen;
  }

  async quotes(): Promise<boolean> {
    const instrument = this.#chosen.length === 1 ? this.#chosen[0]!.index : -1;
    const answered = await this.#reads.ask({ kind: 'quotes', instrument });
    if (answered === null) return false;
    const { requestTime, receivedAt } = answered.from;
    this.#recorder.answered({ kind: 'quotes', instrument: -1 }, answered.answer, requestTime > 0 ? requestTime : receivedAt);
    return true;
  }

  /** A round: the newest page, and those before it until they reach what is recorded. */
  async trades({ index }: Instrument): Promise<boolean> {
    let before = '';
    for (let page = 0; page < PAGES_MAX; page++) {
      const answered = await this.#reads.ask({ kind: 'trades', instrument: index, limit: PAGE, before });
      if (answered?.answer.kind !== 'trades') return false;
      before = this.#recorder.trades(index, before, answered.answer.trades);
      if (before === '') break;
    }
    return true;
  }
}
