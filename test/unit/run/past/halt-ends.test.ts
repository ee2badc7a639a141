/** The halts of a recording say what ended them there, and never a command that would end one at the bot that runs. */
import { expect, it } from 'vitest';
import { withEnds, type Lifted, type PastChange } from '../../../../src/run/past/halt-ends.ts';

const halt = (code: string, since: number): object => ({ scope: 'bot', code, detail: '', since, by: 'me', ends: 'tickwright resume' });
const lifted: readonly Lifted[] = [
  { time: 50, scope: 'bot', code: 'operator', why: 'resume', by: 'ann' },
  { time: 90_000, scope: 'bot', code: 'operator', why: 'resume', by: 'ann' },
  { time: 90_000, scope: 'bot', code: 'stale', why: 'its condition is over', by: 'bot' },
];

const endsIn = (forkedAt: number, halts: readonly object[]): unknown[] => {
  const changes: readonly PastChange[] = [
    [1, 'halts', JSON.stringify(halts)],
    [2, 'status', JSON.stringify({ bot: 'x', halts })],
    [3, 'reset', JSON.stringify({ boot: '', now: { status: { halts } } })],
  ];
  const [own, status, reset] = withEnds(changes, lifted, forkedAt).map(
    ([, , payload]) => JSON.parse(payload) as { halts: object[]; now: { status: { halts: object[] } } },
  );
  const ends = (list: readonly object[]): unknown[] => list.map((one) => (one as { ends: string }).ends);
  expect([ends(status!.halts), ends(reset!.now.status.halts)]).toEqual([
    ends(own as unknown as object[]),
    ends(own as unknown as object[]),
  ]);
  return ends(own as unknown as object[]);
};

it('names the end in the recording, or that there is none', () => {
  expect(endsIn(Infinity, [halt('operator', 60_000), halt('stale', 60_000), halt('kill', 60_000)])).toEqual([
    'resume by ann, at 00:01:30 of this recording',
    'its condition is over, at 00:01:30 of this recording',
    'nothing in this recording',
  ]);
});

it('says of a halt of a fork that it exists only there', () => {
  expect(endsIn(60_000, [halt('kill', 60_000), halt('kill', 59_999), halt('operator', 60_000)])).toEqual([
    'nothing: it exists only in this fork',
    'nothing in this recording',
    'resume by ann, at 00:01:30 of this fork',
  ]);
});

it('leaves all other changes as they are', () => {
  const change: PastChange = [1, 'log', '{"ends":"tickwright resume"}'];
  expect(withEnds([change], lifted, Infinity)[0]).toBe(change);
});
