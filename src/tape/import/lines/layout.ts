/** Finds which field of a line is which: by the names of the columns, by what they look like, or as the user said. */
import { suggest } from '../../../base/text/suggest.ts';
import { TapeError } from '../../file/error.ts';
import { ROLES, SHAPES, SIDE, type FileKind, type Format } from '../../formats/format.ts';
import { ALIASES, FORMATS } from '../../formats/format-table.ts';
import * as readings from './field-readings.ts';

/** How to read the lines of one file. */
export interface CsvLayout {
  /** Name and title of the format. */
  readonly format: string;
  readonly title: string;
  readonly kind: FileKind;
  /** Fields as written, or as published where there is no header. */
  readonly names: readonly string[];
  /** Per field: its role, or "" where it is not read. */
  readonly roles: readonly string[];
  readonly readings: Uint8Array;
  readonly slots: Int32Array;
  readonly delimiter: number;
  /** The byte before decimals. */
  readonly point: number;
  /** Zone of the vendor's dates, where they have none. */
  readonly zone: string | undefined;
  /** Lines before the first row: the header and what comes before it. */
  readonly leading: number;
  /** The header as written; null if the file has no header. */
  readonly header: string | null;
  /** Names of the fields that are not kept. */
  readonly ignored: readonly string[];
  /** Symbols are the vendor's: they are brought to this program's form. */
  readonly isForeign: boolean;
  readonly inverse: Format['inverse'] | undefined;
  readonly sizeInContracts: boolean;
  /** Volume counts the quote coin: it is divided by the close. */
  readonly isQuoteVolume: boolean;
}

/** What the user said about the columns. */
export interface ColumnChoice {
  /** "time,price,size,_": the roles in order; or "time=ts,price=px": roles by name or number of a column. */
  readonly columns?: string | undefined;
  /** The column that holds the time. */
  readonly timeColumn?: string | undefined;
}

/** The first lines of a file, split. */
export interface Head {
  readonly leading: number;
  readonly delimiter: string;
  readonly header: readonly string[] | null;
  readonly headerLine: string | null;
  readonly rows: readonly (readonly string[])[];
  /** The line that each row is in, from 1. */
  readonly lines: readonly number[];
}

/** @throws TapeError malformed | unsupported */
export function layoutOf(head: Head, choice: ColumnChoice, file: string): CsvLayout {
  const first = head.rows[0] ?? [];
  const found = choice.columns === undefined ? recognised(head, file) : chosen(choice.columns, head, file);
  const { format, kind } = found;
  const roles = withTimeOfDay(withTimeColumn(found.roles, found.names, choice.timeColumn, file), found.names, head);
  checkRoles(kind, roles, found.names, file, head.leading);
  const known = ROLES[kind];
  const codes = roles.map((name, field) => {
    const role = known.find((one) => one.name === name);
    if (role === undefined) return readings.SKIP;
    const isText = role.name === 'id' && first[field] !== undefined && !/^\d*$/.test(first[field]);
    return isText && format !== FORMATS[0] ? readings.TAG : readings.CODE_OF[role.reading];
  });
  const inverse = format?.inverse;
  return {
    format: format?.name ?? `generic-${kind}`,
    title: format?.title ?? `${kind} in columns of familiar names`,
    kind,
    names: found.names,
    roles,
    readings: Uint8Array.from(codes),
    slots: Int32Array.from(roles, (name) => known.find((one) => one.name === name)?.slot ?? -1),
    delimiter: head.delimiter.charCodeAt(0),
    point: pointOf(codes, head).charCodeAt(0),
    zone: format?.zone,
    leading: head.leading,
    header: head.headerLine,
    ignored: found.names.filter((_, field) => roles[field] === ''),
    isForeign: format?.name.startsWith('tickwright-') !== true,
    inverse,
    sizeInContracts: format?.sizeInContracts === true,
    isQuoteVolume: roles.includes('quoteVolume') && !roles.includes('volume'),
  };
}

interface Found {
  readonly format: Format | null;
  readonly kind: FileKind;
  readonly names: readonly string[];
  readonly roles: readonly string[];
}

function recognised(head: Head, file: string): Found {
  if (head.header !== null) return byNames(head.header, file, head.leading) ?? unknownHeader(head.header, file, head.leading);
  const found = byShape(head);
  if (found !== null) return found;
  const line = head.rows[0]?.join(head.delimiter).slice(0, 80) ?? '';
  throw new TapeError(
    'malformed',
    `a header line, or rows of a known form, were expected, found ${JSON.stringify(line)}`,
    `${file}:${head.leading + 1}`,
    'say what the columns are with --columns, for example --columns time,price,size,side; docs/reference/tape-formats.md lists the known forms',
  );
}

/** The format most of whose columns are there, else columns of familiar names. */
function byNames(header: readonly string[], file: string, line: number): Found | null {
  const names = header.map(plainName);
  let best: Format | null = null;
  for (const format of FORMATS) {
    const wanted = Object.keys(format.roles).map(plainName);
    if (format.hasNoHeader || !wanted.every((name) => names.includes(name))) continue;
    if (best === null || wanted.length > Object.keys(best.roles).length) best = format;
  }
  if (best !== null) {
    const roleOf = new Map(Object.entries(best.roles).map(([name, role]) => [plainName(name), role]));
    const roles = names.map((name) => roleOf.get(name) ?? '');
    refuseTwice(roles, header, file, line);
    return { format: best, kind: best.kind, names: header, roles };
  }
  for (const kind of ['quotes', 'bars', 'ticker', 'trades', 'marks', 'funding'] as const) {
    const roles = byAliases(kind, names);
    if (ROLES[kind].every((role) => !role.isNeeded || roles.includes(role.name))) {
      return { format: null, kind, names: header, roles };
    }
  }
  return null;
}

function byAliases(kind: FileKind, names: readonly string[]): string[] {
  const roles: string[] = names.map(() => '');
  for (const { name, slot } of ROLES[kind]) {
    const isTaken = roles.some((role) => role !== '' && ROLES[kind].find((one) => one.name === role)?.slot === slot);
    if (isTaken && slot >= SIDE) continue;
    for (const alias of ALIASES[name] ?? []) {
      const field = names.findIndex((one, k) => one === alias && roles[k] === '');
      if (field < 0) continue;
      roles[field] = name;
      break;
    }
  }
  return roles;
}

function byShape(head: Head): Found | null {
  const width = head.rows[0]?.length ?? 0;
  for (const format of FORMATS) {
    const { shape, columns } = format;
    if (shape?.length !== width || head.rows.length === 0) continue;
    const isLike = head.rows.every((row) => row.length !== width || shape.split('').every((letter, k) => SHAPES[letter]!.test(row[k]!)));
    if (!isLike) continue;
    return { format, kind: format.kind, names: columns, roles: columns.map((name) => format.roles[name] ?? '') };
  }
  return null;
}

/** The columns as `--columns` has them. */
function chosen(text: string, head: Head, file: string): Found {
  const parts = text.split(',').map((part) => part.trim());
  const width = head.header?.length ?? head.rows[0]?.length ?? 0;
  const names = head.header ?? Array.from({ length: width }, (_, k) => `column ${k + 1}`);
  const roles: string[] = names.map(() => '');
  for (const [k, part] of parts.entries()) {
    const [role = '', column] = part.split('=').map((one) => one.trim());
    if (role === '_' || role === '') continue;
    if (!Object.values(ROLES).some((all) => all.some((one) => one.name === role))) throw badColumns(`no value is called ${role}`, role);
    const field = column === undefined ? k : fieldOf(column, names);
    if (field < 0 || field >= width)
      throw badColumns(`${role} is to be column ${column ?? k + 1}, and ${file} has ${width}: ${names.join(', ')}`, null);
    roles[field] = role;
  }
  return { format: null, kind: kindOf(roles), names, roles };
}

function fieldOf(column: string, names: readonly string[]): number {
  const field = names.findIndex((name) => name === column || plainName(name) === plainName(column));
  return field < 0 && /^\d+$/.test(column) ? Number(column) - 1 : field;
}

function kindOf(roles: readonly string[]): FileKind {
  const has = (name: string): boolean => roles.includes(name);
  if (has('open') || has('high') || has('low') || has('close')) return 'bars';
  if (has('bid') || has('ask')) return 'quotes';
  if (has('mark')) return has('rate') ? 'ticker' : 'marks';
  return has('rate') ? 'funding' : 'trades';
}

function badColumns(what: string, near: string | null): TapeError {
  const all = [...new Set(Object.values(ROLES).flatMap((roles) => roles.map((role) => role.name)))];
  const meant = near === null ? null : suggest(near, all);
  return new TapeError('malformed', what, '--columns', meant === null ? `values are ${all.join(', ')}` : `is ${meant} meant?`);
}

function withTimeColumn(roles: readonly string[], names: readonly string[], wanted: string | undefined, file: string): readonly string[] {
  if (wanted === undefined) return roles;
  const field = fieldOf(wanted, names);
  if (field >= 0 && field < names.length) return roles.map((role, k) => (k === field ? 'time' : role === 'time' ? '' : role));
  throw new TapeError('malformed', `a column called ${wanted} was expected, found ${names.join(', ')}`, file, 'check --time-column');
}

/** A column `time` whose cells are times of a day is added to the column `date`. */
function withTimeOfDay(roles: readonly string[], names: readonly string[], head: Head): readonly string[] {
  const plain = names.map(plainName);
  const time = plain.indexOf('time');
  const date = plain.indexOf('date');
  const isFree = (role: string | undefined): boolean => role === '' || role === 'time';
  if (time < 0 || date < 0 || !isFree(roles[time]) || !isFree(roles[date]) || head.rows.length === 0) return roles;
  if (!head.rows.every((row) => SHAPES['c']!.test(row[time] ?? '') || row[time] === head.header?.[time])) return roles;
  return roles.map((role, k) => (k === date ? 'time' : k === time ? 'timeOfDay' : role));
}

/** A comma, where cells of numbers have one that cannot be between thousands, and none has a point. */
function pointOf(codes: readonly number[], head: Head): '.' | ',' {
  const cells = head.rows.flatMap((row) => row.filter((_, k) => codes[k] === readings.NUMBER));
  const isComma = cells.some((cell) => /^-?(\d+,(\d{1,2}|\d{4,})|0,\d+|\d{4,},\d+)$/.test(cell));
  return isComma && !cells.some((cell) => /\.|,.*,/.test(cell)) ? ',' : '.';
}

function checkRoles(kind: FileKind, roles: readonly string[], names: readonly string[], file: string, line: number): void {
  const missing = ROLES[kind].filter(({ name, isNeeded }) => isNeeded && !roles.includes(name));
  if (missing.length === 0) return;
  const what = `columns for ${missing.map(({ name }) => name).join(', ')} were expected, found ${names.join(', ')}`;
  throw new TapeError('malformed', what, `${file}:${line}`, 'say which they are with --columns, for example --columns time=ts,price=px');
}

function refuseTwice(roles: readonly string[], header: readonly string[], file: string, line: number): void {
  const twice = header.find((_, k) => roles[k] !== '' && roles.indexOf(roles[k]!) !== k);
  if (twice !== undefined) throw new TapeError('malformed', `each column once was expected, found ${twice} twice`, `${file}:${line}`);
}

/** Says what a header lacks of the form it is nearest to. */
function unknownHeader(header: readonly string[], file: string, line: number): never {
  const names = header.map(plainName);
  const nearest = ['trades', 'quotes', 'bars']
    .map((kind) => {
      const roles = byAliases(kind as FileKind, names);
      const needed = ROLES[kind as FileKind].filter((role) => role.isNeeded);
      const missing = needed.filter((role) => !roles.includes(role.name));
      return { kind, roles, missing, share: 1 - missing.length / needed.length };
    })
    .toSorted((a, b) => b.share - a.share)[0]!;
  if (nearest.share < 0.5) {
    throw new TapeError(
      'malformed',
      `a header line of a known form was expected, found ${JSON.stringify(header.join(',').slice(0, 80))}`,
      `${file}:${line}`,
      'say which columns are which with --columns, for example --columns time=ts,price=px,size=qty; docs/reference/tape-formats.md lists the known forms',
    );
  }
  const free = header.filter((_, k) => nearest.roles[k] === '');
  const [missing] = nearest.missing;
  const near = suggest(missing!.name, free) ?? null;
  throw new TapeError(
    'malformed',
    `columns of ${nearest.kind} were expected, found none called ${nearest.missing.map(({ name }) => name).join(', ')}`,
    `${file}:${line}`,
    near === null ? 'say which they are with --columns' : `is ${near} meant to be ${missing!.name}? If so: --columns names it`,
  );
}

/** A column's name for comparison: in lower case, of two languages the one in plain letters, the coin of a volume and words for the same left out. */
function plainName(name: string): string {
  const parts = name.split('/').map((part) => part.trim());
  const plain = (parts.find((part) => /^[\w .()#-]+$/.test(part)) ?? name).toLowerCase().replace(/^<(.*)>$/, '$1');
  if (plain === 'unix timestamp') return 'unix';
  const volume = /^volume[ _]([a-z]+)$/.exec(plain)?.[1];
  if (volume === undefined) return plain;
  return /^(usdt?|usdc|busd|fdusd|eur|quote)$/.test(volume) ? 'volume quote' : 'volume base';
}
