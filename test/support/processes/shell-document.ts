/** Runs the shell blocks of a document in one bash, and compares the output with the answers that the document shows. */
import { spawn, spawnSync } from 'node:child_process';

export interface Step {
  /** The heading above the block. */
  readonly heading: string;
  /** "E12", or "" if the heading names none. */
  readonly endpoint: string;
  readonly shell: string;
  /** The following block marked `json` or `text`, or null. */
  readonly shown: unknown;
}

/** True if every tool is on PATH. In CI they must be installed, so this throws there. */
export function hasTools(suite: string, ...tools: string[]): boolean {
  const missing = tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  if (missing.length === 0) return true;
  const message = `${suite} needs ${missing.join(', ')} on PATH`;
  if (process.env['CI'] !== undefined) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return false;
}

/** A fenced block: "```ts strategies/dip.ts" has the language "ts" and the note "strategies/dip.ts". */
export interface Block {
  /** The heading above it. */
  readonly heading: string;
  readonly language: string;
  readonly note: string;
  readonly text: string;
}

/** All fenced blocks of a document, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const [, title, language = '', note = '', text = ''] of markdown.matchAll(/^#+ (.*)$|^```(\w*) ?(.*)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else blocks.push({ heading, language, note, text });
  }
  return blocks;
}

/** The blocks marked `sh`, in order, each with the answer shown after it. @throws SyntaxError for invalid JSON */
export function stepsOf(markdown: string): Step[] {
  const steps: Step[] = [];
  for (const { heading, language, text } of blocksOf(markdown)) {
    if (language === 'sh') steps.push({ heading, endpoint: /^E\d+(?= )/.exec(heading)?.[0] ?? '', shell: text, shown: null });
    else if (language === 'json' || language === 'text')
      steps.push({ ...steps.pop()!, shown: language === 'json' ? JSON.parse(text) : text.trimEnd() });
  }
  return steps;
}

/** The text without the lines by which a long command says every ten seconds how far it is: they come only where the machine is slow. */
export function withoutProgress(text: string): string {
  return text.replaceAll(/^\S+ [\d,]+ (?:[\w ]+ · .*|of [\d,]+$)\n?/gm, '').replaceAll(/^\n+$/g, '');
}

/** Runs the blocks in one bash that stops at the first failure. Returns the output of each. */
export async function runSteps(steps: readonly Step[]): Promise<string[]> {
  const mark = '@@@ next @@@';
  const script = ['set -eu -o pipefail', ...steps.flatMap(({ shell }) => [`echo '${mark}'`, shell])].join('\n');
  const bash = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let problems = '';
  bash.stdout.on('data', (text) => (out += String(text)));
  bash.stderr.on('data', (text) => (problems += String(text)));
  const code = await new Promise((resolve) => bash.on('close', resolve));
  if (code !== 0 || withoutProgress(problems) !== '') throw new Error(`bash ended with ${String(code)}: ${problems}\n${out.slice(-500)}`);
  return out
    .split(`${mark}\n`)
    .slice(1)
    .map((text) => text.trimEnd());
}

/**
 * Describes where `answer` lacks something of `shown` or has another form; "" if it has everything. `shown` may leave out fields and later
 * entries of lists. Digits in strings may differ, words may not.
 */
export function differenceOf(shown: unknown, answer: unknown, path = 'answer'): string {
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer)) return `${path}: expected a list`;
    if (answer.length < shown.length || (shown.length === 0 && answer.length > 0)) return `${path}: ${answer.length} entries`;
    return shown.map((item, k) => differenceOf(item, answer[k], `${path}[${k}]`)).find((text) => text !== '') ?? '';
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof answer !== 'object' || answer === null) return `${path}: expected an object`;
    const other = answer as Readonly<Record<string, unknown>>;
    const differences = Object.entries(shown).map(([key, value]) => differenceOf(value, other[key], `${path}.${key}`));
    return differences.find((text) => text !== '') ?? '';
  }
  return formOf(shown) === formOf(answer) ? '' : `${path}: expected ${JSON.stringify(shown)}, found ${JSON.stringify(answer)}`;
}

/** Replaces digits, and buy or sell (a synthetic market may give either); everything else must be equal. */
function formOf(value: unknown): string {
  if (typeof value === 'number') return 'number';
  if (value === 'BUY' || value === 'SELL') return 'a direction';
  return typeof value === 'string' ? `"${value.replace(/-?\d+(?:\.\d+)?/g, '0')}"` : String(value);
}

/**
 * Describes the first line of `shown` that `answer` lacks, or the first that it has too many; "" if there is none. A line "…" stands for
 * any lines. With `isLike`, digits and the width of spaces may differ.
 */
export function lineDifference(shown: string, answer: string, isLike = false): string {
  const formed = (line: string): string => (isLike ? likeness(line) : line.trimEnd());
  const wanted = shown.split('\n');
  const found = answer.split('\n');
  let at = 0;
  let maySkip = false;
  for (const line of wanted) {
    if (line.trim() === '…') {
      maySkip = true;
      continue;
    }
    const next = maySkip ? found.findIndex((one, k) => k >= at && formed(one) === formed(line)) : at;
    if (next < 0 || formed(found[next] ?? '') !== formed(line))
      return `expected "${line}", found "${found[next] ?? found[at] ?? 'nothing'}"`;
    at = next + 1;
    maySkip = false;
  }
  return maySkip || at >= found.length ? '' : `expected no more lines, found "${found[at]}"`;
}

/** The line without its figures and the width of its spaces. */
export function likeness(line: string): string {
  return line
    .replaceAll(/[-−+]?[\d.,]*\d/g, '0')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
