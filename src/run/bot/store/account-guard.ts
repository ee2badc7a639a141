/** Locks the account, so that no other bot on this machine trades on it. */
import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import { Failure } from '../../../base/failure/failure.ts';
import { fileFaultOf } from '../../../base/failure/file-fault.ts';
import { messageOf } from '../../../base/failure/message-of.ts';
import type { Credentials } from '../../../base/secret.ts';
import type { BotConfig } from '../../../config/model.ts';
import { AccountInUseError, STATE_VARIABLE, takeAccountLock, type AccountLock } from '../../../edge/file/account-lock.ts';
import { parseBaseUrl } from '../../../edge/http/base-url.ts';
import { stateFolder } from '../../setup/state-folder.ts';

/** Takes the account lock. @throws Failure (occupied if another bot has it), BaseUrlError */
export async function guardAccount(config: BotConfig, credentials: Credentials): Promise<AccountLock> {
  const { origin, isLoopback } = parseBaseUrl(config.venue.baseUrl);
  const { kind, folder: store } = config.store;
  const holder = { bot: config.bot, store: kind === 'embedded' ? store : kind, folder: resolve(stateFolder(config)) };
  try {
    return await takeAccountLock({ origin, isLoopback, key: credentials.key.reveal(), holder, env: process.env });
  } catch (error) {
    if (error instanceof AccountInUseError) throw new Failure('account-occupied', { what: error.message }, { cause: error });
    const what = `the account lock cannot be taken: ${messageOf(error)}`;
    if (fileFaultOf(error) === 'full')
      throw new Failure('disk-full', { what, hint: 'free space on its disk, then start again' }, { cause: error });
    const hint = `name a folder that can be written in ${STATE_VARIABLE}`;
    throw new Failure('account-lock', { what, hint }, { cause: error });
  }
}

/**
 * Tells accounts apart in answers that leave the process: a hash of venue and API key under the API secret, 64 bits. Bots of one account that
 * cannot share a file get the same id. Whoever has the id learns nothing of the key, and cannot try guesses of it.
 */
export function accountIdOf({ account }: Pick<AccountLock, 'account'>, { secret }: Pick<Credentials, 'secret'>): string {
  return createHmac('sha256', secret.reveal()).update(account).digest('hex').slice(0, 16);
}
