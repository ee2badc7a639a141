/**
 * Writes probes into a source file: the program then says which of some places it comes by. A probe stands before the nearest statement around
 * its place, or in front of the nearest branch of an expression, so a place without a hit was not executed.
 */
import type { AnyNode } from 'acorn';
import { syntaxOf, walk, type Source } from '../tidy/source.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The file to which the probes append their numbers, a line each, is named by this variable of the environment. */
export const PROBES_FILE = 'MUTANT_PROBES';

/** Written to the end of the file. Child processes and worker threads inherit the variable; without it nothing is written. */
const PROBE = `
function mutantProbe(number) {
  const seen = (mutantProbe.seen ??= new Set());
  const path = process.env.${PROBES_FILE};
  if (path === undefined || seen.has(number)) return;
  seen.add(number);
  process.getBuiltinModule('node:fs').appendFileSync(path, number + '\\n');
}
`;

/** The text of the source with a probe for each place; its number is the key of the map. */
export function withProbes(source: Source, places: ReadonlyMap<number, Place>): string {
  const gates = gatesOf(source);
  const pieces: { readonly at: number; readonly text: string; readonly depth: number }[] = [];
  for (const [number, place] of places) {
    const depth = gates.findLastIndex(({ start, end }) => start <= place.start && place.end <= end);
    const { start, end, kind } = gates[depth]!;
    const call = `mutantProbe(${number})`;
    if (kind === 'statement') pieces.push({ at: start, text: `${call};`, depth });
    else {
      pieces.push({ at: start, text: kind === 'branch' ? `{${call};` : `(${call}, `, depth });
      pieces.push({ at: end, text: kind === 'branch' ? '}' : ')', depth: -depth });
    }
  }
  // What begins at the same position goes from the outer to the inner one, and what ends there the other way round.
  pieces.sort((a, b) => b.at - a.at || b.depth - a.depth);
  let { text } = source;
  for (const { at, text: piece } of pieces) text = text.slice(0, at) + piece + text.slice(at);
  return text + PROBE;
}

interface Gate extends Place {
  readonly kind: 'statement' | 'branch' | 'expression';
}

/** Where a probe can stand, the outer ones before those within them. */
function gatesOf(source: Source): Gate[] {
  const gates: Gate[] = [];
  walk(syntaxOf(source).program, (node, parents) => {
    const kind = kindOf(node, parents.at(-1));
    if (kind !== undefined) gates.push({ start: node.start, end: node.end, kind });
  });
  return gates;
}

function kindOf(node: AnyNode, parent: AnyNode | undefined): Gate['kind'] | undefined {
  switch (parent?.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
      return 'statement';
    case 'SwitchCase':
      return node === parent.test ? undefined : 'statement';
    case 'IfStatement':
      return node.type !== 'BlockStatement' && (node === parent.consequent || node === parent.alternate) ? 'branch' : undefined;
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
      return node.type !== 'BlockStatement' && node === parent.body ? 'branch' : undefined;
    case 'ArrowFunctionExpression':
      return node === parent.body && node.type !== 'BlockStatement' ? 'expression' : undefined;
    case 'ConditionalExpression':
      return node === parent.test ? undefined : 'expression';
    case 'LogicalExpression':
    case 'AssignmentPattern':
      return node === parent.right ? 'expression' : undefined;
    case 'PropertyDefinition':
      return node === parent.value ? 'expression' : undefined;
    default:
      return undefined;
  }
}
