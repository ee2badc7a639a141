/** Assumptions about the simulated venue: margin, funding and trigger orders. */
import type { Assumption } from './assumption.ts';

export const VENUE_ASSUMPTIONS: readonly Assumption[] = [
  {
    id: 'A62',
    area: 'orders',
    says: 'The interface does not say which price the take-profit and stop-loss of a placed order (E12) watch.',
    we: 'The paper exchange compares them with the last trade, or with the mark price. Comparisons with the mark run once a second.',
    where: 'src/sim/orders/fire.ts',
  },
  {
    id: 'A63',
    area: 'account',
    says: 'The interface does not say how the mark price is computed.',
    we: 'The simulator takes the mid price, smoothed over 30 seconds and kept between the last trade and the current mid price.',
    where: 'src/sim/margin/mark.ts',
  },
  {
    id: 'A64',
    area: 'account',
    says: 'The interface does not give funding rates, funding times or the sign of totalFee.',
    we: 'The simulator settles 0.01 % every 8 hours from 0:00 UTC. totalFee is negative if more was paid than received.',
    where: 'src/sim/margin/funding.ts',
    keys: ['simulation.funding.model', 'simulation.funding.everyMs', 'simulation.funding.rate'],
  },
  {
    id: 'A65',
    area: 'account',
    says: 'The interface gives neither the tiers of maintenance margin nor the liquidation procedure.',
    we: 'In the simulator the tiers are configuration. A liquidation first cancels orders, then reduces positions one tier at a time, then closes them. The venue covers losses beyond the margin.',
    where: 'src/sim/margin/liquidation.ts',
    keys: ['instruments'],
  },
  {
    id: 'A66',
    area: 'account',
    says: 'The interface hardly describes crossMaxAvailable, isolatedMaxAvailable and maxTransferOut of the account (E9).',
    we: 'In the simulator crossMaxAvailable is what a new order on cross margin may use. The other two are the same without unrealised profit.',
    where: 'src/sim/views/view-account.ts',
  },
  {
    id: 'A67',
    area: 'account',
    says: 'The interface does not say how setting the margin mode (E10) affects waiting orders; it is refused only for an open position.',
    we: 'In the paper exchange waiting orders change to the new mode, and so do their fills. An order in the other mode changes the mode too while no position is open.',
    where: 'src/sim/margin/margin.ts',
  },
  {
    id: 'A68',
    area: 'orders',
    says: 'The interface gives neither the price for the margin of an order, nor the answer to a market order on a symbol without a price.',
    we: 'In the paper exchange a buy uses its limit; a sell its limit or the best bid, whichever is higher; a market order the prices that it would fill at. Without a price, opening with a market order or a sell is refused with 40017 "Order price is required".',
    where: 'src/sim/state/market-state.ts',
  },
  {
    id: 'A69',
    area: 'orders',
    says: 'The interface does not say whether a stop-loss above the entry of a LONG, or a take-profit below it, is refused.',
    we: 'The paper exchange refuses it with 40001 "Price invalid", a modify (E14) with "Invalid new Order price" if the order would have it afterwards. Or it accepts the exit, which then fires at the next price. The entry price is the limit, or the opposite quote if that is better; for a trigger order its limit or trigger.',
    where: 'src/sim/orders/admit.ts',
  },
  {
    id: 'A70',
    area: 'requests',
    says: 'The documents write side and orderType of spot orders (E1) in lower case, but those of futures in capitals. They do not say whether case matters.',
    we: 'The client sends lower case. The paper exchange accepts both, or only lower case.',
    where: 'src/contract/endpoints/spot-trade.ts',
  },
  {
    id: 'A71',
    area: 'orders',
    says: 'The interface does not say what a bracket exit does while a resting closing order locks the position’s size.',
    we: 'In the paper exchange it closes the available size and continues to protect the rest. Or it cancels such orders, the oldest first, and closes their size.',
    where: 'src/sim/orders/fire.ts',
  },
  {
    id: 'A72',
    area: 'orders',
    says: 'The interface does not say what happens if a trigger order fires but the account cannot afford the resulting order.',
    we: 'In the paper exchange the resulting order appears in the order history (E17) as CANCELED, with the client id of the trigger order.',
    where: 'src/sim/orders/fire.ts',
  },
];
