import { defineStrategy, param } from 'tickwright';
import { expect, test } from 'vitest';

test('an async handler and a wrong parameter type do not compile; a misspelt handler is refused with a suggestion', () => {
  const good = defineStrategy({
    name: 'good',
    params: { fast: param.integer(5), size: param.decimal('0.01') },
    create({ fast, size }) {
      const whole: number = fast;
      const text: string = size;
      return {
        onQuote(market, ctx) {
          if (market.bid > whole) ctx.open(market, 'LONG', { size: text });
        },
        onTrade: (trade) => trade.price,
        onStop: (_event) => undefined,
      };
    },
  });
  expect(good.name).toBe('good');
  const slow = defineStrategy({
    name: 'async-one',
    create: () => ({
      // @ts-expect-error an async handler is refused
      async onQuote() {
        await Promise.resolve();
      },
    }),
  });
  expect(() => slow.create({}, [])).toThrow(/async-one: onQuote is async/);
  defineStrategy({
    name: 'without-parameters',
    create() {
      return { onQuote: (market, ctx) => ctx.cancelAll(market), onTimer: (name, ctx) => ctx.cancelTimer(name) };
    },
  });
  const misspelt = defineStrategy({
    name: 'misspelt',
    create: () => ({
      onStop() {},
      onQoute() {},
    }),
  });
  expect(() => misspelt.create({}, [])).toThrow(/did you mean "onQuote"/);
  defineStrategy({
    name: 'typed',
    params: { fast: param.integer(5) },
    create({ fast }) {
      // @ts-expect-error a number is not a string
      const wrong: string = fast;
      return { onStart: (ctx) => ctx.log('x', { wrong }) };
    },
  });
});
