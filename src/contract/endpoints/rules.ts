/**
 * Rules between the fields of a request, each with the message of an error row. Each rule can also make a valid request invalid, so that
 * tests cover all rules from the table. Rules get raw input and ignore malformed fields, which are refused separately.
 */

import { isRecord } from '../../base/fields.ts';

/** A request as received: query strings or a parsed JSON body. */
export type RawRequest = Readonly<Record<string, unknown>>;

export interface Rule {
  /** A sentence for the documentation. */
  readonly says: string;
  readonly refusedWith: string;
  isBroken(raw: RawRequest): boolean;
  /** Returns a request that breaks this rule, made from a valid one. */
  violate(valid: RawRequest): RawRequest;
}

/** True for values that count as "not given": undefined, null and "". */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function without(raw: RawRequest, ...names: readonly string[]): RawRequest {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !names.includes(name)));
}

function itemsOf(raw: RawRequest, field: string): readonly RawRequest[] {
  const value = raw[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

interface When {
  readonly field: string;
  readonly is: string;
  /** True if `is` is the default of `field`. */
  readonly byDefault?: boolean;
}

function holds(when: When, raw: RawRequest): boolean {
  const value = raw[when.field];
  return value === when.is || (when.byDefault === true && isAbsent(value));
}

export function requiredWhen(field: string, when: When, refusedWith: string): Rule {
  return {
    says: `\`${field}\` is required when \`${when.field}\` is \`${when.is}\``,
    refusedWith,
    isBroken: (raw) => holds(when, raw) && isAbsent(raw[field]),
    violate: (valid) => without({ ...valid, [when.field]: when.is }, field),
  };
}

export function requiredInItemsWhen(list: string, field: string, when: When, refusedWith: string): Rule {
  return {
    says: `\`${field}\` is required in every entry of \`${list}\` when \`${when.field}\` is \`${when.is}\``,
    refusedWith,
    isBroken: (raw) => holds(when, raw) && itemsOf(raw, list).some((item) => isAbsent(item[field])),
    violate: (valid) => ({
      ...valid,
      [when.field]: when.is,
      [list]: itemsOf(valid, list).map((item) => without(item, field)),
    }),
  };
}

/** The condition applies to each entry: for example, a limit order in a batch needs a price. */
export function requiredInItems(list: string, field: string, when: When, refusedWith: string): Rule {
  return {
    says: `\`${field}\` is required in an entry of \`${list}\` whose \`${when.field}\` is \`${when.is}\``,
    refusedWith,
    isBroken: (raw) => itemsOf(raw, list).some((item) => holds(when, item) && isAbsent(item[field])),
    violate: (valid) => ({
      ...valid,
      [list]: itemsOf(valid, list).map((item) => without({ ...item, [when.field]: when.is }, field)),
    }),
  };
}

export function notEmpty(list: string, refusedWith: string): Rule {
  return {
    says: `\`${list}\` has at least one entry`,
    refusedWith,
    isBroken: (raw) => Array.isArray(raw[list]) && raw[list].length === 0,
    violate: (valid) => ({ ...valid, [list]: [] }),
  };
}

export function maxItems(list: string, max: number, refusedWith: string): Rule {
  return {
    says: `\`${list}\` has at most ${max} entries`,
    refusedWith,
    isBroken: (raw) => Array.isArray(raw[list]) && raw[list].length > max,
    violate: (valid) => ({ ...valid, [list]: Array.from({ length: max + 1 }, () => itemsOf(valid, list)[0]) }),
  };
}

export function anyOf(fields: readonly string[], refusedWith: string): Rule {
  return {
    says: `at least one of ${fields.map((name) => `\`${name}\``).join(', ')} is required`,
    refusedWith,
    isBroken: (raw) => fields.every((name) => isAbsent(raw[name])),
    violate: (valid) => without(valid, ...fields),
  };
}

/** `field` and any of `others` cannot be sent together. */
export function exclusive(field: string, others: readonly string[], samples: RawRequest, refusedWith: string): Rule {
  return {
    says: `\`${field}\` cannot be sent together with ${others.map((name) => `\`${name}\``).join(' or ')}`,
    refusedWith,
    isBroken: (raw) => !isAbsent(raw[field]) && others.some((name) => !isAbsent(raw[name])),
    violate: (valid) => ({ ...valid, ...samples }),
  };
}

interface Window {
  readonly from: string;
  readonly to: string;
  /** The time span must be shorter than this; Infinity for no limit. */
  readonly underMs: number;
}

export function timeWindow({ from, to, underMs }: Window, refusedWith: string): Rule {
  const span = underMs === Infinity ? '' : ` and less than ${underMs / 60_000} minutes later`;
  const late = underMs === Infinity ? '0' : String(1_700_000_000_000 + underMs);
  return {
    says: `\`${to}\` is not before \`${from}\`${span}`,
    refusedWith,
    isBroken(raw) {
      if (isAbsent(raw[from]) || isAbsent(raw[to])) return false;
      const length = Number(raw[to]) - Number(raw[from]);
      return length < 0 || length >= underMs;
    },
    violate: (valid) => ({ ...valid, [from]: '1700000000000', [to]: late }),
  };
}

/** Refuses a zero or negative decimal. */
export function aboveZero(field: string, refusedWith: string): Rule {
  return {
    says: `\`${field}\` is above zero`,
    refusedWith,
    isBroken(raw) {
      const value = raw[field];
      return typeof value === 'string' && /^(-\d+(\.\d+)?|0+(\.0+)?)$/.test(value);
    },
    violate: (valid) => ({ ...valid, [field]: '0' }),
  };
}

/** `symbol`, also in every entry of `list`, must consist of capital letters and digits. */
export function symbolFormat(list: string, refusedWith: string): Rule {
  const isOdd = (value: unknown): boolean => !isAbsent(value) && !(typeof value === 'string' && /^[A-Z0-9]{2,32}$/.test(value));
  return {
    says: '`symbol` consists of capital letters and digits',
    refusedWith,
    isBroken: (raw) => isOdd(raw['symbol']) || itemsOf(raw, list).some((item) => isOdd(item['symbol'])),
    violate: (valid) => ({ ...valid, symbol: 'btc/usdt' }),
  };
}
