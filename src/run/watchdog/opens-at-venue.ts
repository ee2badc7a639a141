/** The own opening orders that rest at the venue, and the cancel of one. */
import { OPEN, PLACE, PLACE_SPOT } from '../../domain/codes.ts';
import type { OrderReport } from '../../domain/report.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { cancelOf } from '../../domain/orders/command-traits.ts';
import { emptyCommand, parseClientId } from '../../domain/orders/command.ts';
import type { UnlistedOpen } from './unlisted-opens.ts';
import type { Unknown, VenueAccess } from './venue-access.ts';

/** An own opening order. It is cancelled by its client id, or by the venue's if it has none. */
export type OpenOrder = Pick<UnlistedOpen, 'kind' | 'symbol' | 'clientId' | 'venueId'>;

/** The same with side, lots, and limit price in ticks (0 for none). */
export interface ShapedOpen extends OpenOrder, Pick<UnlistedOpen, 'side' | 'size' | 'price'> {}

/** An opening order in the list. */
export interface ListedOpen extends ShapedOpen {
  /** True if its client id says that the bot issued it. */
  readonly isOwn: boolean;
}

/** `ended`: the venue cancelled it. `gone`: the venue knows no such order now. Else why nothing is known; the cancel is then repeated. */
export type Cancelled = 'ended' | 'gone' | Unknown;

export interface OpensAtVenue {
  /** All opening orders but those of the bot's later epochs; or why the list is not known or not complete. */
  list(epoch: number): Promise<readonly ListedOpen[] | Unknown>;
  cancel(order: OpenOrder): Promise<Cancelled>;
}

/** `bot`: its name, by which its client ids are known. */
export function opensAtVenue(bot: string, access: VenueAccess): OpensAtVenue {
  const { instruments } = access;
  return {
    async list(epoch) {
      const answer = await access.ask({ kind: 'pending', instrument: -1, isProof: true });
      if ('unknown' in answer) return answer;
      return answer.orders
        .filter(({ effect, clientId }) => effect === OPEN && epochOf(clientId, bot) <= epoch)
        .map((order) => listed(order, instruments[order.instrument]!.symbol, epochOf(order.clientId, bot) > 0));
    },
    async cancel(order) {
      const instrument = instrumentOf(instruments, order);
      if (instrument === undefined) return { unknown: `${order.symbol} is not configured` };
      if (order.kind === PLACE_SPOT && order.venueId === '') return { unknown: 'its id at the venue is not known' };
      const command = {
        ...emptyCommand(),
        kind: cancelOf(order.kind),
        seq: 1,
        target: order.clientId === '' ? 0 : 1,
        targetVenueId: order.venueId,
        instrument: instrument.index,
      };
      const verdict = await access.send(command, order.clientId, { lane: 'cancel' });
      if (verdict.status === 'accepted') return 'ended';
      if (verdict.status === 'unknown' || verdict.status === 'unsent') return { unknown: verdict.cause };
      // A request that was refused for another reason says nothing about the order.
      return verdict.rejection.reason === 'order-not-found' ? 'gone' : { unknown: verdict.rejection.reason };
    },
  };
}

/** The epoch in which the bot issued the id; 0 for an id of another party. */
function epochOf(clientId: string, bot: string): number {
  const { epoch, seq } = parseClientId(bot, clientId);
  return seq > 0 ? epoch : 0;
}

function listed({ clientId, price, side, size, venueId }: OrderReport, symbol: string, isOwn: boolean): ListedOpen {
  return { kind: PLACE, symbol, clientId, venueId, side, size, price, isOwn };
}

function instrumentOf(instruments: readonly Instrument[], { kind, symbol }: OpenOrder): Instrument | undefined {
  const product = kind === PLACE_SPOT ? 'spot' : 'futures';
  return instruments.find((one) => one.symbol === symbol && one.product === product);
}
