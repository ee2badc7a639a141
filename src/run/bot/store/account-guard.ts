/** Locks the account, so that no other bot on this machine trades on it. */
import { Failure } from '../../../base/failure/failure.ts';
import { fileFaultOf } from '../../../base/failure/file-fault.ts';
import type { Credentials } from '../../../config/files/credentials.ts';
import type { BotConfig } from '../../../config/model.ts';
import { AccountInUseError, STATE_VARIABLE, takeAccountLock, type AccountLock } from '../../../edge/file/account-lock.ts';
import { parseBaseUrl } from '../../../edge/http/base-url.ts';

/** Takes the account lock. @throws Failure (occupied if another bot has it), BaseUrlError */
export async function guardAccount(config: BotConfig, credentials: Credentials): Promise<AccountLock> {
  const { origin, isLoopback } = parseBaseUrl(config.venue.baseUrl);
  const { kind, folder } = config.store;
  const holder = { bot: config.bot, store: kind === 'embedded' ? folder : kind };
  try {
    return await takeAccountLock({ origin, isLoopback, key: credentials.key.reveal(), holder, env: process.env });
  } catch (error) {
    if (error instanceof AccountInUseError) throw new Failure('account-occupied', { what: error.message }, { cause: error });
    const what = `the account lock cannot be taken: ${error instanceof Error ? error.message : String(error)}`;
    if (fileFaultOf(error) === 'full')
      throw new Failure('disk-full', { what, hint: 'free space on its disk, then start again' }, { cause: error });
    const hint = `name a folder that can be written in ${STATE_VARIABLE}`;
    throw new Failure('account-lock', { what, hint }, { cause: error });
  }
}
