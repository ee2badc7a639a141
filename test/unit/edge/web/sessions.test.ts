/** Who may look at the monitor: one-time tokens, view links, sessions, and where a call may come from. */
import { expect, it } from 'vitest';
import { MOST, Sessions, TOKEN_MS, type Session } from '../../../../src/edge/web/sessions.ts';
import { refusalOf } from '../../../../src/edge/web/web-gate.ts';

function kit(): { sessions: Sessions; revoked: string[]; pass: (ms: number) => void } {
  let now = 1_000_000;
  const revoked: string[] = [];
  return {
    sessions: new Sessions(
      () => now,
      (id) => revoked.push(id),
    ),
    revoked,
    pass: (ms) => (now += ms),
  };
}

function opened(sessions: Sessions, role: 'view' | 'operate' = 'operate'): { secret: string; session: Session } {
  const made = sessions.login(sessions.token(role));
  if (made.kind !== 'session') throw new Error(made.kind);
  return made;
}

it('logins by a view link end sessions of that link alone, those unused for longest', () => {
  const { sessions, revoked, pass } = kit();
  sessions.admit('of the metrics', 'metrics');
  const owner = opened(sessions);
  const [leaked, other] = [sessions.link('ann', 2, owner.session), sessions.link('ben', 2, owner.session)];
  const ben = sessions.login(other.token);
  if (ben.kind !== 'session') throw new Error(ben.kind);
  const logins = Array.from({ length: 2_000 }, () => {
    pass(1);
    const made = sessions.login(leaked.token);
    return made.kind === 'session' ? made.session.id : '';
  });
  expect([sessions.find(owner.secret), sessions.find('of the metrics'), sessions.find(ben.secret)]).toMatchObject([
    { role: 'operate' },
    { role: 'metrics' },
    { role: 'view' },
  ]);
  expect(revoked).toEqual(logins.slice(0, -MOST));
  expect(sessions.rows().filter(({ from }) => from === leaked.id)).toHaveLength(MOST);
});

it('a session that ends takes its links with it, and their sessions', () => {
  const { sessions, revoked } = kit();
  const token = sessions.token('operate');
  const thief = sessions.login(token);
  if (thief.kind !== 'session') throw new Error(thief.kind);
  const link = sessions.link('for later', 720, thief.session);
  const viewer = sessions.login(link.token);
  if (viewer.kind !== 'session') throw new Error(viewer.kind);
  expect(sessions.login(token).kind).toBe('reused');
  expect([sessions.find(viewer.secret), sessions.login(link.token).kind, sessions.rows()]).toEqual(['wrong', 'refused', []]);
  expect(revoked).toEqual([thief.session.id, viewer.session.id]);
});

it('a token gives one session of its role; a second use revokes that session and gives none', () => {
  const { sessions, revoked } = kit();
  const token = sessions.token('operate');
  const made = sessions.login(token);
  if (made.kind !== 'session') throw new Error(made.kind);
  expect(sessions.find(made.secret)).toMatchObject({ role: 'operate' });
  expect(sessions.find(token)).toBe('wrong');
  expect(sessions.login(token)).toEqual({ kind: 'reused', revoked: made.session.id });
  expect(sessions.find(made.secret)).toBe('wrong');
  expect(revoked).toEqual([made.session.id]);
});

it(`a token is worth nothing after ${TOKEN_MS} ms`, () => {
  const { sessions, pass } = kit();
  const [early, late] = [sessions.token('operate'), sessions.token('operate')];
  pass(TOKEN_MS - 1);
  expect(sessions.login(early).kind).toBe('session');
  pass(1);
  expect(sessions.login(late)).toEqual({ kind: 'refused', code: 'expired' });
});

it('a view link gives sessions that only view, until it expires or is revoked', () => {
  const { sessions, revoked, pass } = kit();
  const link = sessions.link('ann', 2, { id: 'owner', role: 'operate' });
  const [one, two] = [sessions.login(link.token), sessions.login(link.token)];
  if (one.kind !== 'session' || two.kind !== 'session') throw new Error('no session');
  expect(sessions.find(one.secret)).toMatchObject({ role: 'view', name: 'ann' });
  expect(sessions.rows().map(({ kind, role }) => [kind, role])).toEqual([
    ['link', 'view'],
    ['session', 'view'],
    ['session', 'view'],
  ]);
  expect(JSON.stringify(sessions.rows())).not.toContain(link.token);
  expect(sessions.revoke(link.id)).toBe(true);
  expect(revoked).toEqual([one.session.id, two.session.id]);
  expect([sessions.find(one.secret), sessions.login(link.token).kind]).toEqual(['wrong', 'refused']);
  const other = sessions.link('ben', 1, { id: 'owner', role: 'operate' });
  const last = sessions.login(other.token);
  if (last.kind !== 'session') throw new Error('no session');
  pass(3_600_000);
  expect([sessions.find(last.secret), sessions.login(other.token)]).toEqual(['wrong', { kind: 'refused', code: 'expired' }]);
  expect(sessions.rows()).toEqual([]);
});

it('many wrong secrets are told to wait; the right one is not', () => {
  const { sessions, pass } = kit();
  const made = sessions.login(sessions.token('view'));
  if (made.kind !== 'session') throw new Error('no session');
  const said = Array.from({ length: 30 }, (_, k) => sessions.find(`wrong ${k}`));
  expect([said[19], said[20]]).toEqual(['wrong', 'wait']);
  expect(sessions.find(made.secret)).toMatchObject({ role: 'view' });
  pass(60_001);
  expect(sessions.find('wrong')).toBe('wrong');
});

it.each([
  [{ host: '127.0.0.1:8500' }, true],
  [{ host: 'localhost:8500', origin: 'http://localhost:8500', 'sec-fetch-site': 'same-origin' }, true],
  [{ host: '127.0.0.1:8500', 'sec-fetch-site': 'none' }, true],
  [{}, false],
  [{ host: 'evil.example:8500' }, false],
  [{ host: '127.0.0.1:8501' }, false],
  [{ host: '127.0.0.1:8500', origin: 'http://evil.example' }, false],
  [{ host: '127.0.0.1:8500', origin: 'null' }, false],
  [{ host: '127.0.0.1:8500', origin: 'http://localhost:8500' }, false],
  [{ host: '127.0.0.1:8500', 'sec-fetch-site': 'cross-site' }, false],
  [{ host: '127.0.0.1:8500', 'sec-fetch-site': 'same-site' }, false],
])('a call with %j is let in: %s', (headers, isIn) => {
  const origins = { hosts: ['127.0.0.1:8500', 'localhost:8500'] };
  expect(refusalOf({ headers }, origins, false) === null).toBe(isIn);
});

it('the entry form may come from a file, but only to the own address', () => {
  const origins = { hosts: ['127.0.0.1:8500'] };
  expect(refusalOf({ headers: { host: '127.0.0.1:8500', origin: 'null', 'sec-fetch-site': 'cross-site' } }, origins, true)).toBeNull();
  expect(refusalOf({ headers: { host: 'evil.example:8500' } }, origins, true)).not.toBeNull();
});
