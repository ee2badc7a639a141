/**
 * Patterns of four and five bars.
 * @hot
 */
import type { Window } from './window.ts';

export function threeBlackCrows(b: Window): number {
  if (!(b.isWhite(3) && b.isBlack(2) && b.isBlack(1) && b.isBlack(0) && b.high(3) > b.close(2))) return 0;
  if (!(b.hasNoLower(2) && b.hasNoLower(1) && b.hasNoLower(0) && b.close(2) > b.close(1) && b.close(1) > b.close(0))) return 0;
  const isSecond = b.open(1) < b.open(2) && b.open(1) > b.close(2);
  return isSecond && b.open(0) < b.open(1) && b.open(0) > b.close(1) ? -100 : 0;
}

function opensNear(b: Window, k: number): boolean {
  const near = b.near(k + 1);
  return b.open(k) >= b.bottom(k + 1) - near && b.open(k) <= b.top(k + 1) + near;
}

export function threeLineStrike(b: Window): number {
  const color = b.color(1);
  if (!(b.color(3) === color && b.color(2) === color && b.color(0) === -color && opensNear(b, 2) && opensNear(b, 1))) return 0;
  const isFound =
    color > 0
      ? b.close(1) > b.close(2) && b.close(2) > b.close(3) && b.open(0) > b.close(1) && b.close(0) < b.open(3)
      : b.close(1) < b.close(2) && b.close(2) < b.close(3) && b.open(0) < b.close(1) && b.close(0) > b.open(3);
  return isFound ? color * 100 : 0;
}

export function concealbabyswall(b: Window): number {
  if (!(b.isBlack(3) && b.isBlack(2) && b.isBlack(1) && b.isBlack(0))) return 0;
  if (!(b.hasNoLower(3) && b.hasNoUpper(3) && b.hasNoLower(2) && b.hasNoUpper(2))) return 0;
  if (!(b.isGapDown(1, 2) && b.upper(1) > b.noShadow(1) && b.high(1) > b.close(2))) return 0;
  return b.high(0) > b.high(1) && b.low(0) < b.low(1) ? 100 : 0;
}

/** Two bars, each inside the one before, then one whose high and low lie both lower or both higher. */
export function hikkakemod(b: Window): number {
  if (!(b.high(2) < b.high(3) && b.low(2) > b.low(3) && b.high(1) < b.high(2) && b.low(1) > b.low(2))) return 0;
  if (b.high(0) < b.high(1) && b.low(0) < b.low(1) && b.close(2) <= b.low(2) + b.near(2)) return 100;
  return b.high(0) > b.high(1) && b.low(0) > b.low(1) && b.close(2) >= b.high(2) - b.near(2) ? -100 : 0;
}

export function breakaway(b: Window): number {
  const color = b.color(4);
  if (!(b.isLong(4) && b.color(3) === color && b.color(1) === color && b.color(0) === -color)) return 0;
  const isFound =
    color < 0
      ? b.isGapDown(3, 4) && isLower(b, 2) && isLower(b, 1) && b.close(0) > b.open(3) && b.close(0) < b.close(4)
      : b.isGapUp(3, 4) && isHigher(b, 2) && isHigher(b, 1) && b.close(0) < b.open(3) && b.close(0) > b.close(4);
  return isFound ? b.color(0) * 100 : 0;
}

function isLower(b: Window, k: number): boolean {
  return b.high(k) < b.high(k + 1) && b.low(k) < b.low(k + 1);
}

function isHigher(b: Window, k: number): boolean {
  return b.high(k) > b.high(k + 1) && b.low(k) > b.low(k + 1);
}

export function ladderbottom(b: Window): number {
  if (!(b.isBlack(4) && b.isBlack(3) && b.isBlack(2) && b.isBlack(1) && b.isWhite(0))) return 0;
  if (!(b.open(4) > b.open(3) && b.open(3) > b.open(2) && b.close(4) > b.close(3) && b.close(3) > b.close(2))) return 0;
  return b.upper(1) > b.noShadow(1) && b.open(0) > b.open(1) && b.close(0) > b.high(1) ? 100 : 0;
}

export function mathold(b: Window, penetration: number): number {
  if (!(b.isWhite(4) && b.isBlack(3) && b.isWhite(0) && b.isGapUp(3, 4) && b.isLong(4))) return 0;
  if (!(b.isShorter(3) && b.isShorter(2) && b.isShorter(1))) return 0;
  const floor = b.close(4) - b.body(4) * penetration;
  if (!(b.bottom(2) < b.close(4) && b.bottom(1) < b.close(4) && b.bottom(2) > floor && b.bottom(1) > floor)) return 0;
  if (!(b.top(2) < b.open(3) && b.top(1) < b.top(2) && b.open(0) > b.close(1))) return 0;
  return b.close(0) > Math.max(b.high(3), b.high(2), b.high(1)) ? 100 : 0;
}

function liesWithin(b: Window, k: number): boolean {
  return b.bottom(k) < b.high(4) && b.top(k) > b.low(4);
}

export function risefallThreeMethods(b: Window): number {
  const color = b.color(4);
  if (!(b.color(3) === -color && b.color(2) === -color && b.color(1) === -color && b.color(0) === color)) return 0;
  if (!(b.isLong(4) && b.isShorter(3) && b.isShorter(2) && b.isShorter(1) && b.isLong(0))) return 0;
  if (!(liesWithin(b, 3) && liesWithin(b, 2) && liesWithin(b, 1))) return 0;
  if (!(b.close(2) * color < b.close(3) * color && b.close(1) * color < b.close(2) * color)) return 0;
  return b.open(0) * color > b.close(1) * color && b.close(0) * color > b.close(4) * color ? color * 100 : 0;
}
