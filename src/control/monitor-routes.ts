/**
 * The table of the monitor's routes. The page and its files are served beside them, as `GET /` and `/app/…`. The server, docs/reference/monitor.json and docs/reference/monitor.md are generated from it.
 * Every route but the public ones needs `authorization: Bearer SESSION`. Answers are JSON; a refusal is a RefusalAnswer. A call with the header
 * `x-monitor-nonce` gets `x-monitor-proof`: another program that took the port cannot make it.
 */

/**
 * `view` may look; `operate` may also give commands. `metrics` may read the metrics alone, which the two others may as well. `public` needs no
 * session.
 */
export type Access = 'public' | 'metrics' | 'view' | 'operate';

export interface MonitorRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** ":name" stands for one word. */
  readonly path: string;
  readonly access: Access;
  readonly does: string;
  /** Fields of the query of a GET, or of the body. */
  readonly takes: Readonly<Record<string, string>>;
  readonly answers: string;
}

/** A moment of a recorded session, in place of now. */
const THEN = {
  session: 'name of a recorded session: its replay answers in place of the bot. Only for sessions that operate',
  at: 'the moment of it, in milliseconds since 1970',
  fork: 'a fork of it',
} as const;
const PAGED = {
  ...THEN,
  before: 'only rows with a smaller id: `next` of the page before',
  limit: 'rows of a page, 1 to 1000; 100 if left out',
  from: 'only rows from this time on, in milliseconds since 1970',
  to: 'only rows before this time',
} as const;
const SCOPED = { ...PAGED, scope: 'a symbol, a position side (BTCUSDT:LONG) or a strategy' } as const;
const ROWS = 'newest first; `next` is null on the last page';

export const MONITOR_ROUTES = {
  entry: {
    method: 'POST',
    path: '/login',
    access: 'public',
    does: 'The form of the file that `tickwright open` writes: answers with the page, which exchanges the token itself.',
    takes: { token: 'a one-time token' },
    answers: 'HTML, with the token in `<meta name="token">`',
  },
  health: {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    does: 'Whether the monitor works.',
    takes: {},
    answers: '`{ok: true}`',
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    does: 'Whether the bot is heard and armed: 200 or 503, without figures.',
    takes: {},
    answers: '`{ok}`',
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    access: 'metrics',
    does: 'The metrics of the bot in the text format of Prometheus. `metrics.token` in the folder of the bot has the token for it.',
    takes: {},
    answers: 'text, version 0.0.4',
  },
  login: {
    method: 'POST',
    path: '/api/login',
    access: 'public',
    does: 'Exchanges a one-time token or a view link for a session. A second use of a one-time token revokes the session of the first.',
    takes: { token: 'the token that `tickwright open` or a view link carries' },
    answers:
      '`{session, proof, role, boot, bot, recording, isHub}`: keep `session` and `proof` in memory alone, and send `proof` nowhere; `recording` is the session that the page is for, "" with a bot',
  },
  stream: {
    method: 'GET',
    path: '/api/stream',
    access: 'view',
    does: 'Changes as they happen, a JSON object a line (`src/control/changes.ts`). Begins with `reset`, unless `after` can be resumed.',
    takes: { after: 'id of the last change that was read' },
    answers:
      'lines, and `{"kind":"alive","time"}` at least every 2 s with the time of the monitor; roles that only view get no `note` and no `log`, and statuses without parameters',
  },
  overview: {
    method: 'GET',
    path: '/api/overview',
    access: 'view',
    does: 'All bots of the user, with sums by account. Of `tickwright hub` alone, which has no other routes than this, the studies, the login and `/healthz`.',
    takes: {},
    answers: '`HubAnswer` (`src/control/hub.ts`)',
  },
  now: { method: 'GET', path: '/api/now', access: 'view', does: 'The state now, as in `reset`.', takes: THEN, answers: '`NowRow`' },
  orders: {
    method: 'GET',
    path: '/api/orders',
    access: 'view',
    does: 'Orders by number, in any state.',
    takes: { ...SCOPED, id: 'one order: its number, client id or venue id', state: '`open` or `ended`' },
    answers: `\`{rows: OrderRow[], next}\`, ${ROWS}`,
  },
  fills: {
    method: 'GET',
    path: '/api/fills',
    access: 'view',
    does: 'Fills.',
    takes: { ...SCOPED, order: 'only those of this order number' },
    answers: `\`{rows: FillRow[], next}\`, ${ROWS}`,
  },
  log: {
    method: 'GET',
    path: '/api/log',
    access: 'operate',
    does: 'Lines of the log.',
    takes: {
      ...PAGED,
      level: '`warn` leaves out info; `error` leaves only errors',
      event: 'only this event',
      text: 'only lines that contain it',
    },
    answers: `\`{rows: (LogRow & {id})[], next}\`, ${ROWS}`,
  },
  notes: {
    method: 'GET',
    path: '/api/notes',
    access: 'operate',
    does: 'Notes of the strategies. Their lines are in `/api/bars`.',
    takes: SCOPED,
    answers: `\`{rows: (NoteRow & {id, time})[], next}\`, ${ROWS}`,
  },
  bars: {
    method: 'GET',
    path: '/api/bars',
    access: 'view',
    does: 'Minute bars of the last prices that the monitor has seen; the newest is not complete. With them what a chart shows: lines that strategies drew, halts, and times in which no price was read.',
    takes: { ...THEN, symbol: 'the symbol', from: 'only bars and points from this minute on, in milliseconds since 1970' },
    answers:
      '`{symbol, rows: [time, open, high, low, close][], lines: {strategy, name, rows: [time, value][]}[], halts: {scope, code, detail, since, until}[], blind: {from, until, cause}[]}`, oldest first, prices and values as decimal strings; `until` is 0 while it lasts; roles that only view get no lines',
  },
  equity: {
    method: 'GET',
    path: '/api/equity',
    access: 'view',
    does: 'The equity by the minute.',
    takes: THEN,
    answers: '`{rows: [time, equity][]}`, oldest first',
  },
  command: {
    method: 'POST',
    path: '/api/commands/:name',
    access: 'operate',
    does: 'Gives a command of the control plane to the bot. One that may raise risk (`resume`, `set`, `reload`, `add`, `add-strategy`, `settle`, `signal`, `rotate-epoch`, `reduce-only` off) needs the passphrase: without a proof of it the answer is `passphrase-needed` with a `Challenge`, good once, for five minutes.',
    takes: {
      '…': 'the fields of the command (docs/reference/control.md)',
      factor:
        '`{nonce, proof}`: KEY is PBKDF2-SHA-256 of the passphrase (NFKC) with `salt` and `rounds`, 32 bytes; `proof` is KEY xor HMAC-SHA-256, by SHA-256 of KEY, of the lines `nonce`, name of the command, other fields as JSON, in base64',
    },
    answers:
      'the answer of the bot: ActAnswer or RefusalAnswer; `bot-lost` with 503 if it gives none; `passphrase-needed`, `passphrase-wrong` (403, with `challenge`), `passphrase-unset` (403), `passphrase-locked` (429)',
  },
  query: {
    method: 'GET',
    path: '/api/queries/:name',
    access: 'operate',
    does: 'Asks the bot a query of the control plane, such as pnl or why.',
    takes: { ...THEN, '…': 'the fields of the query; of a recorded session only why' },
    answers: 'the answer of the bot',
  },
  'ready-made': {
    method: 'GET',
    path: '/api/ready-made',
    access: 'operate',
    does: 'The ready-made bots that the command `add-strategy` adds: parameters with their ranges and meanings, what each does, and when it loses.',
    takes: {},
    answers: '`ReadyMadeAnswer` (`src/control/ready-made.ts`)',
  },
  stop: {
    method: 'POST',
    path: '/api/stop',
    access: 'operate',
    does: 'Halts all opens: writes the halt beside the store, where the bot looks before each opening order, and asks the bot to confirm it.',
    takes: { why: 'the reason, for the journal' },
    answers: 'ActAnswer, with `tookMs`',
  },
  sessions: {
    method: 'GET',
    path: '/api/sessions',
    access: 'operate',
    does: 'The recorded sessions of the bot, and how well the backtest of each day predicted its trading.',
    takes: {},
    answers: '`{rows: SessionRow[], days: DayDivergence[]}`: the newest session first, the oldest day first',
  },
  session: {
    method: 'GET',
    path: '/api/sessions/:name',
    access: 'operate',
    does: 'Replays a session, in a thread of its own, and keeps it for the queries of its moments.',
    takes: {},
    answers: '`PastAnswer`',
  },
  fork: {
    method: 'POST',
    path: '/api/sessions/:name/forks',
    access: 'operate',
    does: 'Forks a session: from a moment on something is another, and a simulated venue answers with the market of the recording.',
    takes: {
      how: '`halt`, `set`, `landed` or `not-landed`',
      at: 'for `halt` and `set`: from when on',
      strategy: 'for `set`',
      param: 'for `set`',
      value: 'for `set`',
      order: 'for `landed` and `not-landed`: the number of the order',
    },
    answers: '`ForkAnswer`',
  },
  studies: {
    method: 'GET',
    path: '/api/studies',
    access: 'view',
    does: 'The studies of `optimize --study` of this user, from their files. `tickwright hub` has it too. On the dashboard only for sessions that operate.',
    takes: {},
    answers: '`StudiesAnswer` (`src/control/studies.ts`)',
  },
  study: {
    method: 'GET',
    path: '/api/studies/:id',
    access: 'view',
    does: 'One of them: the best trials, the best value so far, the front of several objectives. On the dashboard only for sessions that operate.',
    takes: {},
    answers: '`StudyAnswer`',
  },
  rehearsal: {
    method: 'GET',
    path: '/api/rehearsals/:strategy',
    access: 'operate',
    does: 'Rehearses the file of a strategy as it is on disk now in the newest recorded sessions, beside the text that ran. Runs in a thread, and changes nothing.',
    takes: {},
    answers:
      '`{strategy, sha256, rows: Rehearsal[]}`, the oldest session first; give `sha256` to `reload`, which then refuses any other text',
  },
  links: {
    method: 'GET',
    path: '/api/links',
    access: 'operate',
    does: 'View links and sessions.',
    takes: {},
    answers: '`{rows: LinkRow[]}`',
  },
  link: {
    method: 'POST',
    path: '/api/links',
    access: 'operate',
    does: 'Makes a view link. It ends when it expires, with the session that made it, and with the monitor.',
    takes: { hours: 'until it expires, 1 to 720; 24 if left out', name: 'whom it is for' },
    answers: '`LinkRow & {token}`: the token is shown this once',
  },
  unlink: {
    method: 'DELETE',
    path: '/api/links/:id',
    access: 'operate',
    does: 'Revokes a view link or a session with all that came from it; their streams end.',
    takes: {},
    answers: '`{ok: true}`',
  },
} as const satisfies Readonly<Record<string, MonitorRoute>>;

export type RouteName = keyof typeof MONITOR_ROUTES;

/** What a proof of the passphrase is made for. Bytes are base64. */
export interface Challenge {
  readonly nonce: string;
  readonly salt: string;
  readonly rounds: number;
}

/** A session or a view link. */
export interface LinkRow {
  readonly id: string;
  readonly name: string;
  readonly role: Exclude<Access, 'public'>;
  readonly kind: 'link' | 'session';
  /** Id of the link or session that it came from, and ends with; or "token" (`tickwright open`) or "file" (a secret in the bot's folder). */
  readonly from: string;
  readonly createdAt: number;
  /** 0: with the process. */
  readonly expiresAt: number;
  readonly usedAt: number;
}
