/** The page about faults, admin and ledger covers each fault with its phases, each command and each kind of line. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseYaml } from '../../src/config/yaml.ts';
import { LEDGER_KINDS } from '../../src/edge/file/ledger/ledger-page.ts';
import { FAULT_NAMES, FAULTS, readFaultPlan } from '../../src/edge/serve/fault-plan.ts';
import { OPERATOR_COMMANDS, problemsOfCommand } from '../../src/sim/api/operator-commands.ts';

const page = readFileSync(new URL('../../docs/paper-exchange.md', import.meta.url), 'utf8');

it.each(FAULT_NAMES)('has a row for the fault %s, as defined', (name) => {
  const { phases, fields } = FAULTS[name];
  const takes = Object.keys(fields).map((field) => `\`${field}\``);
  expect(page).toContain(`| \`${name}\` | ${phases.join(', ')} | ${takes.join(', ')}${takes.length > 0 ? ' ' : ''}|`);
});

it('shows a plan that can be read', () => {
  const plan = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
  expect(readFaultPlan(parseYaml(plan, 'page').value, 'page').rules).toHaveLength(4);
});

it.each(Object.keys(OPERATOR_COMMANDS))('shows the command %s in valid form', (name) => {
  const given = new RegExp(`\\$A/${name} -d '(.*)'`).exec(page)?.[1] ?? '';
  expect(problemsOfCommand(name, JSON.parse(given))).toEqual([]);
  expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'));
});

it.each(LEDGER_KINDS)('explains lines of the kind %s, and the command line lists that kind', (kind) => {
  const lines = page.slice(page.indexOf('## The ledger'));
  expect(lines).toMatch(new RegExp(`^\\| .*\`${kind}\`.* \\|`, 'm'));
  const command = readFileSync(new URL('../../src/cli/exchange/ledger.ts', import.meta.url), 'utf8');
  expect(/these kinds: ([\w, ]+)/.exec(command)?.[1]?.split(', ')).toEqual([...LEDGER_KINDS]);
});
