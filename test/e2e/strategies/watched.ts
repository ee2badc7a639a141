/**
 * Holds a leg with a stop-loss and a resting close, rests opening orders, and waits with an opening trigger order. It replaces at once what is cancelled.
 * While the file `exit` exists, it closes what it holds beyond the lots that the file names, and opens nothing. While the file `block` exists, its handler does not return. `block`.since then has the time at which that began, in milliseconds since 1970.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'watched',
  params: {
    opens: param.integer(3, { min: 0, doc: 'Opening orders that rest.' }),
    trigger: param.boolean(true, { doc: 'Whether an opening trigger order waits.' }),
    block: param.text('', { doc: 'The file.' }),
    exit: param.text('', { doc: 'While this file exists, it closes what it holds with each quote. It has the lots of others.' }),
  },
  create({ opens, trigger, block, exit }) {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    return {
      onQuote(market, ctx) {
        if (existsSync(block)) writeFileSync(`${block}.since`, String(Date.now()));
        while (existsSync(block)) Atomics.wait(cell, 0, 0, 50);
        if (!market.hasQuote) return;
        const opening = market.orders.filter(({ effect, type }) => effect === 'OPEN' && type === 'LIMIT');
        if (market.long.lots === 0) {
          if (market.long.opening === 0) ctx.open(market, 'LONG', { size: '0.02', stopLoss: market.mid * 0.95, reason: 'hold' });
          return;
        }
        if (exit !== '' && existsSync(exit)) {
          for (const order of market.orders) if (order.effect === 'CLOSE') ctx.cancel(order.number, 'it leaves');
          const own = market.long.lots - Number(readFileSync(exit, 'utf8'));
          if (own > 0 && market.long.closing === 0) ctx.close(market, 'LONG', { size: (own / 1_000).toFixed(3), reason: 'leave' });
          return;
        }
        if (!market.orders.some(({ effect }) => effect === 'CLOSE'))
          ctx.limit(market, 'LONG', 'CLOSE', market.mid * 1.015, '0.01', true, 'take');
        if (opening.length < opens) ctx.limit(market, 'LONG', 'OPEN', market.mid * (0.985 - opening.length / 1_000), '0.01', true, 'far');
        if (trigger && !market.orders.some(({ kind }) => kind === 'trigger'))
          ctx.placeTrigger({ market, side: 'LONG', size: '0.01', trigger: market.mid * 1.05, triggerBy: 'LAST', reason: 'wait' });
      },
    };
  },
});
