/**
 * Order flow: quotes and trades.
 * @hot
 */
import { BarKernel, QuoteKernel, TradeKernel, ValueKernel, type Candle, type TopOfBook, type TradePrint } from '../../core/inputs.ts';
import { CoMoments, RollingSum } from '../../core/rolling.ts';

/** Mid of the quote, weighted by the sizes of the other side. */
export class Microprice extends QuoteKernel {
  override step(quote: TopOfBook): void {
    const size = quote.bidSize + quote.askSize;
    this.isReady = true;
    this.value = size === 0 ? (quote.bid + quote.ask) / 2 : (quote.bid * quote.askSize + quote.ask * quote.bidSize) / size;
  }
}

export class BookImbalance extends QuoteKernel {
  override step(quote: TopOfBook): void {
    const size = quote.bidSize + quote.askSize;
    this.isReady = true;
    this.value = size === 0 ? 0 : (quote.bidSize - quote.askSize) / size;
  }
}

/** Spread over the mid. */
export class QuotedSpread extends QuoteKernel {
  override step(quote: TopOfBook): void {
    this.isReady = true;
    this.value = (2 * (quote.ask - quote.bid)) / (quote.ask + quote.bid);
  }
}

/** Order flow imbalance: size added at the bid or removed at the ask, less size removed at the bid or added at the ask, over the last quotes. */
export class OrderFlowImbalance extends QuoteKernel {
  sum: RollingSum;
  bid = Number.NaN;
  ask = Number.NaN;
  bidSize = 0;
  askSize = 0;

  constructor(period: number) {
    super();
    this.sum = new RollingSum(period);
  }

  override step(quote: TopOfBook): void {
    const { bid, ask, bidSize, askSize, sum } = this;
    this.bid = quote.bid;
    this.ask = quote.ask;
    this.bidSize = quote.bidSize;
    this.askSize = quote.askSize;
    if (bid !== bid) return;
    let flow = 0;
    if (quote.bid >= bid) flow += quote.bidSize;
    if (quote.bid <= bid) flow -= bidSize;
    if (quote.ask <= ask) flow -= quote.askSize;
    if (quote.ask >= ask) flow += askSize;
    sum.push(flow);
    if (!sum.isFull) return;
    this.isReady = true;
    this.value = sum.sum;
  }
}

/** Bought less sold size, over all of it, of the last trades. */
export class TradeImbalance extends TradeKernel {
  signed: RollingSum;
  total: RollingSum;

  constructor(period: number) {
    super();
    this.signed = new RollingSum(period);
    this.total = new RollingSum(period);
  }

  override step(trade: TradePrint): void {
    this.signed.push(trade.side === 'BUY' ? trade.size : -trade.size);
    this.total.push(trade.size);
    if (!this.total.isFull) return;
    this.isReady = true;
    this.value = this.total.sum === 0 ? 0 : this.signed.sum / this.total.sum;
  }
}

/** Cumulative volume delta. */
export class Cvd extends TradeKernel {
  total = 0;

  override step(trade: TradePrint): void {
    this.total += trade.side === 'BUY' ? trade.size : -trade.size;
    this.isReady = true;
    this.value = this.total;
  }
}

/** Mean imbalance of buckets of equal volume. The rest of a trade that fills a bucket counts in the next. */
export class Vpin extends TradeKernel {
  imbalances: RollingSum;
  bucket: number;
  count: number;
  bought = 0;
  sold = 0;

  constructor(bucket: number, count: number) {
    super();
    this.bucket = bucket;
    this.count = count;
    this.imbalances = new RollingSum(count);
  }

  override step(trade: TradePrint): void {
    let { size } = trade;
    // A trade larger than the whole window replaces all buckets. Its whole buckets beyond that would change nothing, so they are skipped.
    const most = this.bucket * (this.count + 1);
    if (size > most) size = most + (size % this.bucket);
    while (size > 0) {
      const part = Math.min(size, this.bucket - this.bought - this.sold);
      if (trade.side === 'BUY') this.bought += part;
      else this.sold += part;
      size -= part;
      if (this.bought + this.sold < this.bucket) break;
      this.imbalances.push(Math.abs(this.bought - this.sold) / this.bucket);
      this.bought = 0;
      this.sold = 0;
    }
    if (!this.imbalances.isFull) return;
    this.isReady = true;
    this.value = this.imbalances.sum / this.count;
  }
}

/** Effective spread from the bounce of prices: 2 · √−covariance of neighbouring changes. */
export class RollSpread extends ValueKernel {
  moments: CoMoments;
  last = Number.NaN;
  change = Number.NaN;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.moments = new CoMoments(period);
  }

  override step(x: number): void {
    const { moments, last, change } = this;
    this.last = x;
    this.change = x - last;
    if (change !== change) return;
    moments.push(this.change, change);
    if (!moments.isFull) return;
    this.isReady = true;
    this.value = 2 * Math.sqrt(Math.max(0, -moments.xy / this.period));
  }
}

/** Amihud's illiquidity: mean of |return| for each unit of traded value. */
export class Amihud extends BarKernel {
  sum: RollingSum;
  last = Number.NaN;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.sum = new RollingSum(period);
  }

  override step(bar: Candle): void {
    const { last, sum } = this;
    this.last = bar.close;
    if (last !== last) return;
    const traded = bar.close * bar.volume!;
    sum.push(traded === 0 ? 0 : Math.abs(bar.close / last - 1) / traded);
    if (!sum.isFull) return;
    this.isReady = true;
    this.value = sum.sum / this.period;
  }
}
