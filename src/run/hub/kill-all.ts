/** Kills many bots at the same time. One that hangs delays no other, and no error of one keeps another from being killed. */
import { messageOf } from '../../base/failure/message-of.ts';
import { counted } from '../../base/text/figures.ts';
import type { ActAnswer, RefusalAnswer } from '../../control/answers.ts';
import type { KillRow } from '../../control/hub.ts';
import { operate } from '../bot/outside/operate.ts';
import { nameOfBot, type Look } from './look.ts';

type Known = Pick<Look, 'folder' | 'says' | 'status' | 'lost'>;

/** `given`: the fields of the command `kill`. One row for each bot, in the order of `bots`. */
export function killAll(bots: readonly Known[], given: Readonly<Record<string, unknown>>): Promise<readonly KillRow[]> {
  return Promise.all(bots.map((bot) => killed(bot, given)));
}

async function killed(bot: Known, given: Readonly<Record<string, unknown>>): Promise<KillRow> {
  const began = performance.now();
  const row = (outcome: KillRow['outcome'], did: readonly string[], open: readonly string[] = []): KillRow => {
    return { bot: nameOfBot(bot), folder: bot.folder, outcome, tookMs: Math.round(performance.now() - began), did, open };
  };
  if (bot.lost !== undefined) return row('failed', [bot.says]);
  try {
    const { by, body, isRefused } = await operate(bot.folder, 'kill', given);
    if (isRefused) {
      const { message, hint } = body as RefusalAnswer;
      return row('refused', [hint === '' ? message : `${message}; ${hint}`]);
    }
    const { did, open, isDone } = body as ActAnswer;
    return row(by === 'silent' || by === 'recorded' ? by : isDone ? 'done' : 'partly', did, open);
  } catch (error) {
    return row('failed', [messageOf(error)]);
  }
}

/** What a kill will do to a bot, in one sentence. */
export function effectOfKill({ state, says, status, lost }: Look): string {
  if (lost !== undefined) return `cannot be killed from here: ${says}`;
  const { orders = 0, positions = [] } = status ?? {};
  const legs = positions.map(({ symbol, side, size }) => `${symbol} ${side} ${size}`).join(', ');
  const known =
    status === null ? 'its orders and positions are not known here' : `${counted(orders, 'order')}; positions: ${legs || 'none'}`;
  switch (state) {
    case 'running':
      return `halts for good, cancels its orders and closes the positions of its strategies. ${known}`;
    case 'starting':
      return `halts for good as soon as it has started, cancels its orders and closes its positions. ${known}`;
    case 'silent':
      return `gives no answer: it opens nothing from then on, and carries out the rest when it goes on or starts again. ${known}`;
    case 'not-understood':
    case 'unknown':
      return `its answer is not understood (another version?): it is not known what a kill does there. ${known}`;
    case 'stopped':
    case 'killed':
      return `does not run: it carries out the kill when it starts. Last known: ${known}`;
  }
}
