/** Works through a number of managed trades and executions, one after the other, and keeps what came of them in its durable state. */
import { defineStrategy, param, stored } from 'tickwright';

/** A field of the log holds 4,096 characters. */
const PART = 4_000;

export default defineStrategy({
  name: 'lasting',
  doc: 'Trades, executions, a calendar and durable state, for restarts at any moment.',
  params: {
    rounds: param.integer(4, { doc: 'Number of trades, and of executions of each kind.' }),
    stop: param.number(0.01, { min: 0, doc: 'Distance of the stop-loss of a trade from the bid, as a share of it.' }),
  },
  state: {
    trades: 0,
    executions: 0,
    runs: stored.list(stored.number(0)),
    missed: 0,
    /** By trade: the order that added to it, 0 if that was refused; and how often it was reduced. */
    adds: stored.map(stored.number(0)),
    cuts: stored.map(stored.number(0)),
    ended: stored.map(stored.object({ entered: 0, left: 0, realised: 0, why: '' })),
    worked: stored.map(stored.object({ kind: '', size: 0, filled: 0, average: stored.maybe(stored.number(0)), why: '' })),
    isDone: false,
  },
  create: ({ rounds, stop }) => {
    let isTold = false;
    return {
      schedule: { tick: '* * * * * *' },
      onSchedule({ at, missed }, ctx) {
        // Counted from the first call on.
        if (ctx.state.runs.length > 0) ctx.state.missed += missed;
        ctx.state.runs = [...ctx.state.runs, at].slice(-500);
      },
      onQuote(market, ctx) {
        if (ctx.trades(market).length === 0 && ctx.state.trades < rounds) {
          const trade = ctx.enter({
            market,
            side: 'LONG',
            size: '0.06',
            stopLoss: market.bid * (1 - stop),
            takeProfit: [
              { at: market.ask * 1.00005, share: 1 / 3 },
              { at: market.ask * 1.02, share: 1 / 3 },
            ],
            trailing: { percent: 0.5, after: 0.05 },
            maxHoldMs: 4_000,
          });
          if (trade !== null) ctx.state.trades += 1;
        }
        for (const trade of ctx.trades(market)) {
          const { adds, cuts } = ctx.state;
          const cut = cuts[trade.id] ?? 0;
          if (trade.state !== 'open') continue;
          if (adds[trade.id] === undefined) ctx.state.adds = { ...adds, [trade.id]: trade.add({ size: '0.02' }) };
          else if (cut < 2 && trade.reduce(0.25)) ctx.state.cuts = { ...cuts, [trade.id]: cut + 1 };
        }
        if (ctx.executions(market).length === 0 && ctx.state.executions < 3 * rounds) {
          const base = { market, side: 'SHORT', size: '0.03', stopLoss: market.ask * 1.02 } as const;
          const turn = ctx.state.executions % 3;
          const made =
            turn === 0
              ? ctx.twap({ ...base, durationMs: 2_500, slices: 5 })
              : turn === 1
                ? ctx.iceberg({ ...base, limit: market.bid, show: '0.01', expiresInMs: 3_000 })
                : ctx.peg({ ...base, to: 'bid', everyMs: 300, expiresInMs: 3_000 });
          if (made !== null) ctx.state.executions += 1;
        }
        const isIdle = ctx.trades().length === 0 && ctx.executions().length === 0;
        const isOver = ctx.state.trades >= rounds && ctx.state.executions >= 3 * rounds;
        if (isIdle && isOver && !ctx.state.isDone) ctx.state.isDone = true;
        if (!ctx.state.isDone || !isIdle || isTold) return;
        isTold = true;
        const text = JSON.stringify(ctx.state);
        for (let at = 0; at < text.length; at += PART) ctx.log('state', { part: text.slice(at, at + PART) });
        ctx.log('all done');
      },
      onExit(trade, ctx) {
        const { id, entered, exits, realised } = trade;
        const left = exits.reduce((sum, { size }) => sum - size, entered);
        const why = exits.map((exit) => exit.why).join(', ');
        ctx.state.ended = { ...ctx.state.ended, [id]: { entered, left, realised, why } };
      },
      onExecution({ id, kind, size, filled, averagePrice, why }, ctx) {
        const average = Number.isFinite(averagePrice) ? averagePrice : null;
        ctx.state.worked = { ...ctx.state.worked, [id]: { kind, size, filled, average, why } };
      },
    };
  },
});
