/** Holds one position on each configured side and reopens it whenever it is flat. It must not undo external changes. */
import { defineStrategy, param } from 'tickwright';

export default defineStrategy({
  name: 'holder',
  doc: 'Keeps legs open.',
  params: {
    legs: param.text('LONG', { doc: 'LONG, SHORT or both with a comma between.' }),
    size: param.decimal('0.1', { doc: 'Size of a leg, base coin.' }),
    stop: param.number(0, { doc: 'Distance of the stop-loss as a share of the price; 0 for none.' }),
    target: param.number(0, { doc: 'Distance of the take-profit; 0 for none.' }),
    mode: param.text('', { doc: 'CROSS or ISOLATED; without it the mode of the configuration.' }),
    grid: param.boolean(false, { doc: 'Whether a second order rests far below as well.' }),
  },
  create({ legs, size, stop, target, grid, mode }) {
    return {
      onQuote(market, ctx) {
        for (const side of legs.split(',') as ('LONG' | 'SHORT')[]) {
          const leg = side === 'LONG' ? market.long : market.short;
          const up = side === 'LONG' ? 1 : -1;
          if (leg.lots === 0 && leg.opening === 0) {
            const exits = {
              stopLoss: stop > 0 ? market.mid * (1 - up * stop) : undefined,
              takeProfit: target > 0 ? market.mid * (1 + up * target) : undefined,
            };
            const marginMode = mode === '' ? undefined : (mode as 'CROSS' | 'ISOLATED');
            ctx.place({ market, side, effect: 'OPEN', size, marginMode, ...exits, reason: `hold ${side}` });
          }
          if (grid && leg.lots > 0 && leg.opening === 0) {
            ctx.open(market, side, { size, limit: market.mid * (1 - up * 0.015), postOnly: true, reason: 'rest' });
          }
        }
      },
      onPosition(event, ctx) {
        ctx.log('told-position', {
          cause: event.cause,
          external: event.external,
          change: event.change,
          profit: event.profit,
          order: event.order,
        });
      },
      onExternal(event, ctx) {
        ctx.log('told-external', { kind: event.kind, action: event.action, text: event.message });
      },
    };
  },
});
