/** The way of one order as its journal tells it: intent, request, answer, fills, position and profit. */
import { utc } from '../../setup/utc.ts';
import type { StepAnswer, StoryAnswer } from '../../../control/answers.ts';
import { COMMANDS, EFFECTS, ORDER_TYPES, SIDES } from '../../../domain/codes.ts';
import { formatLots, formatTicks, tradedName, type Instrument } from '../../../domain/instrument.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import { makesOrder } from '../../../domain/orders/command-traits.ts';
import { ORDER_STATES } from '../../../domain/orders/order.ts';
import type { JournalRecord } from '../../../ports/store.ts';
import { fillOf, wordIn } from './fill-answers.ts';

type Records = AsyncIterable<JournalRecord> | Iterable<JournalRecord>;

/** The order `number`; null if the records do not have it. */
export async function storyOf(
  records: Records,
  instruments: readonly Instrument[],
  ids: Pick<ClientIds, 'idOf'>,
  number: number,
): Promise<StoryAnswer | null> {
  const story = new OrderStory(number, instruments, ids);
  for await (const record of records) story.record(record);
  return story.answer;
}

/** Collects the steps of one order from records in their order. */
export class OrderStory {
  readonly #number: number;
  readonly #instruments: readonly Instrument[];
  readonly #ids: Pick<ClientIds, 'idOf'>;
  readonly #steps: StepAnswer[] = [];
  /** Numbers of the cancels of it. */
  readonly #cancels = new Set<number>();
  #instrument: Instrument | null = null;
  #asked = '';
  #sentAt = 0;
  #answered = '';
  #filled = 0;
  #profit = '';
  #end = '';

  constructor(number: number, instruments: readonly Instrument[], ids: Pick<ClientIds, 'idOf'>) {
    this.#number = number;
    this.#instruments = instruments;
    this.#ids = ids;
  }

  get answer(): StoryAnswer | null {
    if (this.#instrument === null) return null;
    const number = this.#number;
    return { number, symbol: tradedName(this.#instrument), sentence: this.#sentence(this.#instrument), steps: this.#steps };
  }

  /** Takes the next record. Returns the step that it adds to the order; null for a record of something else. */
  record(record: JournalRecord): StepAnswer | null {
    const step = this.#stepOf(record);
    if (step !== null) this.#steps.push(step);
    return step;
  }

  /** Adds what the journal does not know, before the step `before`, or at the end. */
  insert(step: StepAnswer, before: StepAnswer | null): void {
    const at = before === null ? -1 : this.#steps.indexOf(before);
    this.#steps.splice(at < 0 ? this.#steps.length : at, 0, step);
  }

  #stepOf(record: JournalRecord): StepAnswer | null {
    const { kind, seq, time, data } = record;
    if (kind === 'command' && Number(data['target']) === this.#number && !makesOrder(Number(data['kind']))) {
      this.#cancels.add(seq);
      return { time, what: 'cancel', text: reasonWords('its cancel was sent', data['reason']) };
    }
    if (kind === 'outcome' && this.#cancels.has(seq)) return { time, what: 'cancel', text: `the cancel was ${outcomeWords(data)}` };
    if (kind === 'command' && Number(data['target']) === this.#number) {
      return { time, what: 'modify', text: `order ${seq} is to replace it` };
    }
    if (seq !== this.#number) return null;
    switch (kind) {
      case 'command':
        return this.#command(record);
      case 'outcome':
        this.#answered = `${outcomeWords(data)} after ${time - this.#sentAt} ms`;
        return { time, what: 'answer', text: `the venue's answer after ${time - this.#sentAt} ms: ${outcomeWords(data)}` };
      case 'fill':
        return this.#fill(record);
      case 'ended':
        this.#end = ORDER_STATES[Number(data['how'])] ?? '';
        return { time, what: 'end', text: `it ended: ${this.#end}` };
      case 'fee': {
        const [fee, profit] = [wordIn(data, 'fee'), wordIn(data, 'profit')];
        if (profit !== '') this.#profit = profit;
        return { time, what: 'profit', text: `fees ${fee === '' ? 'unknown' : fee}${profit === '' ? '' : `, realised profit ${profit}`}` };
      }
      default:
        return null;
    }
  }

  #command({ time, data }: JournalRecord): StepAnswer {
    const instrument = this.#instruments[Number(data['instrument'])]!;
    this.#instrument = instrument;
    this.#sentAt = time;
    const ticks = Number(data['trigger']) || Number(data['price']);
    const price = ticks > 0 ? `at ${formatTicks(ticks, instrument)}` : 'at the market';
    const side = `${SIDES[Number(data['side'])]} ${EFFECTS[Number(data['effect'])]} ${ORDER_TYPES[Number(data['type'])]}`;
    const size = formatLots(Number(data['size']), instrument);
    const replaces = Number(data['target']) > 0 ? `, in place of order ${Number(data['target'])}` : '';
    const by = wordIn(data, 'strategy');
    this.#asked = `${side} ${size} ${tradedName(instrument)} ${price}, asked by ${by === '' ? 'the operator' : by}`;
    const what = `${COMMANDS[Number(data['kind'])]} ${side} ${size} ${price}, client id ${this.#ids.idOf(this.#number)}${replaces}`;
    return { time, what: 'request', text: reasonWords(what, data['reason']) };
  }

  #fill(record: JournalRecord): StepAnswer {
    const { time, data } = record;
    const instrument = this.#instrument!;
    this.#filled += Number(data['lots']);
    const fill = fillOf(record);
    const ticks = Number(data['ticks']);
    const price = fill.price !== '' ? fill.price : ticks > 0 ? formatTicks(ticks, instrument) : 'a price that was not read yet';
    const after = fill.positionAfter === '' ? '' : `; the position was ${fill.positionAfter} after it`;
    if (fill.profit !== '') this.#profit = fill.profit;
    const profit = fill.profit === '' ? '' : `, realised profit ${fill.profit}`;
    return { time, what: 'fill', text: `${formatLots(Number(data['lots']), instrument)} filled at ${price}${profit}${after}` };
  }

  #sentence(instrument: Instrument): string {
    const answered = this.#answered === '' ? 'has no answer yet' : `was ${this.#answered}`;
    const filled = this.#filled === 0 ? 'nothing filled' : `${formatLots(this.#filled, instrument)} filled`;
    const profit = this.#profit === '' ? '' : `, realised profit ${this.#profit}`;
    const end = this.#end === '' ? 'it is open' : `it ended ${this.#end}`;
    return `Order ${this.#number} (${this.#asked} at ${utc(this.#sentAt)}) ${answered}; ${filled}${profit}; ${end}.`;
  }
}

function outcomeWords(data: JournalRecord['data']): string {
  const why = wordIn(data, 'why');
  const id = wordIn(data, 'venueId');
  return `${wordIn(data, 'status')}${why === '' ? '' : ` (${why})`}${id === '' ? '' : ` as ${id}`}`;
}

function reasonWords(what: string, reason: unknown): string {
  return typeof reason === 'string' && reason !== '' ? `${what}; reason: ${reason}` : what;
}
