/** What a program outside says to a strategy. */
import { describe, expect, test } from 'vitest';
import { PLACE } from '../../../../src/domain/codes.ts';
import { pushedRig, rig, type Rig } from '../../../support/engine/engine-kit.ts';

describe('a signal', () => {
  const SIGNAL = { name: 'signal', strategy: 'probe', text: '{"action":"buy"}', by: 'webhook desk', why: '' } as const;

  test('calls onSignal once, which may place an order; the text is given as it is', () => {
    const heard: unknown[] = [];
    const r = pushedRig({
      onSignal(event, ctx) {
        heard.push(event);
        ctx.limit(ctx.markets[0]!, 'LONG', 'OPEN', 999, 0.01);
      },
    });
    expect(r.kernel.inbox.operate(SIGNAL)).toMatchObject({ ok: true, did: ['probe was called with the signal'] });
    expect(heard).toEqual([{ from: 'webhook desk', text: '{"action":"buy"}' }]);
    expect(r.venue.commands.map(({ kind }) => kind)).toEqual([PLACE]);
  });

  test('is refused for a strategy without onSignal, an unknown one, one that threw too often, and before the bot is armed', () => {
    const codeOf = (r: Rig, strategy = 'probe'): unknown => {
      const result = r.kernel.inbox.operate({ ...SIGNAL, strategy });
      return result.ok || [result.code, result.message];
    };
    const onSignal = (): void => {
      throw new Error('never');
    };
    expect(codeOf(pushedRig({}))).toEqual(['refused', 'probe has no onSignal']);
    expect(codeOf(pushedRig({ onSignal }), 'other')).toEqual(['no-such-strategy', 'there is no strategy "other"']);
    expect(codeOf(rig({ onSignal }))).toEqual(['refused', 'probe has not started']);
    const failing = pushedRig({ onSignal });
    while (codeOf(failing) === true);
    expect(codeOf(failing)).toEqual(['refused', 'probe was stopped for its errors']);
  });
});
