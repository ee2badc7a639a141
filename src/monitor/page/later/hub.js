/**
 * The page of `tickwright hub`: all bots of a user, with sums by account. It only looks.
 * size: the cards, sums and table of one page, which share what they show of a bot
 */
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { money, signed, span, trend } from '../../../browser/figures.js';
import { ask } from '../parts/connection.js';
import { age, Card, count, Ends, Facts, haltSays, known, Table, useTop } from '../parts/elements.js';
import { later } from '../parts/library.js';
import { changed, heard, model, setClock } from '../parts/model.js';

const Searches = later('searches', async () => (await import('./searches.js')).Searches);

const PERIOD_MS = 1000;
/** Without a new overview for so long the page is grey. */
const SILENT_MS = 5000;

const MODES = { paper: 'PAPER', local: 'LOCAL VENUE', live: 'LIVE', unknown: 'UNKNOWN' };
/** A sign beside each word, so that colour is never alone. */
const STATES = {
  running: ['●', 'runs', 'up'],
  starting: ['◌', 'is starting', 'warn'],
  silent: ['■', 'gives no answer', 'down'],
  stopped: ['□', 'is stopped', 'soft'],
  killed: ['■', 'was killed', 'down'],
  'not-understood': ['■', 'answer not understood (another version?)', 'down'],
  unknown: ['■', 'is not known', 'down'],
};

const ALARMS = ['silent', 'killed', 'not-understood', 'unknown'];
/** States of a bot that gave an answer just now. */
const ANSWERS = ['running', 'starting', 'not-understood'];
/** Those of a process that a dashboard can be started beside. */
const ALIVE = ['running', 'starting', 'silent'];

const scopeText = (scope) => (scope === 'bot' ? 'the whole bot is' : `${scope.replace(/^(symbol|leg|strategy):/, '')} is`);

const Mode = ({ account }) => h('b', { class: `mode ${account}` }, MODES[account]);
const shortId = (id) => (id === '' ? 'account unknown' : `account ${id.slice(0, 4)}…`);

/** What runs and is halted is called halted: no entry comes from it. */
function stateOf({ state, halts }) {
  if (state !== 'running' || halts.length === 0) return STATES[state];
  return halts.some(({ scope }) => scope === 'bot') ? ['■', 'halted', 'warn'] : ['▲', `runs, ${count(halts.length, 'halt')}`, 'warn'];
}

/** A count of halts, marked when above zero. */
const Halts = ({ n }) => (n > 0 ? h('span', { class: 'warn' }, `▲ ${n}`) : String(n));

const coins = (amount, coin) => `${money(amount)} ${coin}`;

function State({ bot }) {
  const [sign, text, kind] = stateOf(bot);
  const phase = bot.state === 'running' && bot.phase !== 'armed' ? `, ${bot.phase}` : '';
  return h('span', { class: kind }, `${sign} ${text}${phase}`);
}

/** What needs a person, the gravest first. */
function Alarms({ bots }) {
  const bad = bots.filter(({ state }) => ALARMS.includes(state));
  const halted = bots.flatMap((bot) => bot.halts.map((halt) => ({ bot, halt })));
  if (bad.length === 0 && halted.length === 0) return null;
  return h(
    'ul',
    { class: 'halts', 'aria-label': 'Alarms' },
    bad.map((bot) =>
      h(
        'li',
        { key: bot.folder },
        h('b', null, `■ ${bot.bot}${bot.state === 'not-understood' ? ':' : ''} ${STATES[bot.state][1]}`),
        `: ${bot.says}. ${bot.seenAt === 0 ? 'Never seen' : `Last seen ${age(bot.seenAt)}`}.`,
      ),
    ),
    halted.map(({ bot, halt }) =>
      h(
        'li',
        { key: `${bot.folder} ${halt.scope} ${halt.code}` },
        h('b', null, `■ ${bot.bot}: ${scopeText(halt.scope)} halted`),
        ` by ${halt.by}: ${haltSays(halt)}. `,
        h(Ends, halt),
      ),
    ),
  );
}

/** What an amount that can be lost is, in words and as a sign. */
const BOUNDS = { least: ['at least ', '≥ '], most: ['at most ', '≤ '], '': ['', ''] };

const isIn = (total, one) => one.account === total.account && one.marginCoin === total.marginCoin;

/** `without`: those of its accounts of which no bot knows the equity. Sums of one kind of money. While a bot may belong here and is in no sum, each of them is a least amount, and says so. */
function totalFacts(total, without) {
  const { accounts, marginCoin, uncounted } = total;
  const isLeast = uncounted > 0;
  const least = isLeast ? 'at least ' : '';
  const left = isLeast ? `${count(uncounted, 'bot')} of unknown account not counted` : '';
  const all = (...parts) => parts.filter((part) => part !== '').join('; ');
  const read = `${without.length === 0 ? '' : `${total.known} of `}${count(accounts, 'account')}, read ${age(total.equityAt)}`;
  const missing = without.length === 0 ? '' : `not known: that of ${without.flatMap(({ bots }) => bots).join(', ')}`;
  return [
    [
      'Equity',
      known(total.equity, `${without.length > 0 ? 'at least ' : least}${coins(total.equity, marginCoin)}`),
      all(read, missing, left),
      isLeast || without.length > 0 ? 'warn' : '',
    ],
    [
      'Can lose',
      known(total.worstLoss, `${BOUNDS[total.worstLossBound][0]}${coins(total.worstLoss, marginCoin)}`),
      all(total.worstLossUnknown || 'if every stop or liquidation is hit', left, 'before slippage, fees and resting orders'),
      total.worstLossBound === 'least' ? 'warn' : '',
    ],
    ['Halts', total.halts === 0 && isLeast ? 'none known' : `${least}${total.halts}`, left, isLeast || total.halts > 0 ? 'warn' : ''],
  ];
}

const ACCOUNTS = [
  {
    title: 'Account',
    kind: 'wide',
    cell: (one) => [h(Mode, { account: one.account }), ` ${shortId(one.accountId)}`, h('small', null, one.venue)],
  },
  { title: 'Equity', kind: 'n', cell: (one) => known(one.equity, coins(one.equity, one.marginCoin)) },
  {
    title: 'Read',
    kind: 'n',
    cell: (one) => h('span', { class: one.isCurrent ? '' : 'warn' }, age(one.equityAt), one.isCurrent ? null : ', no bot answers'),
  },
  {
    title: 'Unrealised',
    kind: 'n',
    cell: (one) => known(one.unrealised, h('span', { class: trend(one.unrealised) }, `${signed(one.unrealised)} ${one.marginCoin}`)),
  },
  {
    title: 'Can lose',
    kind: 'n',
    cell: (one) => [
      known(one.worstLoss, `${BOUNDS[one.worstLossBound][1]}${coins(one.worstLoss, one.marginCoin)}`),
      one.worstLossUnknown === '' ? null : h('small', null, one.worstLossUnknown),
    ],
  },
  { title: 'Positions', kind: 'n', cell: (one) => String(one.positions) },
  { title: 'Halts', kind: 'n', cell: (one) => h(Halts, { n: one.halts }) },
  { title: 'Bots', cell: (one) => one.bots.join(', ') },
];

/** A figure of a bot that has never given a status is unknown. */
const seen = (bot, shown) => known(bot.seenAt === 0 ? '' : 'known', shown);

const BOTS = [
  { title: 'Bot', kind: 'wide', cell: (bot) => [h('b', null, bot.bot), h('small', null, bot.folder)] },
  { title: 'State', cell: (bot) => h(State, { bot }) },
  { title: 'Seen', kind: 'n', cell: (bot) => age(bot.seenAt) },
  { title: 'Account', cell: (bot) => `${MODES[bot.account]}, ${shortId(bot.accountId)}` },
  {
    title: 'Today UTC, net',
    kind: 'n',
    cell: (bot) => known(bot.today, h('span', { class: trend(bot.today) }, `${signed(bot.today)} ${bot.marginCoin}`)),
  },
  { title: 'Orders', kind: 'n', cell: (bot) => seen(bot, String(bot.orders)) },
  { title: 'Positions', kind: 'n', cell: (bot) => seen(bot, String(bot.positions)) },
  { title: 'Halts', kind: 'n', cell: (bot) => seen(bot, h(Halts, { n: bot.halts.length })) },
  {
    title: 'Dashboard',
    cell: (bot) =>
      bot.dashboard === ''
        ? [
            h('span', { class: 'soft' }, 'none runs'),
            ALIVE.includes(bot.state)
              ? h('small', null, 'start one: ', h('code', null, `tickwright monitor --state ${bot.typedFolder}`))
              : null,
          ]
        : [
            h('a', { class: 'page-of', href: `${bot.dashboard}/`, target: '_blank', rel: 'noopener noreferrer' }, `Open ${bot.bot}`),
            h('small', null, 'log in there: ', h('code', null, `tickwright open --state ${bot.typedFolder}`)),
          ],
  },
];

/** On a phone so many rows that need nobody are in sight; more are behind one line. */
const IN_SIGHT = 3;

/** A table whose rows that need nobody are behind one line on a phone; those that need somebody are always in sight. */
function Folded({ rows, isWell, well, label, columns, keyOf, empty }) {
  const table = { label, columns, keyOf, empty };
  const [isPhone] = useState(() => matchMedia('(max-width: 760px)').matches);
  const fine = rows.filter(isWell);
  if (!isPhone || fine.length <= IN_SIGHT) return h(Table, { ...table, rows });
  return [
    fine.length === rows.length ? null : h(Table, { key: 'rest', ...table, rows: rows.filter((row) => !isWell(row)) }),
    h(
      'details',
      { key: 'well', class: 'well' },
      h('summary', null, well(fine.length)),
      h(Table, { ...table, label: `${table.label}: ${well(fine.length)}`, rows: fine }),
    ),
  ];
}

/** Why what is shown may be out of date; "" if it is current. */
function stalenessOf(overview) {
  if (model.silent !== '') return model.silent;
  const silence = Date.now() - model.heardAt;
  return overview !== null && silence > SILENT_MS ? `The hub has sent nothing for ${span(silence)}.` : '';
}

/** The newest overview; null before the first. */
function useOverview() {
  const [overview, set] = useState(null);
  useEffect(() => {
    let timer = 0;
    const { session } = model;
    const next = async () => {
      try {
        const answer = await ask('/api/overview');
        heard();
        setClock(answer.time);
        set(answer);
      } catch (error) {
        if (model.session === session) model.silent = `The page does not reach the hub: ${error.message}`;
        changed();
      }
      if (model.session === session) timer = setTimeout(() => void next(), PERIOD_MS);
    };
    void next();
    return () => clearTimeout(timer);
  }, []);
  return overview;
}

function Bar({ bots, stale }) {
  const answering = bots.filter(({ state }) => ANSWERS.includes(state)).length;
  return h(
    'header',
    { class: 'bar', ref: useTop() },
    h(
      'div',
      { class: 'line' },
      h('h1', null, 'All bots'),
      h('span', { class: 'soft' }, `${answering} of ${count(bots.length, 'bot')} answer`),
    ),
    stale === '' ? null : h('p', { class: 'stale', role: 'status' }, `■ ${stale} What you see is as old as it says.`),
    h(Alarms, { bots }),
  );
}

export function Hub() {
  const overview = useOverview();
  const stale = stalenessOf(overview);
  if (overview === null)
    return h('main', null, h('p', { class: 'empty', role: 'status' }, stale === '' ? 'The hub looks for bots.' : stale));
  const { totals, accounts, bots, uncounted } = overview;
  return h(
    'div',
    { class: stale === '' ? 'page' : 'page grey' },
    h(Bar, { bots, stale }),
    h(
      'main',
      null,
      totals.map((total) =>
        h(
          Card,
          {
            key: `${total.account} ${total.marginCoin}`,
            id: `total-${total.account}-${total.marginCoin}`,
            title: h(Mode, { account: total.account }),
          },
          h(Facts, {
            facts: totalFacts(
              total,
              accounts.filter((one) => isIn(total, one) && one.equity === ''),
            ),
          }),
        ),
      ),
      h(
        Card,
        { id: 'accounts', title: 'Accounts', small: 'bots with the same credentials count once' },
        h(Folded, {
          label: 'Accounts',
          isWell: (one) => one.isCurrent && one.halts === 0 && one.equity !== '' && one.worstLossUnknown === '',
          well: (most) => `${count(most, 'account')} read just now, none halted`,
          columns: ACCOUNTS,
          rows: accounts,
          keyOf: (one) => `${one.accountId} ${one.marginCoin}`,
          empty: 'No account is known.',
        }),
        uncounted.length === 0
          ? null
          : h('p', { class: 'warn' }, `▲ In no sum, because their account is not known: ${uncounted.join(', ')}.`),
      ),
      h(
        Card,
        { id: 'bots', title: 'Bots' },
        h(Folded, {
          label: 'Bots',
          isWell: (bot) =>
            bot.state === 'running' &&
            bot.phase === 'armed' &&
            bot.halts.length === 0 &&
            bot.unknownOutcomes === 0 &&
            bot.accountId !== '' &&
            bot.marginCoin !== '',
          well: (most) => `${count(most, 'bot')} run and are not halted`,
          columns: BOTS,
          rows: bots,
          keyOf: (bot) => bot.folder,
          empty: 'No bot runs. One that starts appears here by itself.',
        }),
      ),
      h(Searches, null),
    ),
    h(
      'footer',
      { class: 'soft' },
      'Times are UTC, and so is the day of “today”. This page only looks; each dashboard steers its own bot. In a terminal ',
      h('code', null, 'tickwright halt --state FOLDER'),
      ' stops the opens of one bot and leaves its positions; ',
      h('code', null, 'tickwright kill --all'),
      ' halts all bots for good, cancels their orders and closes their positions.',
    ),
  );
}
