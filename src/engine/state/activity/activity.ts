/**
 * Records what a strategy last did in one market, and counts of a day; `why` answers from it. Written for every market event and every
 * intent, so it only sets fields. @hot
 */
import type { Command } from '../../../domain/orders/command.ts';
import { Funnel } from './funnel.ts';

const DAY_MS = 86_400_000;

/** An order as it was last asked for; the names are those of commands. */
export interface LastIntent {
  kind: number;
  side: number;
  effect: number;
  type: number;
  price: number;
  trigger: number;
  size: number;
  takeProfit: number;
  stopLoss: number;
}

export class Activity {
  /** Of this UTC day, and of the days before in this process. */
  readonly today = new Funnel();
  readonly before = new Funnel();
  /** When a handler was last called with market data; −Infinity for never. */
  calledAt = -Infinity;
  /** When it last asked for an order; −Infinity for never. */
  askedAt = -Infinity;
  readonly last: LastIntent = { kind: 0, side: 0, effect: 0, type: 0, price: 0, trigger: 0, size: 0, takeProfit: 0, stopLoss: 0 };
  /** Number of the order of the last intent; 0 if it was refused. */
  lastSeq = 0;
  /** The rule that refused the last intent, with its text; "" if it was allowed. */
  rule = '';
  detail = '';
  /** Since when every intent was refused by this rule, and how many were. */
  refusedSince = -Infinity;
  refusals = 0;
  /** The last answer of the venue to an order: when, and why it rejected it; "" if it accepted it. */
  answeredAt = -Infinity;
  rejection = '';
  rejectionDetail = '';
  /** Since when the venue has rejected every order, and how many it has. */
  rejectedSince = -Infinity;
  rejections = 0;
  /** End of the UTC day that `today` counts. */
  dayEndsAt = -Infinity;

  /** A handler is called with a quote or a trade. */
  called(now: number): void {
    if (now >= this.dayEndsAt) this.#nextDay(now);
    this.today.calls++;
    this.calledAt = now;
  }

  /** The same for `calls` rows at once, the last at `now`. */
  calledFor(calls: number, now: number): void {
    if (calls === 0) return;
    this.called(now);
    this.today.calls += calls - 1;
  }

  /** A handler is called with a bar. */
  heardBar(now: number): void {
    this.called(now);
    this.today.bars++;
  }

  /** The strategy asks for the order of this command. */
  asked(c: Readonly<Command>): void {
    const now = c.time;
    if (now >= this.dayEndsAt) this.#nextDay(now);
    const { today, last } = this;
    today.intents++;
    if (now !== this.askedAt) today.signals++;
    this.askedAt = now;
    last.kind = c.kind;
    last.side = c.side;
    last.effect = c.effect;
    last.type = c.type;
    last.price = c.price;
    last.trigger = c.trigger;
    last.size = c.size;
    last.takeProfit = c.takeProfit;
    last.stopLoss = c.stopLoss;
  }

  allowed(seq: number): void {
    this.today.allowed++;
    this.lastSeq = seq;
    if (this.refusals === 0) return;
    this.rule = '';
    this.detail = '';
    this.refusals = 0;
  }

  refused(rule: string, detail: string, now: number): void {
    if (rule !== this.rule) {
      this.refusedSince = now;
      this.refusals = 0;
    }
    this.rule = rule;
    this.detail = detail;
    this.refusals++;
    this.lastSeq = 0;
  }

  /** The venue accepted an order of this market. */
  accepted(now: number): void {
    this.today.accepted++;
    this.answeredAt = now;
    if (this.rejections === 0) return;
    this.rejection = '';
    this.rejectionDetail = '';
    this.rejections = 0;
  }

  /** The venue rejected one. */
  rejected(why: string, detail: string, now: number): void {
    if (this.rejections === 0) this.rejectedSince = now;
    this.answeredAt = now;
    this.rejection = why;
    this.rejectionDetail = detail;
    this.rejections++;
  }

  /** The first lots of an order filled. */
  filled(): void {
    this.today.filled++;
  }

  #nextDay(now: number): void {
    this.before.add(this.today);
    this.today.clear();
    this.dayEndsAt = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  }
}
