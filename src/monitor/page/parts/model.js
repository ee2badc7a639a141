/** What the page knows of the bot: the changes of the stream, applied one by one. */

/** @typedef {import('../../../control/past.ts').PastAnswer & { at: number, fork: string, next: { at: number, fork: string } | null, truth: import('../../../control/changes.ts').NowRow | null, said: string }} Past */

/** Newest rows of a kind that the page keeps; older ones are asked for by their pages. */
const KEPT = 500;

export const model = {
  session: '',
  /** Key of the proofs that the monitor gives with each answer. */
  proof: '',
  role: '',
  bot: '',
  boot: '',
  /** Id of the last change. */
  id: '',
  /** The monitor's clock less that of this device, in milliseconds; null before it is known. */
  /** @type {number | null} */
  offsetMs: null,
  /** When a change last came, by the clock of this device; 0 for never. */
  heardAt: 0,
  /** Why the page hears nothing; "" while it does. */
  silent: 'The page has not reached the monitor yet.',
  /** @type {import('../../../control/changes.ts').ConnectionRow | null} */
  connection: null,
  /** @type {import('../../../control/changes.ts').StatusRow | null} */
  status: null,
  /** @type {readonly import('../../../control/answers.ts').HaltAnswer[]} */
  halts: [],
  /** @type {Map<string, import('../../../control/changes.ts').PositionRow>} */
  positions: new Map(),
  /** @type {Map<number, import('../../../control/changes.ts').OrderRow>} */
  orders: new Map(),
  /** @type {Map<string, import('../../../control/changes.ts').QuoteRow>} */
  quotes: new Map(),
  /** @type {import('../../../control/changes.ts').FillRow[]} */
  fills: [],
  /** Lines of level warn and error. */
  /** @type {import('../../../control/changes.ts').LogRow[]} */
  lines: [],
  /** @type {(import('../../../control/changes.ts').NoteRow & { time: number })[]} */
  notes: [],
  /** By symbol: how many points of lines strategies drew since the stream began. Their values are asked for. */
  plotted: /** @type {Map<string, number>} */ (new Map()),
  /** Times of the last proofs, newest first, to know how often they are due. */
  reads: /** @type {number[]} */ ([]),
  /** The question for the passphrase: of which command, what it will do, whether the last one typed was wrong, and who takes what is typed. */
  /** @type {{ name: string, what: string, isWrong: boolean, done: (typed: string) => void } | null} */
  asking: null,
  /** The recorded session that is shown (PastAnswer), with the moment `at` and the fork, and the `next` while it loads; null for the running bot. */
  /** @type {Past | null} */
  past: null,
  /** True if the page shows recordings alone: there is no bot. */
  isRecording: false,
  /** True if the page is that of a hub: it shows all bots of a user, and no stream of one. */
  isHub: false,
};

/** Why no command can be given; "" if one can. */
export function whyIdle() {
  if (model.isRecording || model.past !== null) return 'This is a recording.';
  return model.role === 'operate' ? '' : 'This session may only look.';
}

const listeners = new Set();
let isWaiting = false;

/** Calls back when something has changed, at most four times a second. */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function changed() {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    changedNow();
  }, 250);
}

/** For what a person did: they do not wait. */
export function changedNow() {
  for (const listener of listeners) listener();
}

export const legOf = ({ symbol, side }) => `${symbol} ${side}`;
const isEnded = ({ state }) => ['filled', 'cancelled', 'ended', 'rejected', 'replaced', 'refused'].includes(state);
const keep = (list, row) => {
  list.unshift(row);
  if (list.length > KEPT) list.length = KEPT;
};

function takeStatus(status) {
  model.status = status;
  model.halts = status.halts;
  const read = provenAt();
  if (read > 0 && read !== model.reads[0]) model.reads = [read, ...model.reads].slice(0, 12);
}

function takePosition(row) {
  if (Number(row.size) === 0) model.positions.delete(legOf(row));
  else model.positions.set(legOf(row), row);
}

function takeReset({ boot, now }) {
  if (model.boot === '') performance.mark('ready');
  Object.assign(model, { boot, fills: [], lines: [], notes: [], reads: [], positions: new Map(), orders: new Map(), quotes: new Map() });
  if (now.connection !== undefined) model.connection = now.connection;
  if (now.status !== null) takeStatus(now.status);
  for (const row of now.positions) takePosition(row);
  for (const row of now.orders) model.orders.set(row.number, row);
  for (const row of now.quotes) model.quotes.set(row.symbol, row);
}

const TAKE = {
  reset: takeReset,
  status: takeStatus,
  position: takePosition,
  halts: (halts) => (model.halts = halts),
  order: (row) => {
    model.orders.delete(row.number);
    model.orders.set(row.number, row);
    if (model.orders.size <= KEPT) return;
    for (const [number, one] of model.orders) if (isEnded(one) && model.orders.size > KEPT) model.orders.delete(number);
  },
  fill: (row) => keep(model.fills, row),
  note(row, time) {
    if (row.line === undefined) keep(model.notes, { ...row, time });
    else model.plotted.set(row.symbol, (model.plotted.get(row.symbol) ?? 0) + 1);
  },
  log: (row) => {
    if (row.level !== 'info') keep(model.lines, row);
  },
  quotes: (rows) => rows.forEach((row) => model.quotes.set(row.symbol, row)),
  connection: (connection) => (model.connection = connection),
  end: () => undefined,
};

/** Notes that the monitor sends, be it only that it is there. */
export function heard() {
  model.heardAt = Date.now();
  model.silent = '';
}

/** The clock of this device as it was when the page was opened: nobody sets it. */
const deviceNow = () => performance.timeOrigin + performance.now();

/**
 * Takes the time of the monitor. What it says is late by its way here, so that the least late counts: behind a slow proxy old values are not shown as
 * new. The times of changes are no clock: a stream that is resumed repeats those of the past.
 */
export function setClock(time) {
  model.offsetMs = Math.max(model.offsetMs ?? -Infinity, time - deviceNow());
  changed();
}

/** Applies one line of the stream. A kind that is not known comes from a newer monitor, and is passed over. */
export function take(change) {
  model.id = change.id;
  TAKE[change.kind]?.(change[change.kind], change.time);
  changed();
}

/** Rows from before the stream, newest first. */
export function takeOlder({ orders, fills, lines, notes }) {
  for (const row of orders) if (!model.orders.has(row.number)) model.orders.set(row.number, row);
  const older = (list, rows, key) => {
    const known = new Set(list.map(key));
    list.push(...rows.filter((row) => !known.has(key(row))));
  };
  older(model.fills, fills, ({ id }) => id);
  older(model.lines, lines, ({ time, event }) => `${time} ${event}`);
  older(model.notes, notes, ({ time, text }) => `${time} ${text}`);
  changed();
}

/** Now, by the clock of the monitor; of a recording the moment that is shown. */
export const now = () => model.past?.at ?? deviceNow() + (model.offsetMs ?? 0);

/** Usual time between two proofs, as seen; ten seconds before there were two. */
function periodMs() {
  const gaps = model.reads.slice(1).map((read, k) => model.reads[k] - read);
  return gaps.length === 0 ? 10_000 : Math.max(gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)], 1000);
}

/**
 * When what the page shows was last proven, by a read of the positions; 0 for never. A bot that is armed without one trades spot alone: it reads
 * the account instead.
 */
export function provenAt() {
  const { readAt, phase } = model.status ?? {};
  return readAt?.positions || (phase === 'armed' && readAt?.equity) || 0;
}

/** Something comes at least every two seconds. */
const SILENT_MS = 3_500;

/** Why the bot is not heard, in words; "" if it is. */
export function silence() {
  const { connection, status } = model;
  if (model.past !== null) return '';
  if (model.heardAt === 0) return model.silent;
  if (model.silent !== '') return model.silent;
  if (Date.now() - model.heardAt > SILENT_MS) return 'The monitor sends nothing.';
  if (connection !== null && connection.state !== 'connected')
    return `${BOT_IS[connection.state]}${connection.cause && `: ${connection.cause}`}.`;
  if (status === null) return 'The bot has not been heard yet.';
  return now() - status.time > SILENT_MS ? 'The bot gives no new status.' : '';
}

/** Why what is shown may be out of date, in words; "" if it is current. */
export function staleness() {
  const isOverdue = model.past === null && provenAt() > 0 && now() - provenAt() > 2 * periodMs() + 1000;
  return silence() || (isOverdue ? 'Two reads of the positions are overdue.' : '');
}

/** True if the bot is known not to run, or gives no answer. */
export const isBotGone = () => model.past === null && ['stopped', 'lost'].includes(model.connection?.state ?? '');

const BOT_IS = {
  starting: 'The bot is starting',
  stopped: 'The bot has stopped',
  lost: 'The bot gives no answer',
};

const LIVE = ['submitting', 'working', 'modifying', 'cancelling', 'unknown'];

/** Orders that may still fill, oldest first. */
export const liveOrders = () => [...model.orders.values()].filter(({ state }) => LIVE.includes(state)).sort((a, b) => a.number - b.number);
