/** Writes what became of each test file at once, a line each, so that a run that has to be killed shows which file did not end. */
import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export interface Line {
  readonly what: 'begun' | 'ended' | 'failed';
  /** The test file, from the folder of the project. */
  readonly file: string;
  /** Messages of the errors. */
  readonly errors: readonly string[];
}

export default class implements Reporter {
  onTestModuleStart({ relativeModuleId: file }: TestModule): void {
    put({ what: 'begun', file, errors: [] });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'failed') put({ what: 'failed', file: test.module.relativeModuleId, errors: errors.map(({ message }) => message) });
  }

  onTestModuleEnd(module: TestModule): void {
    const file = module.relativeModuleId;
    // Of the file itself: it could not be loaded, or a hook failed.
    const errors = module.errors().map(({ message }) => message);
    if (errors.length > 0) put({ what: 'failed', file, errors });
    put({ what: 'ended', file, errors: [] });
  }
}

function put(line: Line): void {
  appendFileSync(process.env['MUTANT_LINES']!, `${JSON.stringify(line)}\n`);
}
