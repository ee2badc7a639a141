/** The text of a value that a strategy threw, whatever it is. */
import { describe, expect, test } from 'vitest';
import { thrown } from '../../../../src/engine/strategy/definition/thrown.ts';

const faulty = (): never => {
  throw new RangeError('no words');
};

describe('what was thrown', () => {
  test.each([
    ['a word', 'stop', 'stop'],
    ['nothing', undefined, 'undefined'],
    ['a symbol', Symbol('odd'), 'Symbol(odd)'],
    ['an error', new RangeError('too far'), 'RangeError: too far'],
    ['an object without toString', Object.create(null), 'an object that cannot be shown as text'],
    ['an object whose toString throws', { toString: faulty }, 'an object that cannot be shown as text'],
    ['an error whose toString throws', Object.assign(new Error('x'), { toString: faulty }), 'an object that cannot be shown as text'],
  ])('is described: %s', (_, error, what) => {
    expect(thrown(error).what).toBe(what);
  });

  test('has no places if its stack is invalid', () => {
    expect(thrown(Object.assign(new Error('x'), { stack: 17 }))).toEqual({ what: 'Error: x', frames: '' });
    expect(thrown(Object.defineProperty(new Error('x'), 'stack', { get: faulty }))).toEqual({ what: 'Error: x', frames: '' });
  });

  test('has only the places in the author’s files', () => {
    const frames = [
      'file:///mine/helper.ts:4:11',
      'file:///mine/bot.ts:9:3',
      new URL('../../../../src/engine/x.ts:1:1', import.meta.url).href,
    ];
    const stack = `Error: x\n${frames.map((at) => `    at f (${at})`).join('\n')}`;
    expect(thrown(Object.assign(new Error('x'), { stack })).frames).toBe(
      '\n    at f (file:///mine/helper.ts:4:11)\n    at f (file:///mine/bot.ts:9:3)',
    );
  });
});
