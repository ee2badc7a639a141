/** Opens the keystore that a configuration names, by a file, a credential of systemd, or a question. */
import type { Secret } from '../../base/secret.ts';
import { Secret as Hidden } from '../../base/secret.ts';
import type { BotConfig } from '../../config/model.ts';
import { credentialsIn, givenPassphrase, passphraseMissing } from '../../config/files/keystore-passphrase.ts';
import { askedSecret } from '../terminal/question.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The configuration with the credentials of its keystore. As it is if it names none, or the variables of the environment win. @throws Failure */
export async function unlocked(config: BotConfig, env: Env): Promise<BotConfig> {
  const { keystore, credentials } = config;
  if (keystore === null || credentials !== null) return config;
  return { ...config, credentials: credentialsIn(keystore, await passphraseOf(keystore.file, env)) };
}

/** @throws Failure keystore-passphrase if nobody can be asked */
export async function passphraseOf(file: string, env: Env): Promise<Secret> {
  const given = givenPassphrase(env);
  if (given !== null) return given;
  if (!process.stdin.isTTY) throw passphraseMissing(file);
  return new Hidden(await askedSecret(`Passphrase of ${file}: `));
}
