/**
 * The refusals of a server that stand in no endpoint's table: of requests that reach no endpoint, of values that no row names, and of the
 * server itself. The interface does not list them, so codes and texts are ours (assumption A31). Only this file makes them: what a server
 * sends stands here or in the table of the endpoint.
 */
import type { Reason } from '../../domain/orders/outcome.ts';

interface GeneralRow {
  readonly status: number;
  readonly code: string;
  /** "{}" stands for what was found. */
  readonly msg: string;
}

/** By name. The status is the standard one; a refusal by an endpoint has the status of its other refusals instead. */
export const GENERAL_REFUSALS = {
  malformedRequest: { status: 400, code: '40001', msg: 'Malformed HTTP request' },
  noHost: { status: 400, code: '40001', msg: 'Host header is required' },
  notUtf8: { status: 400, code: '40001', msg: 'Request body is not UTF-8' },
  malformedJson: { status: 400, code: '40001', msg: 'Malformed JSON' },
  tooDeep: { status: 400, code: '40001', msg: 'JSON nested deeper than {}' },
  tooMany: { status: 400, code: '40001', msg: 'JSON with more than {} entries' },
  duplicateKey: { status: 400, code: '40001', msg: 'Duplicate key {}' },
  forbiddenKey: { status: 400, code: '40001', msg: 'Forbidden key {}' },
  badParameter: { status: 400, code: '40001', msg: 'Duplicate or forbidden parameter {}' },
  notAnObject: { status: 400, code: '40001', msg: 'Request must be an object' },
  empty: { status: 400, code: '40001', msg: 'Parameter cannot be empty' },
  invalidField: { status: 400, code: '40001', msg: '{} is invalid' },
  invalid: { status: 400, code: '40001', msg: 'Parameter is invalid' },
  priceInvalid: { status: 400, code: '40001', msg: 'Price invalid' },
  notTrading: { status: 400, code: '40001', msg: 'Symbol not trading' },
  otherReason: { status: 400, code: '40001', msg: 'Refused: {}' },
  unauthorized: { status: 400, code: '40002', msg: 'Unauthorized' },
  banned: { status: 403, code: '40300', msg: 'The address is banned' },
  pathUnknown: { status: 404, code: '40404', msg: 'Request path does not exist' },
  methodUnknown: { status: 405, code: '40001', msg: 'Request method is not supported' },
  notSentInTime: { status: 408, code: '40001', msg: 'Request was not sent in time' },
  bodyTooLarge: { status: 413, code: '40001', msg: 'Request body is too large' },
  notJson: { status: 415, code: '40001', msg: 'Content type must be application/json' },
  encoded: { status: 415, code: '40001', msg: 'Content encoding is not supported' },
  tooManyRequests: { status: 429, code: '42900', msg: 'Too many requests' },
  headersTooLarge: { status: 431, code: '40001', msg: 'Request headers are too large' },
  systemError: { status: 500, code: '50000', msg: 'System error' },
  marketAway: { status: 503, code: '50301', msg: 'The market that is passed through is away' },
  bookCrossed: { status: 503, code: '50302', msg: 'The book that is passed through is crossed' },
  starting: { status: 503, code: '50303', msg: 'The exchange is starting: {}' },
  maintenance: { status: 503, code: '50300', msg: 'The system is under maintenance' },
} as const satisfies Readonly<Record<string, GeneralRow>>;

export type GeneralName = keyof typeof GENERAL_REFUSALS;

/** A refusal of the table above, with what was found. */
export class GeneralRefusal {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
  /** So that no other object passes for one. */
  declare protected readonly listed: true;

  constructor(name: GeneralName, found = '') {
    const { status, code, msg } = GENERAL_REFUSALS[name];
    this.status = status;
    this.code = code;
    this.msg = msg.replace('{}', () => found);
  }
}

const NAME_OF: Readonly<Partial<Record<Reason, GeneralName>>> = {
  'invalid-request': 'invalid',
  'price-invalid': 'priceInvalid',
  'symbol-not-trading': 'notTrading',
  'system-error': 'systemError',
};

/** The refusal for a reason that the endpoint's table has no row for. */
export function refusalForReason(reason: Reason): GeneralRefusal {
  const name = NAME_OF[reason];
  return name === undefined ? new GeneralRefusal('otherReason', reason.replaceAll('-', ' ')) : new GeneralRefusal(name);
}
