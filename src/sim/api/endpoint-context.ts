/** The context of every endpoint: simulator, ids and instruments by symbol, and helpers to parse amounts and to refuse. */
import type { EndpointName, GivenTo, ReplyTo } from '../../contract/endpoints/endpoints.ts';
import type { SwitchValues } from '../../contract/switches.ts';
import { emptyCommand, type Command } from '../../domain/orders/command.ts';
import { parseLots, parseTicks, type Instrument } from '../../domain/instrument.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import { parseScaled, ScaleError } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../domain/amounts/units.ts';
import { Refused, type Call } from '../../venue/operations.ts';
import type { VenueSim } from '../core/venue-core.ts';
import type { SimTrade, TradesRequest } from '../state/types.ts';
import type { ClientIds } from '../state/ids/wire-ids.ts';
import type { Withdrawals } from './withdrawal-records.ts';

export type SpotSymbol = Extract<ReplyTo<'spotSymbols'>, { readonly symbol: string }>;
export type Coin = Extract<ReplyTo<'coins'>, { readonly coin: string }>;

/** A configured trading pair: its name, and the fields that differ from the generated record. */
export type SymbolGiven = Partial<SpotSymbol> & Pick<SpotSymbol, 'symbol'>;
export type CoinGiven = Partial<Omit<Coin, 'chains'>> &
  Pick<Coin, 'coin'> & { readonly chains?: readonly Partial<Coin['chains'][number]>[] };

/** Reference data that the simulator does not have: spot symbols (E3) and coins (E4). */
export interface Reference {
  readonly symbols: readonly SpotSymbol[];
  readonly coins: readonly Coin[];
}

/** Market trades of an instrument, newest first. */
export type TradesSource = (instrument: number, request: TradesRequest) => readonly SimTrade[];

export interface EndpointContext {
  readonly sim: VenueSim;
  readonly trades: TradesSource;
  readonly ids: ClientIds;
  readonly switches: SwitchValues;
  readonly futures: ReadonlyMap<string, Instrument>;
  readonly spot: ReadonlyMap<string, Instrument>;
  readonly instruments: readonly Instrument[];
  readonly reference: Reference;
  readonly withdrawals: Withdrawals;
}

/** Answers one endpoint: returns the `data` of a success, or a refusal. */
export type Answer<N extends EndpointName> = (context: EndpointContext, parameters: GivenTo<N>, call: Call) => ReplyTo<N> | Refused;

export function refuse(reason: Reason): Refused {
  return new Refused(reason);
}

/** A new empty command, valid for one call: the simulator copies what it keeps. */
export function newCommand(kind: number, instrument: Instrument, time: number): Command {
  const command = emptyCommand();
  command.kind = kind;
  command.instrument = instrument.index;
  command.time = time;
  return command;
}

/** Results of the parsers below for a decimal that cannot be used. */
export const TOO_PRECISE = -1;
export const OUT_OF_RANGE = -2;

/** A price in ticks; 0 if absent; TOO_PRECISE, or OUT_OF_RANGE (also if negative). */
export function ticksFrom(text: string | undefined, instrument: Instrument): number {
  if (text === undefined || text === '') return 0;
  return guarded(() => parseTicks(text, instrument));
}

/** A size in lots; special results as for ticksFrom. */
export function lotsFrom(text: string | undefined, instrument: Instrument): number {
  if (text === undefined || text === '') return 0;
  return guarded(() => parseLots(text, instrument));
}

/** An amount of the quote coin in 10⁻⁸; special results as for ticksFrom. */
export function moneyFrom(text: string): number {
  return guarded(() => parseScaled(text, MONEY_DECIMALS));
}

function guarded(parse: () => number): number {
  try {
    const value = parse();
    return value < 0 ? OUT_OF_RANGE : value;
  } catch (error) {
    if (!(error instanceof ScaleError)) throw error;
    return error.reason === 'precision' ? TOO_PRECISE : OUT_OF_RANGE;
  }
}
