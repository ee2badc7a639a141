/** Refuses acts of a page that may raise risk and come without a proof of the passphrase. */
import type { ControlName } from '../../control/commands.ts';
import { raisesRisk } from '../../control/raising.ts';
import type { Act, Passphrase } from '../../edge/web/passphrase.ts';
import { json, refused, type WebReply } from '../../edge/web/web-server.ts';

export interface UnprovenDeps {
  readonly passphrase: Passphrase;
  /** Called for each wrong proof of the passphrase; `isLocked` if none is looked at for a while from now on. */
  readonly onWrong: (session: string, isLocked: boolean) => void;
}

/** The refusal of an act that raises risk, unless it comes with a proof of the passphrase; null for any other act. */
export function unprovenOf({ passphrase, onWrong }: UnprovenDeps, act: Act & { readonly name: ControlName }): WebReply | null {
  if (!raisesRisk(act.name, act.fields)) return null;
  const checked = passphrase.check(act);
  switch (checked.kind) {
    case 'proven':
      return null;
    case 'unset':
      return refused(
        403,
        'passphrase-unset',
        `"${act.name}" may raise risk, and no passphrase protects it here`,
        `choose one with \`tickwright passphrase\`, or type \`tickwright ${act.name}\` in a terminal`,
      );
    case 'asked': {
      const { isWrong, challenge } = checked;
      if (isWrong) onWrong(act.session, false);
      const [code, message] = isWrong
        ? ['passphrase-wrong', 'the passphrase is wrong']
        : ['passphrase-needed', `"${act.name}" needs the passphrase`];
      return json({ ok: false, code, message, hint: '', challenge }, 403);
    }
    case 'locked': {
      if (checked.isNew) onWrong(act.session, true);
      const minutes = Math.ceil(checked.forMs / 60_000);
      return refused(
        429,
        'passphrase-locked',
        `too many wrong passphrases: none is looked at for ${minutes} minutes`,
        `type \`tickwright ${act.name}\` in a terminal`,
      );
    }
  }
}
