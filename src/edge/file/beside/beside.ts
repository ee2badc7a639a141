/**
 * Files beside the state folder, so that deleting the folder keeps them. The bot and its operators find the same file, whatever name each of
 * them has for the folder: symbolic links are followed.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** "/var/bot" with ".halts.json" is "/var/bot.halts.json". */
export function beside(folder: string, ending: string): string {
  return `${realFolder(resolve(folder))}${ending}`;
}

/** The folder itself may be deleted, also under a link that names it. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    if (above === folder) return folder;
    const whole = join(realFolder(above), basename(folder));
    const isLink = lstatSync(whole, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? resolve(dirname(whole), readlinkSync(whole)) : whole;
  }
}
