/**
 * Patterns of three bars.
 * @hot
 */
import type { Window } from './window.ts';

export function twoCrows(b: Window): number {
  if (!(b.isWhite(2) && b.isLong(2) && b.isBlack(1) && b.isGapUp(1, 2) && b.isBlack(0))) return 0;
  const isInside = b.open(0) < b.open(1) && b.open(0) > b.close(1);
  return isInside && b.close(0) > b.open(2) && b.close(0) < b.close(2) ? -100 : 0;
}

export function threeInside(b: Window): number {
  if (!(b.isLong(2) && b.isShort(1) && b.top(1) < b.top(2) && b.bottom(1) > b.bottom(2))) return 0;
  if (b.color(0) === b.color(2)) return 0;
  return (b.isWhite(2) ? b.close(0) < b.open(2) : b.close(0) > b.open(2)) ? -b.color(2) * 100 : 0;
}

export function threeOutside(b: Window): number {
  if (b.color(1) === b.color(2)) return 0;
  if (!(b.top(1) > b.top(2) && b.bottom(1) < b.bottom(2))) return 0;
  return (b.isWhite(1) ? b.close(0) > b.close(1) : b.close(0) < b.close(1)) ? b.color(1) * 100 : 0;
}

export function threeStarsInSouth(b: Window): number {
  if (!(b.isBlack(2) && b.isBlack(1) && b.isBlack(0))) return 0;
  if (!(b.isLong(2) && b.lower(2) > b.body(2) && b.body(1) < b.body(2))) return 0;
  if (!(b.open(1) > b.close(2) && b.open(1) <= b.high(2) && b.low(1) < b.close(2) && b.low(1) >= b.low(2))) return 0;
  if (!(b.lower(1) > b.noShadow(1) && b.isShorter(0) && b.hasNoLower(0) && b.hasNoUpper(0))) return 0;
  return b.low(0) > b.low(1) && b.high(0) < b.high(1) ? 100 : 0;
}

/** Three white bars, each with a higher close, that open within or near the body before. */
function isAdvance(b: Window): boolean {
  if (!(b.isWhite(2) && b.isWhite(1) && b.isWhite(0) && b.close(0) > b.close(1) && b.close(1) > b.close(2))) return false;
  return b.open(1) > b.open(2) && b.open(1) <= b.close(2) + b.near(2);
}

function opensInside(b: Window): boolean {
  return b.open(0) > b.open(1) && b.open(0) <= b.close(1) + b.near(1);
}

export function threeWhiteSoldiers(b: Window): number {
  if (!(isAdvance(b) && opensInside(b) && b.hasNoUpper(2) && b.hasNoUpper(1) && b.hasNoUpper(0))) return 0;
  return b.body(1) > b.body(2) - b.far(2) && b.body(0) > b.body(1) - b.far(1) && b.isLong(0) ? 100 : 0;
}

export function advanceblock(b: Window): number {
  if (!(isAdvance(b) && opensInside(b) && b.isLong(2) && b.upper(2) < b.shortShadow(2))) return 0;
  const first = b.body(2);
  const second = b.body(1);
  const third = b.body(0);
  if (second < first - b.far(2) && third < second + b.near(1)) return -100;
  if (third < second - b.far(1)) return -100;
  if (third >= second) return 0;
  const hasShadow = b.upper(0) > b.shortShadow(0) || b.upper(1) > b.shortShadow(1);
  return (second < first && hasShadow) || b.upper(0) > third ? -100 : 0;
}

export function stalledpattern(b: Window): number {
  if (!(isAdvance(b) && b.isLong(2) && b.isLong(1) && b.hasNoUpper(1))) return 0;
  return b.isShorter(0) && b.open(0) >= b.close(1) - b.body(0) - b.near(1) ? -100 : 0;
}

/** A long bar, a small one beyond a gap, and one back into the first; what small is, the caller says. */
function turn(b: Window, isSmall: boolean, color: number, penetration: number): boolean {
  if (!(isSmall && b.isLong(2) && b.color(2) === -color && b.color(0) === color && b.isLong(0))) return false;
  if (color < 0) return b.isGapUp(1, 2) && b.close(0) < b.close(2) - b.body(2) * penetration;
  return b.isGapDown(1, 2) && b.close(0) > b.close(2) + b.body(2) * penetration;
}

export function eveningstar(b: Window, penetration: number): number {
  return turn(b, b.isShort(1), -1, penetration) ? -100 : 0;
}

export function eveningdojistar(b: Window, penetration: number): number {
  return turn(b, b.isDoji(1), -1, penetration) ? -100 : 0;
}

export function morningstar(b: Window, penetration: number): number {
  return turn(b, b.isShort(1), 1, penetration) ? 100 : 0;
}

export function morningdojistar(b: Window, penetration: number): number {
  return turn(b, b.isDoji(1), 1, penetration) ? 100 : 0;
}

export function abandonedbaby(b: Window, penetration: number): number {
  if (!(b.isLong(2) && b.isDoji(1) && b.isLong(0) && b.color(0) === -b.color(2))) return 0;
  const depth = b.body(2) * penetration;
  const isFound = b.isWhite(2)
    ? b.close(0) < b.close(2) - depth && b.isWholeGapUp(1, 2) && b.isWholeGapDown(0, 1)
    : b.close(0) > b.close(2) + depth && b.isWholeGapDown(1, 2) && b.isWholeGapUp(0, 1);
  return isFound ? b.color(0) * 100 : 0;
}

export function gapsidesidewhite(b: Window): number {
  const isUp = b.isGapUp(1, 2) && b.isGapUp(0, 2);
  if (!isUp && !(b.isGapDown(1, 2) && b.isGapDown(0, 2))) return 0;
  if (!(b.isWhite(1) && b.isWhite(0) && b.isEqual(b.open(0), b.open(1), 1))) return 0;
  const near = b.near(1);
  return b.body(0) >= b.body(1) - near && b.body(0) <= b.body(1) + near ? (isUp ? 100 : -100) : 0;
}

export function identicalThreeCrows(b: Window): number {
  if (!(b.isBlack(2) && b.isBlack(1) && b.isBlack(0) && b.close(2) > b.close(1) && b.close(1) > b.close(0))) return 0;
  if (!(b.hasNoLower(2) && b.hasNoLower(1) && b.hasNoLower(0))) return 0;
  return b.isEqual(b.open(1), b.close(2), 2) && b.isEqual(b.open(0), b.close(1), 1) ? -100 : 0;
}

export function sticksandwich(b: Window): number {
  const isShaped = b.isBlack(2) && b.isWhite(1) && b.isBlack(0) && b.low(1) > b.close(2);
  return isShaped && b.isEqual(b.close(0), b.close(2), 2) ? 100 : 0;
}

export function tasukigap(b: Window): number {
  if (!(b.color(0) === -b.color(1) && Math.abs(b.body(1) - b.body(0)) < b.near(1))) return 0;
  if (!(b.open(0) < b.top(1) && b.open(0) > b.bottom(1))) return 0;
  const isFound = b.isWhite(1)
    ? b.isGapUp(1, 2) && b.close(0) < b.open(1) && b.close(0) > b.top(2)
    : b.isGapDown(1, 2) && b.close(0) > b.open(1) && b.close(0) < b.bottom(2);
  return isFound ? b.color(1) * 100 : 0;
}

/** Three dojis; all are measured by the bars before the first. */
export function tristar(b: Window): number {
  const most = 0.1 * b.meanRange(2, 10);
  if (!(b.body(2) <= most && b.body(1) <= most && b.body(0) <= most)) return 0;
  if (b.isGapUp(1, 2) && b.top(0) < b.top(1)) return -100;
  return b.isGapDown(1, 2) && b.bottom(0) > b.bottom(1) ? 100 : 0;
}

export function uniqueThreeRiver(b: Window): number {
  if (!(b.isLong(2) && b.isBlack(2) && b.isBlack(1) && b.close(1) > b.close(2) && b.open(1) <= b.open(2))) return 0;
  return b.low(1) < b.low(2) && b.isShorter(0) && b.isWhite(0) && b.open(0) > b.low(1) ? 100 : 0;
}

export function upsideGapTwoCrows(b: Window): number {
  if (!(b.isWhite(2) && b.isLong(2) && b.isBlack(1) && b.isShort(1) && b.isGapUp(1, 2) && b.isBlack(0))) return 0;
  return b.open(0) > b.open(1) && b.close(0) < b.close(1) && b.close(0) > b.close(2) ? -100 : 0;
}

export function xsideGapThreeMethods(b: Window): number {
  if (!(b.color(2) === b.color(1) && b.color(1) === -b.color(0))) return 0;
  if (!(b.open(0) < b.top(1) && b.open(0) > b.bottom(1) && b.close(0) < b.top(2) && b.close(0) > b.bottom(2))) return 0;
  return (b.isWhite(2) ? b.isGapUp(1, 2) : b.isGapDown(1, 2)) ? b.color(2) * 100 : 0;
}

/** An inside bar, then one whose high and low lie both lower or both higher. */
export function hikkake(b: Window): number {
  if (!(b.high(1) < b.high(2) && b.low(1) > b.low(2))) return 0;
  if (b.high(0) < b.high(1) && b.low(0) < b.low(1)) return 100;
  return b.high(0) > b.high(1) && b.low(0) > b.low(1) ? -100 : 0;
}
