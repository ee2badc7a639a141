/** One table of exit codes: the page, the help and PM2's configuration agree with it. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error plain JavaScript, read by PM2
import ecosystem from '../../../ecosystem.config.cjs';
import { EXIT_CODES, STAY_DOWN } from '../../../src/base/failure/exit-codes.ts';
import { Failure } from '../../../src/base/failure/failure.ts';
import type { FailureCode } from '../../../src/base/failure/failures.ts';
import { exitCodesPage } from '../../../src/cli/pages/exit-codes-page.ts';
import { exitCodeOf } from '../../../src/cli/shell/print-error.ts';

const rows = Object.values(EXIT_CODES);

test('no number has two meanings, and none is used by a shell or a signal', () => {
  const codes = rows.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => code >= 126 || code < 0)).toEqual([]);
});

test('PM2 does not restart the bot after the codes of the table, nor after 0', () => {
  const [app] = ecosystem.apps as readonly { readonly stop_exit_codes: readonly number[] }[];
  expect(app?.stop_exit_codes).toEqual(STAY_DOWN);
  expect(STAY_DOWN).not.toContain(0);
  expect(STAY_DOWN).toContain(78);
});

test('docs/reference/exit-codes.md is up to date (if not: npm run docs)', () => {
  expect(readFileSync(new URL('../../../docs/reference/exit-codes.md', import.meta.url), 'utf8') === exitCodesPage()).toBe(true);
});

test('a failure ends with the code of its kind', () => {
  const codeOf = (code: FailureCode): number => exitCodeOf(new Failure(code, { what: 'this' }));
  const codes = ['port-unusable', 'flag-value', 'config-invalid', 'store-occupied', 'bot-missing'] as const;
  expect(codes.map(codeOf)).toEqual([1, 2, 78, 75, 6]);
});
