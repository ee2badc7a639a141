/** The requests of a watchdog to the venue when it closes positions: its reads, and the close of one. */
import { CLOSE, MARKET, PLACE } from '../../domain/codes.ts';
import { emptyCommand, parseClientId } from '../../domain/orders/command.ts';
import type { OrderReport, PositionReport } from '../../domain/report.ts';
import type { WatchdogClose } from '../../domain/messages/watchdog.ts';
import type { OpenOrder } from './opens-at-venue.ts';
import type { Unknown, VenueAccess } from './venue-access.ts';

export interface FlatLook {
  readonly positions: readonly PositionReport[];
  /** Own closing orders that rest: they hold a part of their position. */
  readonly closes: readonly (OpenOrder & Pick<OrderReport, 'instrument' | 'side'>)[];
  /** Client ids of all orders that are pending. */
  readonly pending: ReadonlySet<string>;
}

/** `accepted`: it is at the venue. `unsent`: nothing has left. `refused`: the venue did not take it. Else why nothing is known. */
export type Closed = 'accepted' | { readonly unsent: string } | { readonly refused: string } | Unknown;

export interface FlatVenue {
  /** All positions and pending orders, complete. `epoch`: orders of later epochs are another process's. */
  look(epoch: number): Promise<FlatLook | Unknown>;
  /** The record of an order in the history; null if that does not show it. */
  find(symbol: string, clientId: string): Promise<OrderReport | null | Unknown>;
  /** Sends the close once, unless `veto` says why not, right before its bytes leave. */
  close(close: WatchdogClose, marginMode: number, veto: () => string | null): Promise<Closed>;
}

/** Answers that say of an order of ours that it may be there: an earlier request may have done it. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(['duplicate-client-id', 'already-ordering']);

/** `bot`: its name, by which its client ids are known. */
export function flatVenue(bot: string, access: VenueAccess): FlatVenue {
  const { instruments } = access;
  const indexOf = (symbol: string): number => instruments.findIndex((one) => one.symbol === symbol && one.product === 'futures');
  return {
    async look(epoch) {
      const pending = await access.ask({ kind: 'pending', instrument: -1, isProof: true });
      if ('unknown' in pending) return pending;
      const positions = await access.ask({ kind: 'positions', instrument: -1 });
      if ('unknown' in positions) return positions;
      const isOwn = (clientId: string): boolean => {
        const id = parseClientId(bot, clientId);
        return id.seq > 0 && id.epoch <= epoch;
      };
      const closes = pending.orders.filter(({ effect, clientId }) => effect === CLOSE && isOwn(clientId));
      return {
        positions: positions.positions,
        pending: new Set(pending.orders.map(({ clientId }) => clientId)),
        closes: closes.map(({ clientId, instrument, side, venueId }) => {
          return { kind: PLACE, symbol: instruments[instrument]!.symbol, clientId, venueId, instrument, side };
        }),
      };
    },
    async find(symbol, clientId) {
      const answer = await access.ask({ kind: 'history', instrument: indexOf(symbol), clientId, since: 0 });
      if ('unknown' in answer) return answer;
      return answer.orders.find((order) => order.clientId === clientId) ?? null;
    },
    async close({ clientId, side, size, symbol }, marginMode, veto) {
      const instrument = indexOf(symbol);
      if (instrument < 0) return { unsent: `${symbol} is not configured` };
      const order = { kind: PLACE, seq: 1, instrument, side, effect: CLOSE, type: MARKET, size, marginMode };
      const verdict = await access.send({ ...emptyCommand(), ...order }, clientId, { lane: 'close', veto });
      if (verdict.status === 'accepted') return 'accepted';
      if (verdict.status === 'unsent') return { unsent: verdict.cause };
      if (verdict.status === 'unknown') return { unknown: verdict.cause };
      const { reason } = verdict.rejection;
      return MAY_BE_THERE.has(reason) ? { unknown: reason } : { refused: reason };
    },
  };
}
