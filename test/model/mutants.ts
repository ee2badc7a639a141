/**
 * Proves that the comparison sees: breaks the simulator in one small way after another, in a copy, and lets the hunt find it.
 * node test/model/mutants.ts [part of a name]. Ends with 1 when one survives, with 2 when one no longer fits the source.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** [what is broken, file of src, the text that stands there once, what stands there instead] */
const MUTANTS: readonly (readonly [string, string, string, string])[] = [
  ['fees round down', 'domain/instrument.ts', 'return mulDivCeil(value, rate, 100_000_000) as Money', 'return Math.floor((value * rate) / 100_000_000) as Money'],
  ['margins round down', 'sim/core/fills.ts', 'return Math.ceil(value / leverage)', 'return Math.floor(value / leverage)'],
  ['a partial close releases a unit more', 'sim/core/fills.ts', 'entry : mulDivFloor(entry, size, total)', 'entry : mulDivFloor(entry, size, total) + 1'],
  ['a short realises as a long', 'sim/core/fills.ts', 'leg.side === 0 ? value - released : released - value', 'value - released'],
  ['the hold of a filled part stays', 'sim/core/fills.ts', 'marginOf(left * order.holdPrice', 'marginOf(order.size * order.holdPrice'],
  ['nobody is ahead at the best bid', 'sim/core/place.ts', 'return line.bidSize', 'return 0'],
  ['an order behind the best ask has nobody ahead', 'sim/core/place.ts', 'return key < line.ask ? 0 : AHEAD_UNKNOWN', 'return 0'],
  ['the queue does not move with trades', 'sim/core/match.ts', 'order.ahead = ahead > eaten ? ahead - eaten : 0', 'order.ahead = ahead'],
  ['the queue does not shrink with the displayed size', 'sim/core/match.ts', ' || order.ahead > bestSize', ''],
  ['the newer order of a price is first', 'sim/core/resting.ts', 'newer.key > other.key', 'newer.key >= other.key'],
  ['a post-only bid at the offer may rest', 'sim/core/line.ts', ': key >= this.ask', ': key > this.ask'],
  ['through fills at the touch', 'sim/core/match.ts', 's.model === THROUGH ? 1 : 0', '0'],
  ['a trade is not shared between buys and sales', 'sim/core/match.ts', 'matchSide(s, line.sells, price, left,', 'matchSide(s, line.sells, price, size,'],
  ['what a taker took is there again', 'sim/core/match.ts', '    if (isSale) line.bidLeft -= size;\n    else line.askLeft -= size;\n  }\n  fill(', '  }\n  fill('],
  ['a taker that no longer crosses goes on taking', 'sim/core/match.ts', '      order.isTaking = false;\n      line.taking--;\n', ''],
  ['take profit and stop are exchanged', 'sim/core/protection.ts', 'p.leg.side === 0 ? p.takeProfit : p.stopLoss', 'p.leg.side === 0 ? p.stopLoss : p.takeProfit'],
  ['exits outlive their leg', 'sim/core/fills.ts', '    unprotect(leg);\n', ''],
  ['an exit closes what other orders want', 'sim/core/fire.ts', 'Math.min(p.size, leg.total - leg.locked)', 'Math.min(p.size, leg.total)'],
  ['a late order takes the quote of before', 'sim/core/fire.ts', 'if (isOutrun && ', 'if (false && '],
  ['a fired plan loses its tag', 'sim/core/fire.ts', 'isMarket, price, size, tag);\n  child', 'isMarket, price, size, 0);\n  child'],
  ['a modify keeps the price', 'sim/core/place.ts', 'const price = c.price > 0 ? c.price : old.price', 'const price = old.price'],
  ['a modify forgets its stop', 'sim/core/place.ts', 'c.stopLoss > 0 ? c.stopLoss : hasExits ? old.stopLoss : 0', 'c.stopLoss'],
  ['a modify pays twice', 'sim/core/place.ts', '  account.holds -= old.hold;\n', ''],
  ['a close may exceed its leg', 'sim/core/place.ts', 'size <= leg.total - leg.locked || deny', 'size <= leg.total || deny'],
  ['a hold outlives its order', 'sim/core/fills.ts', '        order.account.holds -= order.hold;\n', ''],
  ['plans by mark watch the last trade', 'sim/core/fire.ts', 'fire(s, line, line.mark(), true)', 'fire(s, line, line.lastOrMark(), true)'],
  ['plans by last watch the mark', 'sim/core/fire.ts', 'fire(s, line, line.last, false)', 'fire(s, line, line.mark(), false)'],
  ['plans by mark fire at trades', 'sim/core/fire.ts', 'if ((plan.isByMark || isUntraded) !== isByMark) continue;', 'if (isUntraded !== isByMark && !plan.isByMark) continue;'],
  ['exits by mark watch the last trade', 'sim/core/fire.ts', '(line.presetsByMark || isUntraded) === isByMark', 'isUntraded === isByMark'],
  ['a position does not fix the margin mode', 'sim/core/place.ts', 'leg.pair.isIsolated !== isIsolated && ', 'false && '],
  ['quiet quotes hide what the queue should see', 'sim/core.ts', 'if (b <= low || b >= high || a <= low || a >= high ||', 'if (b >= high || a <= low ||'],
  ['a refused modify leaves the order where it should not', 'sim/core/place.ts', 'if (s.cancelsToModify) {', 'if (false) {'],
  ['shorts have the leverage of longs', 'sim/core/state.ts', 'short: Math.min(short, maxLeverage)', 'short: Math.min(long, maxLeverage)'],
  ['the slow middle is the middle', 'sim/core/mark.ts', 'elapsed >= SLOW_MS', 'elapsed >= 0'],
  ['the slow middle falls as fast again', 'sim/core/mark.ts', 'slow - mulDivFloor(slow - target, elapsed', 'slow - mulDivFloor(slow - target, 2 * elapsed'],
  ['the mark is the last trade', 'sim/core/line.ts', 'if (last === 0 || middle === 0) return last + middle;', 'if (last > 0) return last;\n    if (middle > 0) return middle;'],
  ['maintenance jumps from tier to tier', 'domain/tiers.ts', ' - tier.deduction) as Money', ') as Money'],
  ['any leverage at any value', 'sim/core/account.ts', 'Math.min(VALUE_MAX, valueLimit(line.tiers, leverage))', 'VALUE_MAX'],
  ['shorts pay the funding of longs', 'sim/core/funding.ts', 'rate > 0 === (leg.side === 0)', 'rate > 0 === (leg.side === 1)'],
  ['funding is paid rounded down', 'sim/core/funding.ts', 'const due = mulDivCeil(', 'const due = mulDivFloor('],
  ['funding takes more than an isolated margin', 'sim/core/funding.ts', 'leg.pair.isIsolated ? Math.min(due, leg.margin) : due', 'due'],
  ['the premium is the rate', 'sim/core/funding.ts', 'premium + Math.min(Math.max(configured - premium, -BAND), BAND)', 'premium'],
  ['funding is paid once for many moments', 'sim/core/look.ts', 'for (; s.nextFunding <= time; s.nextFunding = fundingAfter(terms, s.nextFunding)) payFunding(s, terms);', 'if (s.nextFunding <= time) { payFunding(s, terms); s.nextFunding = fundingAfter(terms, time); }'],
  ['accounts are liquidated in another order', 'sim/core/look.ts', '  for (const account of s.accounts) liquidate(s, account);\n', '  for (const account of s.accounts.toReversed()) liquidate(s, account);\n'],
  ['isolated margin pays no loss of a part', 'sim/core/fills.ts', 'const freed = share > needed ? share : needed;', 'const freed = share;'],
  ['a reduction frees a share of the margin', 'sim/core/fills.ts', 'order.isLiquidation ? 0 : mulDivFloor', 'order.isLiquidation && false ? 0 : mulDivFloor'],
  ['the fund does not pay for isolated legs', 'sim/core/fills.ts', '  if (cost > margin) insure(', '  if (false) insure('],
  ['the fund does not pay for accounts', 'sim/core/liquidation.ts', 'if (missing <= 0 || crossLegs().length > 0) return;', 'return;'],
  ['a leg is reduced to its own tier', 'sim/core/liquidation.ts', 'line.tiers[tier - 1]!.upTo', 'Math.min(line.tiers[tier]!.upTo, leg.value() / 2)'],
  ['the leg with the smallest loss goes first', 'sim/core/liquidation.ts', 'next.unrealised() < worst.unrealised()', 'next.unrealised() > worst.unrealised()'],
  ['all cross legs go, not only what must', 'sim/core/liquidation.ts', 'legs.length > 0 && isUncovered();', 'legs.length > 0;'],
  ['liquidations trade at the mark', 'sim/core/liquidation.ts', 'line.reference(order.isSale)', 'line.mark()'],
  ['liquidations leave plans', 'sim/core/liquidation.ts', ', ...line.plans]', ']'],
  ['unrealised profit may leave', 'sim/core/account.ts', '(unrealised < 0 ? unrealised : 0)', 'unrealised'],
  ['isolated orders may use profit', 'sim/core/place.ts', 'leg.account.movable()', 'leg.account.available()'],
  ['margin is taken out below the loss', 'sim/core/margin.ts', ' - Math.min(0, leg.unrealised())', ''],
  ['looks come two seconds apart', 'sim/core/fills.ts', '(Math.floor(s.now / TICK_MS) + 1)', '(Math.floor(s.now / TICK_MS) + 2)'],
  ['spot sales pay no fee', 'sim/core/spot-settle.ts', 'charged = Math.min(fee, value)', 'charged = 0'],
  ['spot buys lock no fee', 'sim/core/spot-settle.ts', 'return value + feeOf(value, Math.max(line.makerRate, line.takerRate, 0))', 'return value'],
  ['spot market buys spend what is not there', 'sim/core/spot-settle.ts', 'while (affordable > 0 && !fits(affordable)) affordable--', ''],
  ['accounts trade at the price of the taker', 'sim/core/cross.ts', 'const price = other.key', 'const price = order.isMarket ? other.key : order.key'],
  ['accounts trade beyond the recorded market', 'sim/core/cross.ts', 'Math.max(key, line.hasBook ? line.bid : line.last)', 'key'],
  ['a quiet row reaches an order', 'sim/core.ts', 'if (p <= low || p >= high || time', 'if (p < low || p > high || time'],
  ['a snapshot forgets what was taken', 'sim/core/snapshot.ts', "'bidLeft', ", ''],
  ['a snapshot forgets the queue', 'sim/core/snapshot.ts', "['slot', 'account', 'line', 'leg']", "['slot', 'account', 'line', 'leg', 'ahead']"],
  ['history is one too short', 'sim/core/fills.ts', 'ended.length < s.historyLimit', 'ended.length < s.historyLimit - 1'],
]; // prettier-ignore

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));

/** A copy of what the hunt needs, with one file changed. */
function copyWith(path: string, text: string): string {
  const copy = mkdtempSync(join(folder, 'copy-'));
  for (const part of ['src', 'test/model', 'package.json']) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, 'src', path), text);
  return copy;
}

const [wanted = ''] = process.argv.slice(2);
let survivors = 0;
let misfits = 0;
for (const [name, path, from, to] of MUTANTS) {
  if (!name.includes(wanted)) continue;
  const source = readFileSync(join(ROOT, 'src', path), 'utf8');
  if (source.split(from).length !== 2) {
    misfits++;
    console.log(`no longer fits  ${name} (${path})`);
    continue;
  }
  const copy = copyWith(
    path,
    source.replace(from, () => to),
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ['test/model/hunt.ts'], { cwd: copy, encoding: 'utf8' });
  const isKilled = status === 1 && stdout !== '';
  if (!isKilled) survivors++;
  console.log(`${isKilled ? 'killed  ' : 'SURVIVED'}  ${name}: ${(stdout || stderr).split('\n')[0]}`);
  rmSync(copy, { recursive: true, force: true });
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = misfits > 0 ? 2 : survivors > 0 ? 1 : 0;
