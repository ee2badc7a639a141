/**
 * Patterns of two bars.
 * @hot
 */
import type { Window } from './window.ts';

export function counterattack(b: Window): number {
  const isTurn = b.color(1) === -b.color(0) && b.isLong(1) && b.isLong(0);
  return isTurn && b.isEqual(b.close(0), b.close(1), 1) ? b.color(0) * 100 : 0;
}

export function darkcloudcover(b: Window, penetration: number): number {
  if (!(b.isWhite(1) && b.isLong(1) && b.isBlack(0) && b.open(0) > b.high(1))) return 0;
  return b.close(0) > b.open(1) && b.close(0) < b.close(1) - b.body(1) * penetration ? -100 : 0;
}

export function dojistar(b: Window): number {
  if (!(b.isLong(1) && b.isDoji(0))) return 0;
  return (b.isWhite(1) ? b.isGapUp(0, 1) : b.isGapDown(0, 1)) ? -b.color(1) * 100 : 0;
}

/** 80 when one end of the bodies is the same. */
export function engulfing(b: Window): number {
  if (b.color(0) === b.color(1)) return 0;
  const isAround = b.top(0) >= b.top(1) && b.bottom(0) <= b.bottom(1) && (b.top(0) > b.top(1) || b.bottom(0) < b.bottom(1));
  if (!isAround) return 0;
  return b.color(0) * (b.open(0) !== b.close(1) && b.close(0) !== b.open(1) ? 100 : 80);
}

/** 80 when one end of the bodies is the same. */
function inside(b: Window): number {
  if (b.top(0) < b.top(1) && b.bottom(0) > b.bottom(1)) return -b.color(1) * 100;
  return b.top(0) <= b.top(1) && b.bottom(0) >= b.bottom(1) ? -b.color(1) * 80 : 0;
}

export function harami(b: Window): number {
  return b.isLong(1) && b.isShort(0) ? inside(b) : 0;
}

export function haramicross(b: Window): number {
  return b.isLong(1) && b.isDoji(0) ? inside(b) : 0;
}

export function homingpigeon(b: Window): number {
  const isSmall = b.isBlack(1) && b.isBlack(0) && b.isLong(1) && b.isShort(0);
  return isSmall && b.open(0) < b.open(1) && b.close(0) > b.close(1) ? 100 : 0;
}

/** A long black bar, then a white one that opens below its low. */
function opensBelow(b: Window): boolean {
  return b.isBlack(1) && b.isLong(1) && b.isWhite(0) && b.open(0) < b.low(1);
}

export function inneck(b: Window): number {
  return opensBelow(b) && b.isEqual(b.close(0), b.close(1), 1) && b.close(0) >= b.close(1) ? -100 : 0;
}

export function onneck(b: Window): number {
  return opensBelow(b) && b.isEqual(b.close(0), b.low(1), 1) ? -100 : 0;
}

export function thrusting(b: Window): number {
  if (!opensBelow(b)) return 0;
  const isAbove = b.close(0) > b.close(1) && !b.isEqual(b.close(0), b.close(1), 1);
  return isAbove && b.close(0) <= b.close(1) + b.body(1) * 0.5 ? -100 : 0;
}

export function piercing(b: Window): number {
  return opensBelow(b) && b.isLong(0) && b.close(0) < b.open(1) && b.close(0) > b.close(1) + b.body(1) * 0.5 ? 100 : 0;
}

function isKick(b: Window): boolean {
  if (!(b.color(1) === -b.color(0) && b.isLong(1) && b.isLong(0))) return false;
  if (!(b.hasNoUpper(1) && b.hasNoLower(1) && b.hasNoUpper(0) && b.hasNoLower(0))) return false;
  return b.isBlack(1) ? b.isWholeGapUp(0, 1) : b.isWholeGapDown(0, 1);
}

export function kicking(b: Window): number {
  return isKick(b) ? b.color(0) * 100 : 0;
}

export function kickingbylength(b: Window): number {
  return isKick(b) ? b.color(b.body(0) > b.body(1) ? 0 : 1) * 100 : 0;
}

export function matchinglow(b: Window): number {
  return b.isBlack(1) && b.isBlack(0) && b.isEqual(b.close(0), b.close(1), 1) ? 100 : 0;
}

export function separatinglines(b: Window): number {
  if (!(b.color(1) === -b.color(0) && b.isLong(0) && b.isEqual(b.open(0), b.open(1), 1))) return 0;
  return (b.isWhite(0) ? b.hasNoLower(0) : b.hasNoUpper(0)) ? b.color(0) * 100 : 0;
}
