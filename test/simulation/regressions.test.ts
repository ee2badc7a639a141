/** Seeds that once showed something. Each stands for what was wrong then: in the bot, or in what the simulation took for wrong. */
import { expect, test } from 'vitest';
import { WORLDS } from './batch.ts';
import { firstPlanOf, planOf, type Plan } from './plan.ts';
import { peoplePlanOf } from './people.ts';
import { sharedPlanOf, tradesPlanOf } from './trades.ts';
import { run } from './verdict.ts';

const SEEDS: readonly (readonly [what: string, seeds: readonly number[]])[] = [
  ['a resume that a slow commit held up does not end a kill that was typed after it', [5_335]],
  ['a kill is not over while an order that ended may have filled more than is proven', [539]],
  ['a modify of unknown outcome counts in the exposure after its old order has ended', [16_045]],
  ['an order that a read shows late counts at once, and halts its leg', [11_156, 14_442, 19_873]],
  ['a trigger order that was presumed not landed is cancelled once more', [158, 1_398, 7_733, 10_106, 11_753]],
  ['a trigger order is cancelled when a record of somebody else may be taken for what it became', [9_509]],
  ['an order that lands after the horizon may take its leg above the limit', [2_434, 3_732, 11_845, 12_501, 14_196, 16_641, 18_788]],
  ['a pause concerns its own bucket: margin steps go on while orders wait', [2_072, 8_210]],
  ['what another party opens costs margin of its own', [6_439, 9_871, 11_798, 13_855, 17_941, 19_022, 19_804]],
  [
    'fills that the fee of an order does not show are not told before the history was read',
    [3_189, 10_042, 12_576, 12_710, 14_036, 14_489, 17_959, 19_464],
  ],
  ['that an ended order filled no more needs its fee as well: brackets may have closed its lots', [19_170]],
  ['an order that seemed to fill and ended unfilled leaves a finite doubt', [14_454]],
  ['a start with the clock behind the journal takes its orders for older than its reads', [531, 1_270, 6_143, 10_411, 13_184]],
  ['two legs in doubt do not read the history in turn for ever, and no other read gets a turn', [149, 5_660, 17_233]],
  ['a bot that has lost its lease sees the orders of the next one', [8_038]],
  ['what a trigger order of a lost journal becomes has no name by which any bot could know it', [21_148, 21_806, 34_591]],
  ['what lands late while a kill is in force is closed', [33_608, 48_259]],
  ['a leg that has been read once is not known, and no order may open it', [34_947, 42_146]],
  ['commands of an operator reach a bot that stood still in their order', [35_633]],
  ['a kill whose record is lost with the disk is not known', [32_343, 208_879]],
  ['a close that is told before the fill of what it closed counts against that fill', [30_543, 118_200]],
  ['the margin mode that own commands ask for outlives a crash', [42_173]],
  ['a kill is not over while a read shows lots that an order does not explain any more', [114_849]],
  ['fees show own fills that lots of another party hide, also where reads agree; no read starves', [212_935]],
  ['an account that is liquidated again and again needs a person each time', [12_704]],
  ['ended orders whose fees speak against their fills are decided by reads after the horizon', [301_887, 334_326]],
];

/** The same of worlds with managed trades and executions. */
const TRADE_SEEDS: readonly (readonly [what: string, seeds: readonly number[]])[] = [
  ['an entry that expired and whose fills are not final yet ends later', [3]],
  ['what closed while the bot was away is told before the trades are compared with the leg', [6, 16]],
  ['a close that the bot has placed again under another number is that of the trade', [24, 63]],
  ['a trade is compared with its leg as events have told it', [23, 35]],
  ['a change of a leg that is being explained outlives a kill', [166, 498]],
  ['a target is not placed again while the event of its fill waits', [404]],
  ['a trade does not end while the event of a fill of its ladder waits', [342]],
  ['a bracket that closed what an order had opened unseen is found', [649]],
  ['a leg is known from two reads before an order may open it', [2_697]],
  ['fills of a cancelled order become final on a flat leg', [351, 561]],
  ['a history that cannot be read shows no trade of another party', [238]],
  ['a close that waited closes nothing of a leg that was flat in between', [2_362]],
  ['a close that is repeated under another number is that of its target or execution', [1_226, 5_282, 18_159]],
];

/** Worlds that were found later: in some a cache repeats answers for seconds, in others two strategies share the legs. */
const LATER_PLANS: readonly (readonly [what: string, plans: readonly Plan[]])[] = [
  ['a copy of an answer is no newer read of positions', [tradesPlanOf(1_900), planOf(19_444)]],
  ['a copy of an answer says nothing about the clock', [tradesPlanOf(4_717), planOf(8_585)]],
  ['a record that was read twice before the start is one order', [sharedPlanOf(409), sharedPlanOf(508)]],
  ['the bracket of an ended trade closes lots of its own strategy', [sharedPlanOf(73), sharedPlanOf(865)]],
  [
    'a record with the name of a trigger order goes before one of another party that looks like it',
    [312_391, 326_096, 339_391].map(planOf),
  ],
  ['where the venue names what trigger orders become, an order without a name is of another party', [planOf(515_655)]],
  ['what another party traded is found after reads agreed by chance', [planOf(308_442)]],
  ['a trigger order that only lost records knew is in no limit before a bot has seen it', [315_703, 338_338].map(planOf)],
  ['a read of positions that left before an order may show what that order filled', [planOf(516_764), planOf(602_182)]],
  ['a run that failed, and was cured before its cause was noted', [planOf(502_278)]],
  ['a liquidation at the very end is read before the run is judged', [planOf(302_816)]],
  ['a start with the clock behind does not take the bracket of a position for that of an earlier one', [tradesPlanOf(15_067)]],
  ['what a bracket closed of a leg that was opened again since is told as that', [peoplePlanOf(409), peoplePlanOf(1_687)]],
  ['an order of another party that explained a change before a crash explains none after it', [1_011, 1_061, 1_104].map(peoplePlanOf)],
  ['of brackets with one trigger the tightest fired, and a larger one is left for a larger record', [WORLDS.trades(1_509)]],
  ['copies of an answer from ahead of the clock do not hide the clock that comes after', [WORLDS.trades(1_610_099)]],
  ['a position is named that an order opened just before the start, on a symbol that no strategy trades any more', [planOf(1_616_947)]],
  [
    'a copy that a server of another clock dates like a new answer cannot be told from one',
    [WORLDS.trades(1_499), WORLDS.all(2_407_376), WORLDS.all(2_413_073)],
  ],
  ['positions that agree by chance at a start do not hide a bracket that fired', [tradesPlanOf(15_356)]],
  ['a close of a trade that is told before the fill of what it closed belongs to that fill', [sharedPlanOf(5_834)]],
  [
    'a bracket with fewer lots than it was placed for left its leg flat, also where the leg was opened again',
    [8_797, 9_139, 10_471, 702_811, 703_459].map(sharedPlanOf),
  ],
  ['a record of another party that closed more than is missing waits for the own fills that it closed', [sharedPlanOf(9_364)]],
  ['a list of positions from before the last fill does not agree by chance', [sharedPlanOf(701_773)]],
  ['a bracket whose record has explained a part before a crash explains the rest after it', [sharedPlanOf(721_119)]],
  ['a trigger order is compared with what it may have become by the venue’s clock, while ours is ahead', [planOf(807_069)]],
  [
    'a trigger order is compared with what it may have become by each clock that the venue has had',
    [1_126, 2_171, 9_352, 12_296, 12_785, 14_389].map(WORLDS.all),
  ],
  ['an order of an earlier process counts in the value of all legs before the first quote of its symbol', [planOf(1_200_626)]],
  ['no resume ends a halt that waits for a new epoch of ids', [904_852, 1_104_490].map(planOf)],
  ['an order that ended unread may have filled what a bracket closed again', [sharedPlanOf(704_034)]],
  ['handlers hear nothing of a symbol that was removed from the configuration', [39, 95].map(WORLDS.all)],
  ['a trigger order that fires after the start opens what no strategy trades', [WORLDS.all(623)]],
  ['a resume that a bot reads after a kill, and that was asked for before it, does not end that kill', [WORLDS.all(5_335)]],
  ['no single list that omits an order decides that it has not landed', [WORLDS.all(905_336)]],
  ['a list of positions that a cache repeats is not new when the clock gets to the time that another server gave it', [WORLDS.trades(610)]],
  [
    'the rest of a leg was closed by the bracket at whose trigger it filled, not by a farther one of its size',
    [2_001_103, 2_504_314, 2_504_545].map(WORLDS.trades),
  ],
  ['the fee of an order that rested is that of a maker', [WORLDS.trades(2_122_918)]],
  ['an order is not given up while what its bracket closed is being explained', [WORLDS.trades(2_122_132)]],
  ['a kill closes what a trigger order that the journal forgot may have opened', [WORLDS.all(2_208_705)]],
  ['a bracket that fired is matched before its lots are taken for a smaller record', [2_110_501, 2_111_887].map(WORLDS.trades)],
  ['a record that a list holds twice explains a change once', [WORLDS.trades(2_113_183)]],
  ['a list of orders that a cache repeats shows no fill of after it was made', [WORLDS.all(2_506_725)]],
  ['a position that agrees by chance does not end the bracket that closed the one before', [WORLDS.people(2_500_020)]],
  ['what fills of a trade after others have closed it is closed by its own order, and says so', [WORLDS.trades(2_101_117)]],
  ['a bracket that fired while its order was filling closed what had filled by then', [3_312_364, 3_316_296].map(WORLDS.trades)],
  ['the offset of the venue follows a clock that approaches a wall clock that was set', [3_315_430, 3_316_236].map(WORLDS.trades)],
  ['a kill names what only a lost journal knew, in a symbol that was removed', [WORLDS.all(3_332_199)]],
  ['a bracket of a position that had ended closed nothing after it, also after a restart', [WORLDS.trades(3_310_867)]],
  ['a bracket that fired before a read showed a flat leg is told as that, however late its record comes', [WORLDS.people(3_310_500)]],
  ['a bracket that is told before the fill that it closed keeps its price', [WORLDS.trades(2_521_549)]],
  ['of brackets with one trigger a record may have closed lots that were taken for those of another', [WORLDS.trades(3_400_671)]],
  ['a leg that agreed by a clock that was ahead has not yet what trades by the one that was set back', [WORLDS.trades(3_318_096)]],
  ['a copy of a refused order does not land where refused ids may be used again', [WORLDS['mix-v2'](2_524_748)]],
  ['an answer that a process takes late may have been made at any time since it was asked for', [WORLDS.all(2_524_640)]],
  ['a bracket that fired before a trade was placed closed none of its lots', [WORLDS.trades(3_601_522)]],
  [
    'a halt about an order ends at the start if a crash has kept the end of the order alone',
    [3_904_493, 3_905_545, 3_908_121, 3_908_186].map(WORLDS.all),
  ],
  ['an ended order may have filled what its bracket closed again, until the history shows no such close', [WORLDS.trades(3_318_481)]],
];

/** The world in which a bracket is told before the fill that it closed, with a kill at `at` milliseconds, between the two. */
function killedBetween(at: number, downMs: number, moreSteps = 10): Plan {
  const plan = WORLDS.trades(2_521_549);
  return { ...plan, steps: plan.steps + moreSteps, incidents: [...plan.incidents, { kind: 'change', at, what: 'back', downMs }] };
}

test.each([
  [13_600, 50],
  [14_200, 300],
  [14_800, 1_500],
])('a bracket that is told before the fill that it closed keeps its price over a kill at %s ms, down for %s ms', async (at, downMs) => {
  expect((await run(killedBetween(at, downMs))).problems).toEqual([]);
});

test('lots that filled unseen in one position are not those of another party in the next one', async () => {
  expect((await run(killedBetween(13_500, 50, 20))).problems).toEqual([]);
});

test.each(TRADE_SEEDS)('%s', async (_what, seeds) => {
  for (const seed of seeds) expect((await run(tradesPlanOf(seed, firstPlanOf(seed)))).problems, `seed ${seed}`).toEqual([]);
});

test.each(SEEDS)('%s', async (_what, seeds) => {
  for (const seed of seeds) expect((await run(firstPlanOf(seed))).problems, `seed ${seed}`).toEqual([]);
});

test.each(LATER_PLANS)('%s', async (_what, plans) => {
  for (const plan of plans) expect((await run(plan)).problems, `seed ${plan.seed}`).toEqual([]);
});
