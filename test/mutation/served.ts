/**
 * A process that holds Vitest ready over a copy of the project and runs one test file at a time when asked: starting it once saves seconds a
 * mutant. Started by `TestRunner`, with the folder of the copy and the time limit of a test in milliseconds.
 */
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { PROBES_FILE } from './probes.ts';
import type { Question, Answer } from './test-runner.ts';

const [root, testTimeout] = process.argv.slice(2) as [string, string];
const timeout = Number(testTimeout);
const vitest = await createVitest({
  root,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
  testTimeout: timeout,
  hookTimeout: timeout,
  setupFiles: [join(root, 'test/mutation/fixed-seed.ts')],
});
await vitest.standalone();

/** Errors outside tests that an earlier answer contains. */
const told = new Set<unknown>();

process.on('message', (question: Question) => {
  void answerTo(question).then((answer) => process.send!(answer));
});
process.on('disconnect', () => process.exit());
process.send!({ failed: false, errors: [] } satisfies Answer);

async function answerTo({ file, changed, probes }: Question): Promise<Answer> {
  if (probes === undefined) delete process.env[PROBES_FILE];
  else process.env[PROBES_FILE] = probes;
  for (const path of changed) vitest.invalidateFile(join(root, path));
  const path = join(root, file);
  const run = await vitest.runTestSpecifications([vitest.getRootProject().createSpecification(path)]);
  // Vitest also returns what earlier runs left.
  const testModules = run.testModules.filter((module) => module.moduleId === path);
  const unhandled = run.unhandledErrors.filter((error) => !told.has(error));
  for (const error of unhandled) told.add(error);
  const messages = testModules.flatMap((module) => [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allSuites()].flatMap((suite) => suite.errors().map(({ message }) => message)),
    ...[...module.children.allTests('failed')].flatMap((test) => (test.result().errors ?? []).map(({ message }) => message)),
  ]);
  const errors = [...messages, ...unhandled.map(String)];
  // A file without tests, or whose tests were all skipped, is no failure.
  return { failed: errors.length > 0 || testModules.some((module) => module.state() === 'failed'), errors };
}
