/** Options for faults on demand: a fault plan from a file, and the admin interface with its token. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Failure } from '../../base/failure/failure.ts';
import type { ExchangeOptions } from '../../run/setup/options.ts';
import { requireFile, type CliContext } from '../shell/cli-context.ts';

const TOKEN_VARIABLE = 'TICKWRIGHT_ADMIN_TOKEN';
const TOKEN = /^[\x21-\x7e]{16,200}$/;

export interface FaultFlags {
  readonly faults?: string;
  readonly adminPort?: number;
}

/** Reads the plan as data, which the exchange checks, and removes the token from `env`. @throws Failure */
export async function faultOptions(flags: FaultFlags, { env }: CliContext): Promise<Pick<ExchangeOptions, 'faults' | 'admin'>> {
  const given = env[TOKEN_VARIABLE];
  delete env[TOKEN_VARIABLE];
  return {
    faults: flags.faults === undefined ? undefined : await planIn(requireFile(flags.faults, '--faults')),
    admin: flags.adminPort === undefined ? undefined : { port: flags.adminPort, ...tokenFrom(given) },
  };
}

async function planIn(file: string): Promise<ExchangeOptions['faults']> {
  const { parseYaml } = await import('../../config/files/yaml.ts');
  return { plan: parseYaml(readFileSync(file, 'utf8'), file).value, file };
}

function tokenFrom(given: string | undefined): { token: string; isGiven: boolean } {
  if (given === undefined || given === '') return { token: randomBytes(32).toString('hex'), isGiven: false };
  if (TOKEN.test(given)) return { token: given, isGiven: true };
  throw new Failure('admin-token', {
    what: 'expected 16 to 200 visible ASCII characters without spaces',
    where: TOKEN_VARIABLE,
    hint: 'without it, a token is generated and printed',
  });
}
