/** The page about faults and admin tells of each fault with its phases and of each command. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseYaml } from '../../src/config/yaml.ts';
import { FAULT_NAMES, FAULTS, readFaultPlan } from '../../src/edge/serve/fault-plan.ts';
import { OPERATOR_COMMANDS, problemsOfCommand } from '../../src/sim/operator-commands.ts';

const page = readFileSync(new URL('../../docs/paper-exchange.md', import.meta.url), 'utf8');

it.each(FAULT_NAMES)('has a row for the fault %s, as it is', (name) => {
  const { phases, fields } = FAULTS[name];
  const takes = Object.keys(fields).map((field) => `\`${field}\``);
  expect(page).toContain(`| \`${name}\` | ${phases.join(', ')} | ${takes.join(', ')}${takes.length > 0 ? ' ' : ''}|`);
});

it('shows a plan that can be read', () => {
  const plan = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
  expect(readFaultPlan(parseYaml(plan, 'page').value, 'page').rules).toHaveLength(4);
});

it.each(Object.keys(OPERATOR_COMMANDS))('shows the command %s, as it is said', (name) => {
  const given = new RegExp(`\\$A/${name} -d '(.*)'`).exec(page)?.[1] ?? '';
  expect(problemsOfCommand(name, JSON.parse(given))).toEqual([]);
  expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'));
});
