/** Spot orders of a strategy: they have no leg, no effect and no bracket. An invalid intent is refused; no error is thrown. */
import { BUY, LIMIT, MARKET, PLACE_SPOT, SELL } from '../../../domain/codes.ts';
import { ScaleError } from '../../../domain/amounts/scale.ts';
import { SPOT_FIELDS, unknownField } from '../../intents/fields.ts';
import type { SpotIntent } from '../../intents/intents.ts';
import type { OrderNumber } from '../../intents/market-types.ts';
import { priceTicks, sizeFor, type Sizing } from '../../intents/quantise.ts';
import type { Executor } from '../../orders/executor.ts';
import type { Core } from '../../state/core.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Owner } from '../../state/records/owner.ts';

interface SpotDeps {
  readonly core: Core & { readonly contexts: readonly InstrumentContext[] };
  readonly executor: Executor;
  readonly sizing: Sizing;
  readonly owner: Owner;
}

export class SpotIntents {
  readonly #deps: SpotDeps;

  constructor({ core, executor, sizing, owner }: SpotDeps) {
    this.#deps = { core, executor, sizing, owner };
  }

  /** The number of the order; 0 if it was refused. */
  place(intent: SpotIntent): OrderNumber {
    const { core, executor, sizing, owner } = this.#deps;
    const context = core.contexts[intent.market.index]!;
    const { instrument } = context;
    const c = executor.begin(PLACE_SPOT, context.index);
    if (instrument.product !== 'spot') return executor.refuse(owner, 'wrong-product', `${instrument.symbol} is not a spot market`);
    const unknown = unknownField(intent, SPOT_FIELDS);
    if (unknown !== '') return executor.refuse(owner, 'unknown-field', unknown);
    c.side = intent.direction === 'SELL' ? SELL : BUY;
    try {
      c.type = intent.limit === undefined ? MARKET : LIMIT;
      if (intent.limit !== undefined) c.price = priceTicks(intent.limit, instrument, c.side);
      c.size = sizeFor(intent.size, c, context, sizing, owner);
    } catch (error) {
      if (!(error instanceof ScaleError)) throw error;
      return executor.refuse(owner, 'bad-amount', error.message);
    }
    return executor.submit(context, null, owner, intent.reason ?? '', null);
  }
}
