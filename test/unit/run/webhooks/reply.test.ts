/** What a sender of a webhook is told. */
import { expect, it } from 'vitest';
import { replyOf } from '../../../../src/run/webhooks/webhooks.ts';

it('only a signal that was certainly not heard may be sent again', () => {
  expect(replyOf({ by: 'running', isRefused: false, body: {} })).toMatchObject({ status: 200, body: { ok: true } });
  expect(replyOf({ by: 'running', isRefused: true, body: {} })).toMatchObject({ status: 503, body: { code: 'not-heard' } });
  expect(replyOf({ by: 'nobody', isRefused: true, body: {} })).toMatchObject({ status: 503, body: { code: 'not-heard' } });
  expect(replyOf({ by: 'running', isRefused: true, body: { code: 'not-durable' } })).toMatchObject({ status: 504 });
  expect(replyOf({ by: 'running', isRefused: true, body: { code: 'failed' } })).toMatchObject({ status: 504, body: { code: 'unknown' } });
  for (const by of ['silent', 'lost'] as const)
    expect(replyOf({ by, isRefused: true, body: {} })).toMatchObject({ status: 504, body: { code: 'unknown' } });
});
