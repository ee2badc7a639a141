/** Reads a private file of YAML: the channels of alerts, or the senders of webhooks. */
import { Failure, type Problem } from '../../base/failure/failure.ts';
import { reasonOf } from './data-files.ts';
import { readPrivate } from './private-file.ts';
import { parseYaml } from './yaml.ts';

/** Its contents, not checked. @throws Failure (alerts-file, webhooks-file, credentials-exposed, configuration) */
export function readPrivateYaml(file: string, what: 'alerts' | 'webhooks'): unknown {
  try {
    return parseYaml(readPrivate(file, what), file).value;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${what}-file`, { what: `the file of ${what} cannot be read: ${reasonOf(error)}`, where: file }, { cause: error });
  }
}

/** Errors show no value of such a file, as each may be a secret, but say that there is none. */
export function withoutValue(problem: Problem): Problem {
  return {
    ...problem,
    what: problem.what.replace(/, found (null$|\[\]$)?.*$/su, (_all, none?: string) =>
      none === undefined ? ', found something else' : ', found none',
    ),
  };
}
