/** The overview of all bots of a user, and what became of a kill of all, for a terminal. */
import { counted, grouped, span } from '../../base/text/figures.ts';
import { ALARMS, type AccountRow, type Bound, type BotRow, type HubAnswer, type KillRow, type TotalRow } from '../../control/hub.ts';
import { numbers, table, words } from '../../report/document/text-table.ts';
import { safeText, sentence, type Colour, type Paint } from '../terminal/terminal.ts';

interface TextOptions {
  readonly paint: Paint;
  readonly width: number;
}

export function overviewText({ bots, accounts, totals, uncounted, time }: HubAnswer, options: TextOptions): string {
  if (bots.length === 0) return 'no bot runs here; name state folders of others: tickwright status --all FOLDER…\n';
  const { paint, width } = options;
  const alarms = bots.filter(({ state }) => ALARMS.has(state));
  const parts = [
    alarms
      .map((one) => `${paint('red', sentence(`${one.bot}: ${STATES[one.state]}${one.says === '' ? '' : `: ${one.says}`}`, width))}\n`)
      .join(''),
    botsText(bots, time, options),
    accountsText(accounts, time, options),
    totals.map((total) => totalText(total, width)).join(''),
    uncounted.length === 0
      ? ''
      : paint('yellow', `${sentence(`in no sum, because their account is not known: ${uncounted.join(', ')}`, width)}\n`),
    bots.flatMap((one) => one.halts.map((halt) => haltText(one, halt, options))).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const STATES: Readonly<Record<BotRow['state'], string>> = {
  running: 'runs',
  starting: 'is starting',
  silent: 'GIVES NO ANSWER',
  stopped: 'is stopped',
  killed: 'WAS KILLED',
  'not-understood': 'ANSWER NOT UNDERSTOOD (another version?)',
  unknown: 'NOT KNOWN',
};
const COLOURS: Readonly<Record<BotRow['state'], Colour>> = {
  running: 'green',
  starting: 'yellow',
  silent: 'red',
  stopped: 'yellow',
  killed: 'red',
  'not-understood': 'red',
  unknown: 'red',
};

/** A bot that runs and is halted as a whole is called halted, whatever its phase. */
function stateText({ state, phase, halts }: BotRow, paint: Paint): string {
  if (state !== 'running') return paint(COLOURS[state], STATES[state]);
  const word = phase === 'armed' ? STATES.running : safeText(phase);
  if (halts.some(({ scope }) => scope === 'bot')) return paint('red', phase === 'armed' ? 'HALTED' : `HALTED, ${word}`);
  return halts.length > 0 ? paint('yellow', `${word}, ${counted(halts.length, 'halt')}`) : paint(COLOURS.running, word);
}

function botsText(bots: readonly BotRow[], time: number, { paint, width }: TextOptions): string {
  const columns = [
    { title: 'bot' },
    { title: 'state' },
    words('account'),
    ...['equity', 'today UTC', 'orders', 'positions', 'halts', 'seen ago'].map(numbers),
    words('folder'),
  ];
  const rows = bots.map((one) => [
    safeText(one.bot),
    stateText(one, paint),
    accountName(one),
    grouped(one.equity) || '-',
    grouped(one.today) || '-',
    ...(one.seenAt === 0 ? ['-', '-', '-'] : [one.orders, one.positions, one.halts.length].map(String)),
    one.seenAt === 0 ? '-' : age(time - one.seenAt),
    safeText(one.folder),
  ]);
  return table(columns, rows, width);
}

/** "3h 31m": two units are enough for an age. */
function age(ms: number): string {
  return span(Math.max(0, ms)).split(' ').slice(0, 2).join(' ');
}

/** "paper 1f3a…", so that two accounts are told apart. */
function accountName({ account, accountId }: Pick<BotRow, 'account' | 'accountId'>): string {
  return accountId === '' ? `${account} ?` : `${account} ${safeText(accountId.slice(0, 4))}…`;
}

function accountsText(accounts: readonly AccountRow[], time: number, { paint, width }: TextOptions): string {
  if (accounts.length === 0) return '';
  const columns = [
    { title: 'account' },
    { title: 'coin' },
    ...['equity', 'read ago', 'unrealised', 'can lose', 'positions', 'halts'].map(numbers),
    words('bots'),
  ];
  const rows = accounts.map((one) => {
    const old = one.equityAt === 0 ? '-' : age(time - one.equityAt);
    return [
      accountName(one),
      safeText(one.marginCoin),
      grouped(one.equity) || 'unknown',
      one.isCurrent ? old : paint('yellow', old),
      grouped(one.unrealised) || 'unknown',
      one.worstLoss === '' ? 'unknown' : `${SIGNS[one.worstLossBound]}${grouped(one.worstLoss)}`,
      String(one.positions),
      String(one.halts),
      safeText(one.bots.join(', ')),
    ];
  });
  return table(columns, rows, width);
}

const SIGNS: Readonly<Record<Bound, string>> = { least: '≥ ', most: '≤ ', '': '' };
const WORDS: Readonly<Record<Bound, string>> = { least: 'at least ', most: 'at most ', '': '' };

function totalText({ account, marginCoin, accounts, known, equity, uncounted, halts, ...loss }: TotalRow, width: number): string {
  const of = known === accounts ? counted(accounts, 'account') : `${known} of ${counted(accounts, 'account')}`;
  const least = uncounted > 0 ? 'at least ' : '';
  const said = [
    `${account}: ${of}, equity ${equity === '' ? 'unknown' : `${known < accounts ? 'at least ' : least}${grouped(equity)} ${marginCoin}`}`,
    loss.worstLoss === ''
      ? `what they can lose is unknown (${loss.worstLossUnknown})`
      : `they can lose ${WORDS[loss.worstLossBound]}${grouped(loss.worstLoss)} ${marginCoin}, before slippage, fees and resting orders${loss.worstLossUnknown === '' ? '' : ` (${loss.worstLossUnknown})`}`,
    `${least}${counted(halts, 'halt')}`,
    ...(uncounted > 0 ? [`${counted(uncounted, 'bot')} of unknown account not counted`] : []),
  ];
  return `${sentence(said.join('; '), width)}\n`;
}

function haltText({ bot }: BotRow, { scope, code, detail, ends }: BotRow['halts'][number], { paint, width }: TextOptions): string {
  return `${paint('red', safeText(`HALTED ${bot} ${scope}  ${code}`))}\n${sentence(`${detail}; to end it: ${ends}`, width, '  ')}\n`;
}

const OUTCOMES: Readonly<Record<KillRow['outcome'], readonly [Colour, string]>> = {
  done: ['green', 'done'],
  partly: ['yellow', 'halted; not all is closed yet'],
  recorded: ['yellow', 'RECORDED: the bot does not run, and carries it out when it starts'],
  silent: ['red', 'NO ANSWER: recorded, and not confirmed by the bot'],
  refused: ['red', 'REFUSED'],
  failed: ['red', 'FAILED: nothing is recorded, it may go on trading'],
};

export function killText(rows: readonly KillRow[], { paint, width }: TextOptions): string {
  const text = rows.map(({ bot, folder, outcome, tookMs, did, open }) => {
    const [colour, said] = OUTCOMES[outcome];
    const lines = [...did, ...open.map((one) => `left: ${one}`)].map((one) => `${sentence(one, width, '  ')}\n`).join('');
    return `${paint(colour, safeText(`${bot}: ${said}, after ${tookMs} ms`))}  ${safeText(folder)}\n${lines}`;
  });
  const undone = rows.filter(({ outcome }) => outcome !== 'done').map(({ bot }) => bot);
  const end =
    undone.length === 0
      ? paint('green', `all ${counted(rows.length, 'bot')} are killed, and hold no position of their strategies`)
      : paint('red', sentence(`not done: ${undone.join(', ')}; \`tickwright status --all\` shows what is left`, width));
  return `${text.join('')}${end}\n`;
}

/** What a kill of all would do; nothing was sent. */
export function rehearsedText(rows: readonly KillRow[], { paint, width }: TextOptions): string {
  const text = rows.map(({ bot, did, folder, outcome }) => {
    const isKnown = outcome === 'done' || outcome === 'partly';
    const head = paint(isKnown ? 'green' : 'red', safeText(`${bot}: ${isKnown ? 'rehearsed' : 'not rehearsed'}`));
    return `${head}  ${safeText(folder)}\n${did.map((one) => `${sentence(one, width, '  ')}\n`).join('')}`;
  });
  return `${text.join('')}nothing was sent; \`tickwright kill --all\` does it\n`;
}
