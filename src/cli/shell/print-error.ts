/** Prints an error for a person: what, where, what to do. A stack trace only with TICKWRIGHT_DEBUG=1. */
import type { CommanderError } from 'commander';
import { exitCode } from '../../base/failure/exit-codes.ts';
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { FAILURES, type FailureCode, type FailureKind } from '../../base/failure/failures.ts';
import { fileFaultOf } from '../../base/failure/file-fault.ts';
import { didYouMean } from '../../base/text/suggest.ts';
import { STORE_FAILURES, type StoreErrorCode } from '../../base/failure/store-failures.ts';
import type { Output } from '../../run/setup/options.ts';
import { safeText } from '../terminal/terminal.ts';

const BY_KIND = {
  failure: exitCode.failed,
  usage: exitCode.usage,
  configuration: exitCode.configuration,
  occupied: exitCode.occupied,
  absent: exitCode.notRunning,
} as const;

/** Errors of modules that this one does not import, by class name. They mean that the configuration cannot work, even after a restart. */
const BY_NAME: ReadonlyMap<string, FailureCode> = new Map([
  ['ParamError', 'parameter-value'],
  ['StrategyError', 'strategy-invalid'],
  ['StateError', 'strategy-invalid'],
  ['PollPlanError', 'poll-plan'],
  ['BaseUrlError', 'venue-address'],
  ['LimitError', 'limit-value'],
]);

export function exitCodeOf(error: unknown): number {
  if (isCommanderError(error) && isHelp(error)) return exitCode.done;
  return exitCodeOfKind(FAILURES[failureOf(error)].kind);
}

export function exitCodeOfKind(kind: FailureKind): number {
  return BY_KIND[kind];
}

/** The failure code (src/base/failure/failures.ts) of `error`. */
function failureOf(error: unknown): FailureCode {
  if (isCommanderError(error)) return 'command-line';
  if (error instanceof Failure) return error.failure;
  if (isStoreError(error)) return STORE_FAILURES[error.code];
  if (isBug(error)) return 'program-fault';
  if (fileFaultOf(error) === 'full') return 'disk-full';
  return (error instanceof Error ? BY_NAME.get(error.name) : undefined) ?? 'unexpected';
}

/** Writes `error` to `out`; nothing for a help text, which is already printed. `args` is the command line. */
export function printError(
  error: unknown,
  out: Output,
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): void {
  if (isCommanderError(error)) {
    if (!isHelp(error)) out.write(usageText(error, args));
    return;
  }
  const problems: readonly Problem[] = error instanceof Failure ? error.problems : [unexpected(error)];
  for (const { what, where, hint } of problems) {
    out.write(`error: ${where === undefined ? '' : `${safeText(where)}: `}${safeText(what)}\n`);
    if (hint !== undefined) out.write(`  ${safeText(hint)}\n`);
  }
  out.write(codeLine(failureOf(error)));
  if (env['TICKWRIGHT_DEBUG'] === '1' && error instanceof Error) {
    for (let e: unknown = error; e instanceof Error; e = e.cause) out.write(`${e === error ? '' : 'cause: '}${e.stack ?? e.message}\n`);
  }
}

/** Compares the name, not the class, as for commander. */
function isStoreError(error: unknown): error is Error & { readonly code: StoreErrorCode } {
  return error instanceof Error && error.name === 'StoreError' && 'code' in error && Object.hasOwn(STORE_FAILURES, String(error.code));
}

/** Compares the code, not the class, so that an error does not load commander. */
function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

function isHelp(error: CommanderError): boolean {
  return error.exitCode === 0;
}

/** Rewrites commander's "error: unknown option '--x'\n(Did you mean --y?)". Without a guess it points to the help. */
function usageText(error: CommanderError, args: readonly string[]): string {
  if (error.code === 'commander.help') return '';
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const choice = choiceIn(first);
  const hints = rest.map((line) =>
    line.replace(/^\(Did you mean (\S+)\?\)$/, 'did you mean "$1"?').replace(/^\(Did you mean (.*)\?\)$/, 'did you mean $1?'),
  );
  if (choice?.hint !== undefined) hints.push(choice.hint);
  const told = error.code === 'commander.invalidArgument';
  if (hints.length === 0 && !told) hints.push(`${['tickwright', ...commandIn(args, error), '--help'].join(' ')} shows what there is`);
  return [`error: ${choice?.what ?? first}`, ...hints.map((hint) => `  ${hint}`), codeLine('command-line')].map(safeText).join('\n');
}

/** Commander's message about a word that is none of the choices, in our words; null for other messages. */
function choiceIn(message: string): { readonly what: string; readonly hint: string | undefined } | null {
  const parts =
    /^command-argument value '(?<found>.*)' is invalid for argument '(?<where>[^']+)'\. Allowed choices are (?<choices>.*)\.$/s.exec(
      message,
    ) ??
    /^option '(?:-\w, )?(?<where>--[\w-]+)[^']*' argument '(?<found>.*)' is invalid\. Allowed choices are (?<choices>.*)\.$/s.exec(message);
  if (parts === null) return null;
  const { found = '', where = '', choices = '' } = parts.groups ?? {};
  return { what: `${where}: expected one of ${choices}, found '${found}'`, hint: didYouMean(found, choices.split(', ')) };
}

/** The words of the command line that name a command. */
function commandIn(args: readonly string[], error: CommanderError): readonly string[] {
  if (error.code === 'commander.unknownCommand') return [];
  const words = args.slice(0, args[0] === 'tape' ? 2 : 1);
  return words.every((word) => /^[a-z][a-z-]*$/.test(word)) ? words : [];
}

function unexpected(error: unknown): Problem {
  if (!(error instanceof Error)) return { what: String(error) };
  if (fileFaultOf(error) === 'full')
    return { what: error.message, hint: 'free space on the disk of its folder, then run the command again' };
  if (!isBug(error)) return { what: error.message };
  return { what: `internal error of tickwright: ${error.message}`, hint: 'TICKWRIGHT_DEBUG=1 shows the stack trace' };
}

function isBug(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) return true;
  return error instanceof Error && error.name === 'AssertionError';
}

function codeLine(code: FailureCode): string {
  return `  code: ${code}\n`;
}
