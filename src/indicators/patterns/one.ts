/**
 * Patterns of one bar, with what came before it.
 * @hot
 */
import type { Window } from './window.ts';

export function belthold(b: Window): number {
  return b.isLong(0) && (b.isWhite(0) ? b.hasNoLower(0) : b.hasNoUpper(0)) ? b.color(0) * 100 : 0;
}

export function closingmarubozu(b: Window): number {
  return b.isLong(0) && (b.isWhite(0) ? b.hasNoUpper(0) : b.hasNoLower(0)) ? b.color(0) * 100 : 0;
}

export function doji(b: Window): number {
  return b.isDoji(0) ? 100 : 0;
}

export function dragonflydoji(b: Window): number {
  return b.isDoji(0) && b.hasNoUpper(0) && b.lower(0) > b.noShadow(0) ? 100 : 0;
}

export function gravestonedoji(b: Window): number {
  return b.isDoji(0) && b.hasNoLower(0) && b.upper(0) > b.noShadow(0) ? 100 : 0;
}

export function hammer(b: Window): number {
  const isShaped = b.isShorter(0) && b.lower(0) > b.body(0) && b.hasNoUpper(0);
  return isShaped && b.bottom(0) <= b.low(1) + b.near(1) ? 100 : 0;
}

export function hangingman(b: Window): number {
  const isShaped = b.isShorter(0) && b.lower(0) > b.body(0) && b.hasNoUpper(0);
  return isShaped && b.bottom(0) >= b.high(1) - b.near(1) ? -100 : 0;
}

export function highwave(b: Window): number {
  const long = 2 * b.body(0);
  return b.isShorter(0) && b.upper(0) > long && b.lower(0) > long ? b.color(0) * 100 : 0;
}

export function invertedhammer(b: Window): number {
  return b.isShorter(0) && b.upper(0) > b.body(0) && b.hasNoLower(0) && b.isGapDown(0, 1) ? 100 : 0;
}

export function shootingstar(b: Window): number {
  return b.isShorter(0) && b.upper(0) > b.body(0) && b.hasNoLower(0) && b.isGapUp(0, 1) ? -100 : 0;
}

export function longleggeddoji(b: Window): number {
  return b.isDoji(0) && (b.lower(0) > b.body(0) || b.upper(0) > b.body(0)) ? 100 : 0;
}

export function longline(b: Window): number {
  const short = b.shortShadow(0);
  return b.isLong(0) && b.upper(0) < short && b.lower(0) < short ? b.color(0) * 100 : 0;
}

export function shortline(b: Window): number {
  const short = b.shortShadow(0);
  return b.isShorter(0) && b.upper(0) < short && b.lower(0) < short ? b.color(0) * 100 : 0;
}

export function marubozu(b: Window): number {
  return b.isLong(0) && b.hasNoUpper(0) && b.hasNoLower(0) ? b.color(0) * 100 : 0;
}

export function rickshawman(b: Window): number {
  if (!(b.isDoji(0) && b.lower(0) > b.body(0) && b.upper(0) > b.body(0))) return 0;
  const middle = b.low(0) + b.range(0) / 2;
  return b.bottom(0) <= middle + b.near(0) && b.top(0) >= middle - b.near(0) ? 100 : 0;
}

export function spinningtop(b: Window): number {
  return b.isShorter(0) && b.upper(0) > b.body(0) && b.lower(0) > b.body(0) ? b.color(0) * 100 : 0;
}

export function takuri(b: Window): number {
  return b.isDoji(0) && b.hasNoUpper(0) && b.lower(0) > 2 * b.body(0) ? 100 : 0;
}
