/**
 * Late reads (A57). If a switch delays order history (E17), pending orders (E18) or positions (E19, E20), a second copy of the exchange
 * answers them. The copy gets the same inputs after the delay. The exchange is deterministic, so the copy is its exact earlier state.
 */
import type { EndpointId } from '../../contract/endpoints/endpoint.ts';
import type { EndpointName } from '../../contract/endpoints/endpoints.ts';
import type { Handler } from '../../contract/envelope.ts';
import { SWITCH_DEFAULTS, type SwitchName } from '../../contract/switches.ts';
import { endpointOf, type Dialect } from '../../venue/dialect.ts';
import { INTERFACE } from '../../venue/interface/dialect.ts';
import { VenueSim } from '../core/venue-core.ts';
import { Lazy } from '../../base/lazy.ts';
import { createExchange, createVenueApi, type Exchange, type VenueApiOptions } from './api.ts';
import type { SimSpec } from '../state/types.ts';

const SWITCH_OF: Readonly<Partial<Record<string, Extract<SwitchName, `lag${string}`>>>> = {
  orderHistory: 'lagHistory',
  pendingOrders: 'lagPending',
  positions: 'lagPositions',
  symbolPositions: 'lagPositions',
} satisfies Partial<Record<EndpointName, SwitchName>>;

/** An input of the exchange: a market row, timed work, a signed write, or an operator command. The second entry is its time. */
type Input =
  | ['q', number, number, number, number, number, number]
  | ['t', number, number, number, number, number, number]
  | ['a', number]
  | ['r', number, EndpointId, unknown, string]
  | ['x', number, string, unknown];

interface SavedTwin {
  readonly lag: number;
  readonly exchange: unknown;
  readonly inputs: readonly Input[];
}

/** The exchange with the late reads that the switches set; the same exchange if they set none. */
export function withLags(live: Exchange, spec: SimSpec, venueApi: VenueApiOptions): Exchange {
  const switches = { ...SWITCH_DEFAULTS, ...venueApi.switches };
  const lags = new Set([switches.lagHistory, switches.lagPending, switches.lagPositions].filter((lag) => lag > 0));
  if (lags.size === 0) return live;
  const twins = new Map([...lags].map((lag) => [lag, new Twin(lag, spec, venueApi)]));
  const note = (input: Input): void => {
    for (const twin of twins.values()) twin.note(input);
  };
  const handler: Handler = (endpoint, request) => {
    const time = venueApi.clock.now();
    const lateBy = SWITCH_OF[endpoint.name];
    const twin = lateBy === undefined ? undefined : twins.get(switches[lateBy]);
    if (twin !== undefined) return twin.at(time).handler(endpoint, request);
    const reply = live.handler(endpoint, request);
    if (endpoint.method === 'POST' && request.caller !== null) note(['r', time, endpoint.id, request.params, request.caller]);
    return reply;
  };
  return {
    ...live,
    get nextDue() {
      return live.nextDue;
    },
    quote(i, bid, bidSize, ask, askSize, time) {
      live.quote(i, bid, bidSize, ask, askSize, time);
      note(['q', time, i, bid, bidSize, ask, askSize]);
    },
    trade(i, price, size, aggressor, time, id) {
      live.trade(i, price, size, aggressor, time, id);
      note(['t', time, i, price, size, aggressor, id]);
    },
    advance(time) {
      if (live.nextDue > time) return;
      live.advance(time);
      note(['a', time]);
    },
    command(name, given, time) {
      const result = live.command(name, given, time);
      note(['x', time, name, given]);
      return result;
    },
    handler,
    snapshot: () => ({ ...(live.snapshot() as object), late: [...twins.values()].map((twin) => twin.save()) }),
    restore(state) {
      live.restore(state);
      const saved = (state as { readonly late?: readonly SavedTwin[] }).late ?? [];
      for (const twin of twins.values()) twin.load(saved.find((one) => one.lag === twin.lag) ?? { exchange: state, inputs: [] });
    },
  };
}

/** A copy of the exchange that is `lag` milliseconds behind. */
class Twin {
  readonly lag: number;
  readonly #exchange: Exchange;
  readonly #dialect: Dialect;
  #time = 0;
  /** Inputs; those from `#next` on have not been applied. */
  #inputs: Input[] = [];
  #next = 0;

  constructor(lag: number, spec: SimSpec, venueApi: VenueApiOptions) {
    this.lag = lag;
    this.#dialect = venueApi.dialect ?? INTERFACE;
    const sim = new VenueSim(spec, null);
    const clock = { now: (): number => this.#time };
    this.#exchange = createExchange(
      sim,
      createVenueApi(sim, { ...venueApi, clock, requestClock: venueApi.requestClock ?? venueApi.clock }),
    );
  }

  note(input: Input): void {
    this.#inputs.push(input);
    this.at(input[1]);
  }

  /** Advances the copy to `now` − `lag` and returns it. */
  at(now: number): Exchange {
    const until = now - this.lag;
    for (let input = this.#inputs[this.#next]; input !== undefined && input[1] <= until; input = this.#inputs[++this.#next])
      this.#do(input);
    if (this.#next > 1_000 && this.#next * 2 > this.#inputs.length) {
      this.#inputs = this.#inputs.slice(this.#next);
      this.#next = 0;
    }
    return this.#exchange;
  }

  save(): object {
    const inputs = this.#inputs.slice(this.#next);
    return { lag: this.lag, exchange: this.#exchange.snapshot(), inputs: new Lazy(() => inputs) };
  }

  load({ exchange, inputs }: Omit<SavedTwin, 'lag'>): void {
    this.#exchange.restore(exchange);
    this.#inputs = [...inputs];
    this.#next = 0;
  }

  #do(input: Input): void {
    const exchange = this.#exchange;
    this.#time = input[1];
    switch (input[0]) {
      case 'q':
        return exchange.quote(input[2], input[3], input[4], input[5], input[6], input[1]);
      case 't':
        return exchange.trade(input[2], input[3], input[4], input[5], input[1], input[6]);
      case 'a':
        return exchange.advance(input[1]);
      case 'r': {
        const [, , id, params, caller] = input;
        const request = { method: 'POST', target: '', body: '', params, header: () => undefined, caller };
        exchange.handler(endpointOf(this.#dialect, id), request);
        return;
      }
      case 'x':
        exchange.command(input[2], input[3], input[1]);
    }
  }
}
