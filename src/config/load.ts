/**
 * Loads the configuration: defaults, file, TICKWRIGHT_ variables, `--set`; the later wins, and the source of each value is kept.
 * All problems are reported at once. This module loads the schema library, so commands without a configuration do not load it.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { Failure, type Problem } from '../base/failure/failure.ts';
import { didYouMean } from '../base/text/suggest.ts';
import { readRedisAddress } from '../base/redis-address.ts';
import { maskAddress, normaliseBaseUrl } from './schema/base-url.ts';
import { limitProblems } from './check-limits.ts';
import { strategyProblems } from './check-strategies.ts';
import { readCredentials, SECRET_VARIABLES } from './files/credentials.ts';
import { keystoreIn } from './files/keystore-place.ts';
import { FILE_KEYS } from './file-keys.ts';
import { readInstruments, readLimits, reasonOf } from './files/data-files.ts';
import type { StrategyLimits } from '../domain/limits.ts';
import { tradedName } from '../domain/instrument.ts';
import { DEFAULTS, type Settings } from './defaults.ts';
import { RESERVED_VARIABLES } from './environment.ts';
import type { BotConfig } from './model.ts';
import { DESCRIPTOR } from './files/private-file.ts';
import type { ReadyMade } from '../domain/ready-made.ts';
import { READY_MADE_RISK, readyMadeFile } from './ready-made.ts';
import { leaves, settingsSchema, variableOf, type Leaf } from './schema/settings-schema.ts';
import { QUOTED } from './schema/value-schemas.ts';
import { universeTerms } from './schema/universe-section.ts';
import { watchdogProblems } from './watchdog-start.ts';
import { parseYaml, type PlacedYaml } from './files/yaml.ts';

export interface LoadRequest {
  /** Path of a YAML file, or null for none. */
  readonly file: string | null;
  /** The environment; the three secrets are removed from it. */
  readonly env: Record<string, string | undefined>;
  /** "key=value" pairs of `--set`. */
  readonly set: readonly string[];
  /** True if no request leaves for the venue: the file of credentials is not read. Default: false. */
  readonly sendsNothing?: boolean;
}

export interface LoadedConfig {
  readonly config: BotConfig;
  readonly settings: Settings;
  /** By dotted key: "default", "file:line:column", a variable's name or "--set". */
  readonly sources: ReadonlyMap<string, string>;
}

interface Layered {
  readonly settings: Record<string, unknown>;
  readonly sources: Map<string, string>;
  readonly problems: Problem[];
  /** The parsed file, for the places of values in lists and tables; null without a file. */
  yaml: PlacedYaml | null;
}

/** @throws Failure (configuration; usage for a bad `--set` or an unreadable file) with every problem */
export function loadConfig(request: LoadRequest): LoadedConfig {
  const known = leaves();
  const defaults = structuredClone(DEFAULTS) as unknown as Record<string, unknown>;
  const layered: Layered = { settings: defaults, sources: new Map(), problems: [], yaml: null };
  for (const path of known.keys()) layered.sources.set(path, 'default');
  if (request.file !== null) applyFile(request.file, known, layered);
  applyEnvironment(request.env, known, layered);
  if (layered.problems.length > 0) throw new Failure('config-invalid', layered.problems);
  applySet(request.set, known, layered);
  if (layered.problems.length > 0) throw new Failure('config-flag', layered.problems);
  const settings = layered.settings as unknown as Settings;
  return { config: complete(settings, layered, request), settings, sources: layered.sources };
}

function applyFile(file: string, known: ReadonlyMap<string, Leaf>, layered: Layered): void {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('config-unreadable', { what: `the configuration cannot be read: ${reasonOf(error)}`, where: file }, { cause: error });
  }
  const yaml = parseYaml(text, file);
  layered.yaml = yaml;
  const parsed = settingsSchema.safeParse(yaml.value);
  if (!parsed.success) {
    const found = parsed.error.issues.flatMap((issue) => problemsOf(issue, yaml));
    layered.problems.push(...found.sort((a, b) => (a.where ?? '').localeCompare(b.where ?? '', 'en', { numeric: true })));
    return;
  }
  for (const leaf of known.values()) {
    const path = leaf.path.split('.');
    const value = path.reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], parsed.data);
    if (value === undefined) continue;
    put(layered, leaf, relocate(leaf.path, value, dirname(resolve(file))), yaml.at(path));
  }
}

function applyEnvironment(env: LoadRequest['env'], known: ReadonlyMap<string, Leaf>, layered: Layered): void {
  const byName = new Map([...known.values()].map((leaf) => [variableOf(leaf.path), leaf]));
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('TICKWRIGHT_') || SECRET_VARIABLES.includes(name) || RESERVED_VARIABLES.includes(name)) continue;
    const leaf = byName.get(name);
    if (leaf === undefined) {
      const hint = didYouMean(name, [...byName.keys(), ...SECRET_VARIABLES, ...RESERVED_VARIABLES]);
      layered.problems.push({ what: `${name} is not a variable that tickwright reads`, where: 'environment', hint });
      continue;
    }
    applyText(leaf, env[name] ?? '', name, layered);
  }
}

function applySet(set: readonly string[], known: ReadonlyMap<string, Leaf>, layered: Layered): void {
  for (const pair of set) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    const leaf = known.get(key);
    if (equals < 0) {
      layered.problems.push({ what: `expected key=value, found "${pair}"`, where: '--set', hint: 'for example --set poll.quotes=500' });
    } else if (leaf === undefined) {
      layered.problems.push({
        what: `${key} is not a key of the configuration`,
        where: '--set',
        hint: didYouMean(key, known.keys()),
      });
    } else {
      applyText(leaf, pair.slice(equals + 1), '--set', layered);
    }
  }
}

/** Sets a value given as text. It is tried as text, then as a number, then as true or false. */
function applyText(leaf: Leaf, text: string, source: string, layered: Layered): void {
  const where = source === '--set' ? `--set ${leaf.path}` : source;
  if (!leaf.isScalar) {
    layered.problems.push({ what: `${leaf.path} is a list or a table`, where, hint: 'state it in a configuration file' });
    return;
  }
  const number = text.trim() === '' ? Number.NaN : Number(text);
  const truth = text === 'true' ? true : text === 'false' ? false : undefined;
  const results = [text, number, truth].map((value) => z.safeParse(leaf.schema, value));
  const good = results.find((result) => result.success);
  if (good) {
    put(layered, leaf, relocate(leaf.path, good.data, process.cwd()), source);
    return;
  }
  const expected = results.map((r) => r.error?.issues[0]?.message).find((m) => m !== undefined) ?? 'another value';
  layered.problems.push({ what: `expected ${expected}, found ${describe(text)}`, where });
}

function put(layered: Layered, leaf: Leaf, value: unknown, source: string): void {
  const path = leaf.path.split('.');
  const last = path.pop() ?? '';
  const parent = path.reduce<Record<string, unknown>>((node, key) => node[key] as Record<string, unknown>, layered.settings);
  parent[last] = value;
  layered.sources.set(leaf.path, source);
}

/** An entry of `strategies` as it is written. */
interface GivenStrategy {
  readonly file?: string;
  readonly strategy?: ReadyMade;
  readonly name?: string;
  readonly symbols?: readonly string[];
  readonly universe?: Parameters<typeof universeTerms>[0];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly risk?: StrategyLimits;
}

/** Resolves a path: relative to the folder of the configuration file, or, from a variable or flag, to the working directory. */
function relocate(key: string, value: unknown, folder: string): unknown {
  if (key.endsWith('.credentials') && DESCRIPTOR.test(value as string)) return value;
  const sealed = key.endsWith('.credentials') ? keystoreIn(value as string) : null;
  if (sealed !== null) return `keystore:${resolve(folder, sealed.file)}${sealed.name === '' ? '' : `#${sealed.name}`}`;
  if (Object.hasOwn(FILE_KEYS, key)) return value === '' ? '' : resolve(folder, value as string);
  if (key === 'data') return (value as string[]).map((one) => resolve(folder, one));
  if (key === 'venue.baseUrl') return value === '' ? '' : normaliseBaseUrl(value as string);
  if (key !== 'strategies') return value;
  return (value as GivenStrategy[]).map((choice) => ({
    file: choice.strategy === undefined ? resolve(folder, choice.file ?? '') : readyMadeFile(choice.strategy),
    ...(choice.name === undefined ? {} : { name: choice.name }),
    symbols: choice.symbols ?? [],
    ...(choice.universe === undefined ? {} : { universe: universeTerms(choice.universe) }),
    params: Object.fromEntries(Object.entries(choice.params ?? {}).map(([name, given]) => [name, String(given)])),
    ...riskOf(choice),
  }));
}

/** Limits of an entry. One by name has some without stating them. */
function riskOf({ strategy, risk }: GivenStrategy): { readonly risk?: StrategyLimits } {
  if (strategy !== undefined) return { risk: { ...READY_MADE_RISK, ...risk } };
  return risk === undefined ? {} : { risk };
}

/** Reads the files that the settings name and checks the keys against each other. */
function complete(settings: Settings, { sources, yaml }: Layered, { env, sendsNothing = false }: LoadRequest): BotConfig {
  const { credentials: credentialsFile, ...venue } = settings.venue;
  const instruments = readInstruments(settings.instruments);
  const symbols = new Set(instruments.map(tradedName));
  const problems: Problem[] = [];
  const place = (path: readonly (string | number)[]): string | undefined => sources.get(path.join('.')) ?? yaml?.at(path);
  const unknown = (symbol: string, key: string, where: string | undefined): Problem | null =>
    symbols.has(symbol)
      ? null
      : { what: `${key}: ${symbol} is not an instrument of ${settings.instruments}`, where, hint: didYouMean(symbol, symbols) };
  problems.push(...strategyProblems(settings, place, unknown));
  for (const symbol of Object.keys(settings.risk.symbols)) {
    const problem = unknown(symbol, 'risk.symbols', yaml?.keyAt(['risk', 'symbols', symbol]));
    if (problem !== null) problems.push(problem);
  }
  problems.push(...limitProblems(settings, instruments, place));
  if (settings.store.kind === 'redis' && settings.store.url === '') {
    problems.push({
      what: 'store.url: expected the address of the redis store, found none',
      where: sources.get('store.kind'),
      hint: 'for example url: "redis://127.0.0.1:6379"',
    });
  }
  const address = settings.store.url === '' ? '' : readRedisAddress(settings.store.url);
  if (typeof address === 'string' && address !== '') {
    problems.push({ what: `store.url: ${address}`, where: place(['store', 'url']), hint: 'docs/operations.md shows both forms' });
  }
  const { listLagMs, orderHorizonMs } = settings;
  if (orderHorizonMs < listLagMs) {
    const isLagGiven = sources.get('listLagMs') !== 'default';
    problems.push({
      what: `orderHorizonMs is ${orderHorizonMs} ms, less than listLagMs, ${listLagMs} ms: an order would count as lost before the lists can show it`,
      where: sources.get(isLagGiven ? 'listLagMs' : 'orderHorizonMs'),
      hint: 'set a longer orderHorizonMs, or a shorter listLagMs if the lists of the venue are never that late',
    });
  }
  problems.push(...watchdogProblems(settings, place));
  if (problems.length > 0) throw new Failure('config-invalid', problems);
  // A keystore is opened by who needs the keys: a halt asks for no passphrase.
  const sealed = keystoreIn(credentialsFile);
  const credentials = readCredentials(env, sealed === null && !sendsNothing ? credentialsFile : '');
  const keystore = credentials === null ? sealed : null;
  return { ...settings, venue, instruments, limits: readLimits(settings.limits), credentials, keystore };
}

function problemsOf(issue: z.core.$ZodIssue, yaml: PlacedYaml): Problem[] {
  const key = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const siblings = keysAt(issue.path);
    return issue.keys.map((name) => ({
      what: `${key === '' ? name : `${key}.${name}`} is not a key of the configuration`,
      where: yaml.keyAt([...issue.path, name]),
      hint:
        nested(issue.path, name) ??
        didYouMean(name, siblings) ??
        (siblings.length > 0 ? `the keys here are ${siblings.join(', ')}` : undefined),
    }));
  }
  const inner = issue.code === 'invalid_union' ? issueInside(issue.errors) : undefined;
  if (inner !== undefined) return problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, yaml);
  const value = issue.path.reduce<unknown>((node, step) => (node as Record<PropertyKey, unknown> | null | undefined)?.[step], yaml.value);
  const source = yaml.source(issue.path);
  const isBareNumber = QUOTED.includes(issue.message) && typeof value === 'number';
  const name = String(issue.path.at(-1) ?? '');
  const expected = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [
    {
      what: `${key === '' ? '' : `${key}: `}expected ${expected}, found ${isBareNumber ? `the bare number ${source}` : describe(value)}`,
      where: issue.code === 'invalid_key' ? yaml.keyAt(issue.path) : yaml.at(issue.path),
      hint: isBareNumber ? `put it in quotes, so that no digit is lost: ${name}: "${source}"` : undefined,
    },
  ];
}

/** Of the forms that a value may have, the one of which a part is right: what is wrong inside it. */
function issueInside(errors: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue | undefined {
  return errors.map(([first]) => first).find((first) => first !== undefined && first.path.length > 0);
}

/** The allowed keys of the section at `path`. */
function keysAt(path: readonly PropertyKey[]): string[] {
  const bare = (schema: unknown): unknown => (schema instanceof z.ZodOptional ? schema.unwrap() : schema);
  let schema: unknown = settingsSchema;
  for (const step of path) {
    if (schema instanceof z.ZodObject) schema = bare(schema.shape[String(step)]);
    else if (schema instanceof z.ZodArray) schema = bare(schema.element);
    else if (schema instanceof z.ZodRecord) schema = bare(schema.valueType);
  }
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** How to write a key with dots whose path is known; undefined for another key. */
function nested(path: readonly PropertyKey[], name: string): string | undefined {
  const parts = name.split('.');
  if (parts.length === 1 || !keysAt([...path, ...parts.slice(0, -1)]).includes(parts.at(-1)!)) return undefined;
  return `write it nested: ${parts.reduceRight((inner, part) => (inner === '' ? `${part}: …` : `${part}: { ${inner} }`), '')}`;
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a section';
  return JSON.stringify(typeof value === 'string' ? maskAddress(value) : value);
}
