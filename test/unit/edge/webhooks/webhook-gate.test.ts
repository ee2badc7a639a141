/** Calls from outside: forged, repeated, late, early and too many ones are refused, each by its own reason. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import type { WebhookSender } from '../../../../src/base/tables/webhook-senders.ts';
import { AHEAD_MS, WebhookGate, WINDOW_MS, type WebhookCall } from '../../../../src/edge/webhooks/webhook-gate.ts';

const START = 1_800_000_000_000;
const SECRETS = { desk: 'd'.repeat(32), view: 'v'.repeat(32) };
const SENDERS: readonly WebhookSender[] = [
  { name: 'desk', kind: 'signed', strategy: 'news', secret: new Secret(SECRETS.desk), perMinute: 3 },
  { name: 'view', kind: 'path', strategy: 'news', secret: new Secret(SECRETS.view), perMinute: 3 },
];

function kit() {
  let now = START;
  const gate = new WebhookGate(SENDERS, () => now);
  now += 120_000;
  return {
    gate,
    get now() {
      return now;
    },
    pass: (ms: number) => void (now += ms),
    restarted: () => new WebhookGate(SENDERS, () => now),
  };
}

function signed(time: number, nonce: string, body = 'buy', secret = SECRETS.desk): WebhookCall {
  const v1 = createHmac('sha256', secret).update(`${time}.${nonce}.${body}`).digest('hex');
  return { path: '/signed/desk', signature: `t=${time},n=${nonce},v1=${v1}`, body };
}

const byPath = (time: number | string, id: string, secret = SECRETS.view): WebhookCall => ({
  path: `/path/${secret}`,
  signature: '',
  body: JSON.stringify({ time, id, action: 'buy' }),
});

const codeOf = (gate: WebhookGate, call: WebhookCall): string => {
  const judged = gate.judge(call);
  return judged.kind === 'taken' ? `taken by ${judged.sender.strategy}` : judged.code;
};

it('a call is taken once: by its nonce, or by its body', () => {
  const { gate, now } = kit();
  for (const call of [signed(now, 'nonce-01'), byPath(now, 'a'), byPath(new Date(now).toISOString(), 'b'), byPath(String(now), 'c')]) {
    expect(codeOf(gate, call)).toBe('taken by news');
    expect(codeOf(gate, call)).toBe('replayed');
  }
});

it('a forged call is refused, and each kind of forgery looks the same', () => {
  const { gate, now } = kit();
  const call = signed(now, 'nonce-01');
  const forged: readonly WebhookCall[] = [
    { ...call, body: 'sell' },
    { ...call, signature: call.signature.replace('nonce-01', 'nonce-02') },
    { ...call, signature: call.signature.replace(String(now), String(now + 1)) },
    { ...call, signature: call.signature.replace(/v1=../, 'v1=00') },
    { ...call, signature: '' },
    { ...call, path: '/signed/view' },
    { ...call, path: '/signed/nobody' },
    { ...call, path: `/path/${SECRETS.desk}` },
    { ...call, path: '/' },
    signed(now, 'nonce-01', 'buy', SECRETS.view),
    signed(now, 'short'),
    byPath(now, 'a', 'w'.repeat(32)),
    byPath(now, 'a', ''),
  ];
  const answers = new Set(forged.map((one) => JSON.stringify(gate.judge(one))));
  expect([...answers].map((one) => (JSON.parse(one) as { code: string }).code)).toEqual(['not-allowed']);
  expect(codeOf(gate, call)).toBe('taken by news');
});

it('a call is good from 60 s before to 5 s ahead, and its nonce is remembered as long as that', () => {
  const { gate, now, pass } = kit();
  expect(codeOf(gate, signed(now - WINDOW_MS - 1, 'nonce-01'))).toBe('not-in-time');
  expect(codeOf(gate, signed(now + AHEAD_MS + 1, 'nonce-02'))).toBe('not-in-time');
  const ahead = signed(now + AHEAD_MS, 'nonce-03');
  expect(codeOf(gate, ahead)).toBe('taken by news');
  pass(AHEAD_MS + WINDOW_MS);
  expect(codeOf(gate, ahead)).toBe('replayed');
  pass(1);
  expect(codeOf(gate, ahead)).toBe('not-in-time');
});

it('a call that was taken before a restart is not taken after it', () => {
  const { gate, now, pass, restarted } = kit();
  const calls = [signed(now, 'nonce-01'), signed(now + AHEAD_MS, 'nonce-02'), byPath(now + AHEAD_MS, 'a')];
  expect(calls.map((call) => codeOf(gate, call))).toEqual(Array(3).fill('taken by news'));
  pass(1);
  const next = restarted();
  for (let ms = 0; ms <= WINDOW_MS + AHEAD_MS; ms += 1_000) {
    for (const call of calls) expect(codeOf(next, call)).not.toBe('taken by news');
    pass(1_000);
  }
});

it('a flood of one sender is cut at perMinute, and takes nothing from another', () => {
  const kept = kit();
  const flood = Array.from({ length: 1_000 }, (_, k) => codeOf(kept.gate, signed(kept.now, `nonce-${k}-of-many`)));
  expect(flood.filter((code) => code === 'taken by news')).toHaveLength(3);
  expect(new Set(flood.slice(3))).toEqual(new Set(['too-many']));
  expect(codeOf(kept.gate, byPath(kept.now, 'a'))).toBe('taken by news');
  kept.pass(60_000);
  expect(codeOf(kept.gate, signed(kept.now, 'nonce-later'))).toBe('taken by news');
});

it('a path call needs a time and an id', () => {
  const { gate, now } = kit();
  for (const body of ['', 'buy', '[]', '{}', `{"time":${now}}`, '{"id":"a"}', '{"id":"a","time":"soon"}', `{"id":{},"time":${now}}`])
    expect(codeOf(gate, { path: `/path/${SECRETS.view}`, signature: '', body })).toBe('bad-request');
});

it('a call that was released is taken again, once', () => {
  const kept = kit();
  const call = signed(kept.now, 'nonce-again');
  const judged = kept.gate.judge(call);
  if (judged.kind !== 'taken') throw new Error(judged.code);
  expect(codeOf(kept.gate, call)).toBe('replayed');
  judged.release();
  expect([codeOf(kept.gate, call), codeOf(kept.gate, call)]).toEqual(['taken by news', 'replayed']);
});
