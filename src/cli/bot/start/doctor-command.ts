/** The checks of `doctor`. Each gives one line: what it found, or why the check is not possible. */
import { existsSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { HEAP_FLAG, HEAP_MB } from '../../../base/heap-limit.ts';
import { isRemote } from '../../../config/schema/base-url.ts';
import { LOSS_HINT, lossLimitsOf } from '../../../config/loss-limits.ts';
import type { BotConfig, StoreConfig } from '../../../config/model.ts';
import type { AddedByStrategy } from '../../../domain/ready-made.ts';
import { watchdogStart } from '../../../config/watchdog-start.ts';
import { maySlowTrades, refusalsOf, type StartFlags } from './start-checks.ts';
import { table, words } from '../../../report/document/text-table.ts';
import { safeText, widthOf } from '../../terminal/terminal.ts';
import type { Preflight } from '../../../run/bot/preflight.ts';
import type { Finding } from '../../outputs/outputs.ts';
import { examineAlerts } from './doctor-alerts.ts';
import { statedConfigOf, type CliContext, type ConfigFlags } from '../../shell/cli-context.ts';
import { unlocked } from '../../keys/unlock.ts';
import { isAtLeast, isPatchedNode, OLDEST_NODE, PATCHED_NODES } from '../../shell/node-version.ts';

const SKEW_WARNING_MS = 1000;
const SKEW_BAD_MS = 30_000;
/** Most of the memory that the heap may take: the rest is for buffers, code and the system. */
const HEAP_SHARE = 0.8;

/** All findings of `doctor`, in the order of the checks. Checks after the configuration run only if it loads. */
export async function examine(flags: ConfigFlags, context: CliContext): Promise<readonly Finding[]> {
  let config: BotConfig;
  let maySlow: boolean;
  try {
    const { config: locked, isStated } = await statedConfigOf(flags, context);
    config = await unlocked(locked, context.env);
    maySlow = maySlowTrades(config, isStated);
  } catch (error) {
    return [examineNode(process.versions.node), bad('configuration', messageOf(error))];
  }
  // Without a configuration there is no bot to start. A remote venue is looked at, not traded on.
  const isBot = flags.config !== undefined;
  return examineStart(config, { config: flags.config, live: true }, context, { maySlow, isBot });
}

/** Would `run` start with this configuration? The same checks by the same code, all of them instead of the first that fails. */
export async function examineStart(
  config: BotConfig,
  flags: StartFlags,
  context: CliContext,
  { maySlow, isBot = true }: { readonly maySlow: boolean; readonly isBot?: boolean },
): Promise<readonly Finding[]> {
  const findings = [examineNode(process.versions.node), ok('configuration', flags.config ?? 'built-in defaults')];
  findings.push(ok('instruments', config.instruments.map((i) => `${i.symbol} ${i.product}`).join(', ')));
  if (isBot) for (const refusal of refusalsOf(config, flags, context.env)) findings.push(bad('start', refusal.message));
  findings.push(...(await examineStrategies(config, maySlow)), examineLossLimits(config));
  const venue = await examineVenue(config);
  findings.push(
    await examineWatchdog(config),
    await examineAlerts(config),
    await examineMemory(config),
    await examineStore(config),
    ...(await examineFolders(config)),
  );
  findings.push(await examineCredentials(config, venue.status !== 'bad'), venue);
  return findings;
}

/** Prints the findings as a table. True if nothing is wrong. */
export function showFindings(findings: readonly Finding[], { stdout }: CliContext['io']): boolean {
  const rows = findings.map((f) => [f.status, f.subject, safeText(f.finding)]);
  stdout.write(table([{ title: '' }, { title: '' }, words('')], rows, widthOf(stdout)));
  return findings.every((f) => f.status !== 'bad');
}

export function examineNode(version: string): Finding {
  if (!isAtLeast(version, OLDEST_NODE)) return bad('node', `${version}: ${OLDEST_NODE} or newer is needed`);
  if (isPatchedNode(version)) return ok('node', version);
  return warning('node', `${version}: fine for paper; to trade live use ${PATCHED_NODES} (security fixes)`);
}

/** The limit of the running bot's heap; else the limit that a bot would have if it were started like this command. */
async function examineMemory(config: BotConfig): Promise<Finding> {
  const { runningStatus } = await import('../../../run/bot/outside/ask-status.ts');
  const memory = (await runningStatus(config))?.memory;
  if (memory !== undefined)
    return heapFinding(memory.limitMb, `the running bot uses ${memory.heapMb} MB of at most ${memory.limitMb} MB of heap`);
  const limitMb = Math.round(getHeapStatistics().heap_size_limit / 1_048_576);
  const isSet = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((text) => text.includes(HEAP_FLAG));
  const advice = isSet ? '' : `; ecosystem.config.cjs limits a bot to ${HEAP_MB} MB, elsewhere ${HEAP_FLAG}=${HEAP_MB} does`;
  return heapFinding(limitMb, `started like this, a bot may use ${limitMb} MB of heap${advice}`);
}

/** A limit that the machine or container cannot hold is none: the system kills the bot first, and nobody knows why. */
export function heapFinding(
  limitMb: number,
  finding: string,
  memory = Math.min(totalmem(), process.constrainedMemory() || Infinity),
): Finding {
  const memoryMb = Math.round(memory / 1_048_576);
  if (limitMb <= memoryMb * HEAP_SHARE) return ok('memory', finding);
  return warning('memory', `${finding}, but there are ${memoryMb} MB of memory: set ${HEAP_FLAG}=${Math.floor(memoryMb / 2)}`);
}

/** A venue that is another machine costs money: there a loss limit is missed. */
function examineLossLimits(config: BotConfig): Finding {
  const limits = lossLimitsOf(config);
  if (limits.length > 0) return ok('loss limits', limits.join(', '));
  if (!isRemote(config)) return ok('loss limits', 'none: fine for paper');
  return warning('loss limits', `none: nothing stops a bot that loses all day; ${LOSS_HINT}`);
}

/** A bot that is left alone with money is stopped by something else when it hangs. */
async function examineWatchdog(config: BotConfig): Promise<Finding> {
  const { flattenAfterMs, silenceMs } = config.watchdog;
  // The unit of systemd starts one by its environment, which is not that of this command.
  const start = watchdogStart(config);
  const { isWatched } = await import('../../../run/watchdog/watchdog-lock.ts');
  const { StatusFile } = await import('../../../run/watchdog/status-file.ts');
  const { stateFolder } = await import('../../../run/setup/state-folder.ts');
  const closes = flattenAfterMs > 0 ? `, and closes positions after ${flattenAfterMs / 1_000} s` : '';
  const acts = `acts after ${silenceMs / 1_000} s without a sign of life${closes}`;
  if (isWatched(stateFolder(config))) {
    const problem = new StatusFile(stateFolder(config)).read()?.problem ?? '';
    if (problem !== '') return warning('watchdog', `runs, and could cancel nothing now: ${problem}`);
    return ok('watchdog', `runs; ${acts}`);
  }
  if (start === 'off') {
    if (!isRemote(config)) return ok('watchdog', 'none: fine for paper');
    return warning('watchdog', 'none: if the bot hangs or is gone, its opening orders stay at the venue; set watchdog.start');
  }
  const { runningStatus } = await import('../../../run/bot/outside/ask-status.ts');
  if ((await runningStatus(config)) !== null) return warning('watchdog', 'the bot runs without one: tickwright watchdog --config FILE');
  return ok('watchdog', start === 'bot' ? `will be started by the bot; ${acts}` : `does not run: start it beside the bot; ${acts}`);
}

/** Makes each strategy with its parameters, symbols and timeframes, as a start does, and then all of them with their polls. */
async function examineStrategies(config: BotConfig, maySlow: boolean): Promise<Finding[]> {
  const { tryKernel, universeCost } = await import('../../../run/bot/preflight.ts');
  const { fittingPreflight } = await import('../../../run/bot/slower-trades.ts');
  const { instrumentsOf } = await import('../../../run/setup/instruments/instruments.ts');
  const instruments = instrumentsOf(config.instruments);
  const { guardThread } = await import('../../../run/guard/guard.ts');
  guardThread(config);
  const findings: Finding[] = [];
  for (const choice of config.strategies) {
    try {
      const { config: own, preflight: checked } = await fittingPreflight({ ...config, strategies: [choice] }, instruments, maySlow);
      const costs = checked.strategies.flatMap((setup) =>
        setup.universe === undefined ? [] : universeCost(setup, tryKernel(own, checked)),
      );
      const names = checked.strategies.map(({ name }) => name).join(', ');
      findings.push(ok('strategy', [`${names} (${choice.file})`, ...costs].join('; ')));
    } catch (error) {
      findings.push(bad('strategy', `${choice.file}: ${messageOf(error)}`));
    }
  }
  if (findings.some(({ status }) => status === 'bad')) return findings;
  try {
    const { preflight, config: fitted, note } = await fittingPreflight(config, instruments, maySlow);
    if (note !== '') findings.push(warning('polls', note));
    findings.push(...(await examineAdded(fitted, preflight)));
  } catch (error) {
    findings.push(bad('strategies', messageOf(error)));
  }
  return findings.length > 0 ? findings : [warning('strategies', 'none: a bot without strategies watches and does not trade')];
}

/** Strategies that an operator added while the bot ran: a start runs them too. */
async function examineAdded(config: BotConfig, preflight: Preflight): Promise<Finding[]> {
  const { addedLines, requireFreeName, withOne } = await import('../../../run/bot/added-strategies.ts');
  const { runningStatus } = await import('../../../run/bot/outside/ask-status.ts');
  const running = await runningStatus(config);
  if (running !== null) {
    const added = running.strategies.filter(({ isAdded }) => isAdded);
    return added.map(({ name, symbols }) => ok('strategy', `${name} on ${symbols.join(', ')}: added while the bot ran; it trades`));
  }
  const { addedBefore } = await import('../../../run/bot/outside/added-before.ts');
  const findings: Finding[] = [];
  let planned = { config, preflight };
  let before: AddedByStrategy = {};
  try {
    before = await addedBefore(config);
  } catch (error) {
    findings.push(warning('strategies', `those that an operator may have added cannot be read: ${messageOf(error)}`));
  }
  for (const [name, one] of Object.entries(before)) {
    const line = `${addedLines({ [name]: one }).join()}: added while the bot ran`;
    try {
      requireFreeName(planned, name, one);
    } catch (error) {
      findings.push(bad('strategy', messageOf(error)));
      continue;
    }
    try {
      planned = await withOne(planned, name, one);
      findings.push(ok('strategy', line));
    } catch (error) {
      findings.push(warning('strategy', `${line}, and left out by a start: ${messageOf(error)}`));
    }
  }
  return findings;
}

/** Below this a bot ends soon after its start, or soon. */
const LEAST_FREE_MB = 10;
const FEW_FREE_MB = 500;

async function examineStore({ bot, store }: BotConfig): Promise<Finding> {
  if (store.kind === 'memory') return warning('store', 'memory: nothing survives a restart');
  if (store.kind === 'redis') return examineRedis(bot, store);
  const { folderFault } = await import('../../../run/bot/outside/try-folders.ts');
  const isThere = existsSync(store.folder);
  const fault = folderFault(store.folder);
  if (fault !== null) return bad('store', fault);
  const { bavail, bsize } = statfsSync(existing(store.folder));
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < LEAST_FREE_MB) return bad('store', `${free} MB are free on the disk of ${store.folder}: a bot needs ${LEAST_FREE_MB}`);
  if (free < FEW_FREE_MB) return warning('store', `${store.folder}: ${free} MB are free on its disk`);
  return ok('store', `${store.folder} ${isThere ? 'can be written' : 'will be made'}`);
}

async function examineFolders(config: BotConfig): Promise<Finding[]> {
  const { folderFault, foldersOf } = await import('../../../run/bot/outside/try-folders.ts');
  return foldersOf(config).flatMap(([subject, folder]) => {
    const fault = folderFault(folder);
    return fault === null ? [] : [bad(subject, fault)];
  });
}

/** The folder, or the nearest above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

/** Asks as a start would, and opens, writes and removes a journal of its own, which needs the same rights. */
async function examineRedis(bot: string, store: StoreConfig): Promise<Finding> {
  const { askRedis } = await import('../../../run/bot/outside/ask-redis.ts');
  try {
    const { version, address, replicas, isWatched } = await askRedis(bot, store);
    const finding = `redis ${version} at ${address} is a primary with ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
    if (isWatched && replicas === 0) return warning('store', `${finding}: the sentinels have nothing to promote`);
    return ok('store', finding);
  } catch (error) {
    return bad('store', messageOf(error));
  }
}

/** Reads positions, the simplest request that proves key, secret and passphrase. Skipped if the venue does not answer. */
async function examineCredentials(config: BotConfig, isVenueThere: boolean): Promise<Finding> {
  if (config.credentials === null) return warning('credentials', 'none: public data only');
  if (config.venue.baseUrl === '' || !isVenueThere) return ok('credentials', 'given, not tried');
  const { askPositions } = await import('../../../run/bot/outside/ask-positions.ts');
  const refusal = await askPositions(config, config.credentials);
  if (refusal === null) return ok('credentials', 'accepted by the venue');
  return bad('credentials', `the venue listed no positions: ${refusal}; check key, secret, passphrase and venue.signedPrefix`);
}

/** Checks address, answer format and clock with one public request. */
async function examineVenue(config: BotConfig): Promise<Finding> {
  const { baseUrl } = config.venue;
  if (baseUrl === '') return warning('venue', 'no address in the configuration');
  const { askVenue } = await import('../../../run/bot/outside/ask-positions.ts');
  try {
    const { refusal, tookMs, aheadMs } = await askVenue(config);
    if (refusal !== null) return bad('venue', `${baseUrl} gave no best bid and ask: ${refusal}`);
    const finding = `${baseUrl} answered in ${Math.round(tookMs)} ms; its clock is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead'}`;
    if (Math.abs(aheadMs) > SKEW_BAD_MS) return bad('venue', finding);
    return Math.abs(aheadMs) > SKEW_WARNING_MS ? warning('venue', finding) : ok('venue', finding);
  } catch (error) {
    return bad('venue', `${baseUrl} cannot be reached: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

const ok = (subject: string, finding: string): Finding => ({ subject, status: 'ok', finding });
const warning = (subject: string, finding: string): Finding => ({ subject, status: 'warning', finding });
const bad = (subject: string, finding: string): Finding => ({ subject, status: 'bad', finding });
