/** The part of the register that the simulated venue's margin, funding and triggers lean on. */
import type { Assumption } from './assumption.ts';

export const VENUE_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'A62',
    area: 'orders',
    says: 'Which price the presets of E12 watch is not said.',
    we: 'The paper exchange lets them watch the last trade, or the mark; what watches the mark is judged once a second.',
    where: 'src/sim/core/fire.ts',
  },
  {
    id: 'A63',
    area: 'account',
    says: 'How the mark price is made is not said.',
    we: 'In the simulator the middle of the book, smoothed over 30 seconds, held between the last trade and the middle of now.',
    where: 'src/sim/core/mark.ts',
  },
  {
    id: 'A64',
    area: 'account',
    says: 'Rates and moments of funding, and the sign of totalFee, are not said.',
    we: 'In the simulator every 8 hours from 0:00 UTC at 0.01 %; totalFee is below zero when more was paid than received.',
    where: 'src/sim/state/funding.ts',
    keys: ['simulation.funding.model', 'simulation.funding.everyMs', 'simulation.funding.rate'],
  },
  {
    id: 'A65',
    area: 'account',
    says: 'The tiers of maintenance margin, and how the venue liquidates, are not said.',
    we: "In the simulator tiers are configuration. Orders are cancelled first, then legs go down a tier at a time, then they are closed; losses beyond the margin are the venue's.",
    where: 'src/sim/core/liquidation.ts',
    keys: ['instruments'],
  },
  {
    id: 'A66',
    area: 'account',
    says: 'crossMaxAvailable, isolatedMaxAvailable and maxTransferOut of E9 are described in few words.',
    we: 'In the simulator what a new order on cross margin may use; the same without profit that is not realised; that too.',
    where: 'src/sim/core/view-account.ts',
  },
  {
    id: 'A67',
    area: 'account',
    says: 'What E10 does to orders of the symbol that wait is not said; only an open position refuses it.',
    we: 'In the paper exchange they come along: what they fill is of the new mode. So does an order in the other mode while no position is open.',
    where: 'src/sim/core/margin.ts',
  },
  {
    id: 'A68',
    area: 'orders',
    says: 'By what price the margin of an order is computed, and what a market order gets on a symbol that has no price yet, is not said.',
    we: 'In the paper exchange a buy by its limit, a sale by its limit or the best bid, whichever is more, a market order by what it would take. Without a price, opening at market or by selling is refused with 40017 "Order price is required".',
    where: 'src/sim/state/market-state.ts',
  },
  {
    id: 'A69',
    area: 'orders',
    says: 'Whether a stop-loss above the entry of a LONG, or a take-profit below it, is refused is not said.',
    we: 'The paper exchange refuses it with 40001 "Price invalid", or takes it, and then it fires at the next price. The entry is the limit, or the opposite quote where that is better; for a trigger order its limit or trigger.',
    where: 'src/sim/api/orders.ts',
  },
  {
    id: 'A70',
    area: 'requests',
    says: 'Side and orderType of E1 are written in lower case; futures use capitals. Whether case matters is not said.',
    we: 'Send lower case; the paper exchange accepts both, or lower case alone.',
    where: 'src/contract/endpoints/spot-trade.ts',
  },
  {
    id: 'A71',
    area: 'orders',
    says: 'What a preset exit does when a resting order that closes holds the lots of its position is not said.',
    we: 'In the paper exchange it closes the lots that are available and goes on protecting the others; or it cancels such orders, oldest first, and takes their place.',
    where: 'src/sim/core/fire.ts',
  },
  {
    id: 'A72',
    area: 'orders',
    says: 'What becomes of a trigger order that fires when the account cannot carry the order it makes is not said.',
    we: 'In the paper exchange that order is in the history (E17) as CANCELED, with the client id of the trigger order.',
    where: 'src/sim/core/fire.ts',
  },
];
