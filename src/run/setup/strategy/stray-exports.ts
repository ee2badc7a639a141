/** Exports of a strategy file that look as if the program read them. Other exports are the own business of the file. */
import { suggest } from '../../../base/text/suggest.ts';
import type { AnyStrategy } from '../../../engine/strategy/definition/define.ts';

/** What is read beside the default export. */
const READ = ['objective'];

const SPACE = 'the space of a search is the bounds of the parameters: params: { fast: param.integer(10, { min: 5, max: 50 }) }';
const RETURNED = 'create of defineStrategy returns it: create(params) { return { needs: … }; }';

/** Where the meaning of such an export belongs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  space: SPACE,
  spaces: SPACE,
  params: 'parameters are a part of what defineStrategy takes',
  parameters: 'parameters are `params` of what defineStrategy takes',
  state: 'durable state is a part of what defineStrategy takes',
  needs: RETURNED,
  schedule: RETURNED.replace('needs', 'schedule'),
  universe: 'the universe stands in the configuration, beside `strategy`',
  constraints: 'constraints are options of a search: --constraint "trades >= 30"',
};

/** The first export that nothing reads, and what to write instead; null for none. One that the strategy was made of is no such export. */
export function strayExport(
  module: Readonly<Record<string, unknown>>,
  { params, state }: AnyStrategy,
): { name: string; hint: string } | null {
  const used: readonly unknown[] = [params, state];
  for (const [name, value] of Object.entries(module)) {
    if (name === 'default' || READ.includes(name) || used.includes(value)) continue;
    const near = suggest(name, READ);
    const hint = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : near === null ? undefined : `did you mean "${near}"?`;
    if (hint !== undefined) return { name, hint };
  }
  return null;
}
