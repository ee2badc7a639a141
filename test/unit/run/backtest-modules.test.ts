/** A short backtest is mostly start: it loads nothing expensive that it does not use. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = new URL('../../../src/', import.meta.url);

const PROGRAM = `
const packages = [];
(await import('node:module')).registerHooks({
  resolve(specifier, context, next) {
    if (/^[a-z@]/.test(specifier) && !specifier.startsWith('node:') && !specifier.startsWith('file:')) packages.push(specifier);
    return next(specifier, context);
  },
});
await import('${SRC.href}cli/backtest/backtest-command.ts');
await import('${SRC.href}run/backtest/backtest.ts');
await import('${SRC.href}run/guard/guard.ts');
await import('${SRC.href}run/setup/strategy/load-strategy.ts');
const builtIns = ['crypto', 'http', 'https', 'inspector', 'tls'].filter((name) => process.moduleLoadList.includes('NativeModule ' + name));
console.log(JSON.stringify({ packages, builtIns }));
`;

it('what a backtest loads has no package, no node:crypto and no network', () => {
  const text = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: fileURLToPath(SRC), encoding: 'utf8' });
  expect(JSON.parse(text)).toEqual({ packages: [], builtIns: [] });
});
