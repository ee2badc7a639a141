/** The page of the paper exchange shows a valid fault plan, each admin command and each kind of ledger line. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { faultsAndAdminPage } from '../../../../src/run/exchange/faults-and-admin-page.ts';
import { parseYaml } from '../../../../src/config/files/yaml.ts';
import { LEDGER_KINDS } from '../../../../src/edge/file/ledger/ledger-page.ts';
import { readFaultPlan } from '../../../../src/edge/serve/faults/fault-plan.ts';
import { OPERATOR_COMMANDS, problemsOfCommand } from '../../../../src/sim/api/operator-commands.ts';

const page = readFileSync(new URL('../../../../docs/paper-exchange.md', import.meta.url), 'utf8');

it('has generated tables of faults and commands that are up to date (if not: npm run docs)', () => {
  expect(readFileSync(new URL('../../../../docs/reference/faults-and-admin.md', import.meta.url), 'utf8') === faultsAndAdminPage()).toBe(
    true,
  );
});

it('shows a plan that can be read', () => {
  const plan = /```yaml\n([^]*?)```/.exec(page)?.[1] ?? '';
  expect(readFaultPlan(parseYaml(plan, 'page').value, 'page').rules).toHaveLength(4);
});

it.each(Object.keys(OPERATOR_COMMANDS))('shows the command %s in valid form', (name) => {
  const given = new RegExp(`\\$A/${name} -d '(.*)'`).exec(page)?.[1] ?? '';
  expect(problemsOfCommand(name, JSON.parse(given))).toEqual([]);
});

it.each(LEDGER_KINDS)('explains lines of the kind %s, and the command line lists that kind', (kind) => {
  const lines = page.slice(page.indexOf('## The ledger'));
  expect(lines).toMatch(new RegExp(`^\\| .*\`${kind}\`.* \\|`, 'm'));
  const command = readFileSync(new URL('../../../../src/cli/table/trading-rows.ts', import.meta.url), 'utf8');
  expect(/these kinds: ([\w, ]+)/.exec(command)?.[1]?.split(', ')).toEqual([...LEDGER_KINDS]);
});
