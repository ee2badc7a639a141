/** Candlestick patterns: 100 bullish, −100 bearish, 0 nothing. size: one row after the other, nothing to divide. TA-Lib's definitions with its default settings. */
import { indicator, type IndicatorFunction } from '../core/define-indicator.ts';
import type { BarKernel } from '../core/inputs.ts';
import { decimal, type NumberParam } from '../core/params.ts';
import {
  belthold,
  closingmarubozu,
  doji,
  dragonflydoji,
  gravestonedoji,
  hammer,
  hangingman,
  highwave,
  invertedhammer,
  longleggeddoji,
  longline,
  marubozu,
  rickshawman,
  shootingstar,
  shortline,
  spinningtop,
  takuri,
} from '../patterns/one.ts';
import {
  counterattack,
  darkcloudcover,
  dojistar,
  engulfing,
  harami,
  haramicross,
  homingpigeon,
  inneck,
  kicking,
  kickingbylength,
  matchinglow,
  onneck,
  piercing,
  separatinglines,
  thrusting,
} from '../patterns/two.ts';
import {
  abandonedbaby,
  advanceblock,
  eveningdojistar,
  eveningstar,
  gapsidesidewhite,
  hikkake,
  identicalThreeCrows,
  morningdojistar,
  morningstar,
  stalledpattern,
  sticksandwich,
  tasukigap,
  threeInside,
  threeOutside,
  threeStarsInSouth,
  threeWhiteSoldiers,
  tristar,
  twoCrows,
  uniqueThreeRiver,
  upsideGapTwoCrows,
  xsideGapThreeMethods,
} from '../patterns/three.ts';
import {
  breakaway,
  concealbabyswall,
  hikkakemod,
  ladderbottom,
  mathold,
  risefallThreeMethods,
  threeBlackCrows,
  threeLineStrike,
} from '../patterns/more.ts';
import { confirmed, pattern } from '../patterns/pattern.ts';

type Kernel = new (penetration?: number) => BarKernel;

function rowOf(name: string, title: string, formula: string, kernel: Kernel) {
  const talib = name.toUpperCase();
  return { name, title, family: 'patterns', input: 'bar', outputs: ['value'], formula, source: `TA-Lib ${talib}`, talib, kernel } as const;
}

function plain(name: string, title: string, formula: string, kernel: Kernel): IndicatorFunction<'bar', readonly [], 'value'> {
  return indicator({ ...rowOf(name, title, formula, kernel), params: [] });
}

/** Patterns that ask how deep a close lies in the first body, as a share of it. */
function deep(
  name: string,
  title: string,
  formula: string,
  depth: number,
  kernel: Kernel,
): IndicatorFunction<'bar', readonly [NumberParam<'penetration'>], 'value'> {
  return indicator({ ...rowOf(name, title, formula, kernel), params: [decimal('penetration', depth, 0, 1e6)] });
}

export const cdl2crows = plain(
  'cdl2crows',
  'Two crows',
  'a long white bar, a black one above a gap, a black one that closes within the first body',
  pattern(12, twoCrows),
);
export const cdl3blackcrows = plain(
  'cdl3blackcrows',
  'Three black crows',
  'three black bars without lower shadows that open within the body before and close lower',
  pattern(13, threeBlackCrows),
);
export const cdl3inside = plain(
  'cdl3inside',
  'Three inside',
  'a long bar, a short one within it, a close beyond the open of the first',
  pattern(12, threeInside),
);
export const cdl3linestrike = plain(
  'cdl3linestrike',
  'Three line strike',
  'three bars of one colour with closes in one direction, a fourth beyond the open of the first',
  pattern(8, threeLineStrike),
);
export const cdl3outside = plain(
  'cdl3outside',
  'Three outside',
  'a body that engulfs the one before, then a close further on',
  pattern(3, threeOutside),
);
export const cdl3starsinsouth = plain(
  'cdl3starsinsouth',
  'Three stars in the south',
  'three black bars, each smaller and with a higher low',
  pattern(12, threeStarsInSouth),
);
export const cdl3whitesoldiers = plain(
  'cdl3whitesoldiers',
  'Three white soldiers',
  'three white bars without upper shadows, of similar size, each closing higher',
  pattern(12, threeWhiteSoldiers),
);
export const cdlabandonedbaby = deep(
  'cdlabandonedbaby',
  'Abandoned baby',
  'a long bar, a doji beyond a whole gap, a bar back beyond a whole gap',
  0.3,
  pattern(12, abandonedbaby),
);
export const cdladvanceblock = plain(
  'cdladvanceblock',
  'Advance block',
  'three white bars with higher closes that weaken',
  pattern(12, advanceblock),
);
export const cdlbelthold = plain('cdlbelthold', 'Belt hold', 'a long bar without shadow at its open', pattern(10, belthold));
export const cdlbreakaway = plain(
  'cdlbreakaway',
  'Breakaway',
  'a long bar, a gap, two further bars, then a close back into the gap',
  pattern(14, breakaway),
);
export const cdlclosingmarubozu = plain(
  'cdlclosingmarubozu',
  'Closing marubozu',
  'a long bar without shadow at its close',
  pattern(10, closingmarubozu),
);
export const cdlconcealbabyswall = plain(
  'cdlconcealbabyswall',
  'Concealing baby swallow',
  'two black marubozus, a black bar below a gap with an upper shadow, a black bar around it',
  pattern(13, concealbabyswall),
);
export const cdlcounterattack = plain(
  'cdlcounterattack',
  'Counterattack',
  'two long bars of opposite colour that close at the same price',
  pattern(11, counterattack),
);
export const cdldarkcloudcover = deep(
  'cdldarkcloudcover',
  'Dark cloud cover',
  'a long white bar, a black one that opens above its high and closes deep in its body',
  0.5,
  pattern(11, darkcloudcover),
);
export const cdldoji = plain('cdldoji', 'Doji', 'open and close at about the same price', pattern(10, doji));
export const cdldojistar = plain('cdldojistar', 'Doji star', 'a long bar, a doji beyond a gap', pattern(11, dojistar));
export const cdldragonflydoji = plain(
  'cdldragonflydoji',
  'Dragonfly doji',
  'a doji at the high of the bar, with a lower shadow',
  pattern(10, dragonflydoji),
);
export const cdlengulfing = plain(
  'cdlengulfing',
  'Engulfing',
  'a body that holds the body before, of the other colour',
  pattern(2, engulfing),
);
export const cdleveningdojistar = deep(
  'cdleveningdojistar',
  'Evening doji star',
  'a long white bar, a doji above a gap, a black bar into the first body',
  0.3,
  pattern(12, eveningdojistar),
);
export const cdleveningstar = deep(
  'cdleveningstar',
  'Evening star',
  'a long white bar, a short one above a gap, a black bar into the first body',
  0.3,
  pattern(12, eveningstar),
);
export const cdlgapsidesidewhite = plain(
  'cdlgapsidesidewhite',
  'Side by side white lines',
  'two white bars of the same open and size beyond a gap',
  pattern(7, gapsidesidewhite),
);
export const cdlgravestonedoji = plain(
  'cdlgravestonedoji',
  'Gravestone doji',
  'a doji at the low of the bar, with an upper shadow',
  pattern(10, gravestonedoji),
);
export const cdlhammer = plain('cdlhammer', 'Hammer', 'a small body with a long lower shadow near the low before', pattern(11, hammer));
export const cdlhangingman = plain(
  'cdlhangingman',
  'Hanging man',
  'a small body with a long lower shadow near the high before',
  pattern(11, hangingman),
);
export const cdlharami = plain('cdlharami', 'Harami', 'a long body, then a short one within it', pattern(11, harami));
export const cdlharamicross = plain('cdlharamicross', 'Harami cross', 'a long body, then a doji within it', pattern(11, haramicross));
export const cdlhighwave = plain('cdlhighwave', 'High wave', 'a short body with very long shadows', pattern(10, highwave));
export const cdlhikkake = plain(
  'cdlhikkake',
  'Hikkake',
  'an inside bar, then a false break; ±200 when one of three further closes confirms it',
  confirmed(5, 2, hikkake),
);
export const cdlhikkakemod = plain(
  'cdlhikkakemod',
  'Modified hikkake',
  'two inside bars, then a false break; ±200 when one of three further closes confirms it',
  confirmed(10, 7, hikkakemod),
);
export const cdlhomingpigeon = plain(
  'cdlhomingpigeon',
  'Homing pigeon',
  'a long black body, then a short black one within it',
  pattern(11, homingpigeon),
);
export const cdlidentical3crows = plain(
  'cdlidentical3crows',
  'Identical three crows',
  'three black bars, each opening at the close before',
  pattern(12, identicalThreeCrows),
);
export const cdlinneck = plain(
  'cdlinneck',
  'In neck',
  'a long black bar, a white one from below its low to just its close',
  pattern(11, inneck),
);
export const cdlinvertedhammer = plain(
  'cdlinvertedhammer',
  'Inverted hammer',
  'a small body with a long upper shadow below a gap',
  pattern(11, invertedhammer),
);
export const cdlkicking = plain(
  'cdlkicking',
  'Kicking',
  'two marubozus of opposite colour with a whole gap between them',
  pattern(11, kicking),
);
export const cdlkickingbylength = plain(
  'cdlkickingbylength',
  'Kicking by length',
  'as kicking; the longer body decides',
  pattern(11, kickingbylength),
);
export const cdlladderbottom = plain(
  'cdlladderbottom',
  'Ladder bottom',
  'three falling black bars, a fourth with an upper shadow, a white one above it',
  pattern(14, ladderbottom),
);
export const cdllongleggeddoji = plain('cdllongleggeddoji', 'Long legged doji', 'a doji with a long shadow', pattern(10, longleggeddoji));
export const cdllongline = plain('cdllongline', 'Long line', 'a long body with short shadows', pattern(10, longline));
export const cdlmarubozu = plain('cdlmarubozu', 'Marubozu', 'a long body without shadows', pattern(10, marubozu));
export const cdlmatchinglow = plain(
  'cdlmatchinglow',
  'Matching low',
  'two black bars that close at the same price',
  pattern(6, matchinglow),
);
export const cdlmathold = deep(
  'cdlmathold',
  'Mat hold',
  'a long white bar, a gap up, three small bars that hold above half of it, a new high',
  0.5,
  pattern(14, mathold),
);
export const cdlmorningdojistar = deep(
  'cdlmorningdojistar',
  'Morning doji star',
  'a long black bar, a doji below a gap, a white bar into the first body',
  0.3,
  pattern(12, morningdojistar),
);
export const cdlmorningstar = deep(
  'cdlmorningstar',
  'Morning star',
  'a long black bar, a short one below a gap, a white bar into the first body',
  0.3,
  pattern(12, morningstar),
);
export const cdlonneck = plain('cdlonneck', 'On neck', 'a long black bar, a white one from below its low to its low', pattern(11, onneck));
export const cdlpiercing = plain(
  'cdlpiercing',
  'Piercing',
  'a long black bar, a long white one from below its low to above its middle',
  pattern(11, piercing),
);
export const cdlrickshawman = plain(
  'cdlrickshawman',
  'Rickshaw man',
  'a doji in the middle of a bar with long shadows',
  pattern(10, rickshawman),
);
export const cdlrisefall3methods = plain(
  'cdlrisefall3methods',
  'Rising and falling three methods',
  'a long bar, three small ones against it within its range, a long one beyond its close',
  pattern(14, risefallThreeMethods),
);
export const cdlseparatinglines = plain(
  'cdlseparatinglines',
  'Separating lines',
  'two bars of opposite colour with the same open',
  pattern(11, separatinglines),
);
export const cdlshootingstar = plain(
  'cdlshootingstar',
  'Shooting star',
  'a small body with a long upper shadow above a gap',
  pattern(11, shootingstar),
);
export const cdlshortline = plain('cdlshortline', 'Short line', 'a short body with short shadows', pattern(10, shortline));
export const cdlspinningtop = plain('cdlspinningtop', 'Spinning top', 'a short body with longer shadows', pattern(10, spinningtop));
export const cdlstalledpattern = plain(
  'cdlstalledpattern',
  'Stalled pattern',
  'two long white bars, a short one at the top',
  pattern(12, stalledpattern),
);
export const cdlsticksandwich = plain(
  'cdlsticksandwich',
  'Stick sandwich',
  'a white bar between two black ones that close at the same price',
  pattern(7, sticksandwich),
);
export const cdltakuri = plain('cdltakuri', 'Takuri', 'a doji with a very long lower shadow and no upper one', pattern(10, takuri));
export const cdltasukigap = plain(
  'cdltasukigap',
  'Tasuki gap',
  'a gap, then a bar of the other colour that closes into it',
  pattern(7, tasukigap),
);
export const cdlthrusting = plain(
  'cdlthrusting',
  'Thrusting',
  'a long black bar, a white one from below its low to below its middle',
  pattern(11, thrusting),
);
export const cdltristar = plain('cdltristar', 'Tristar', 'three dojis, the middle one beyond a gap', pattern(12, tristar));
export const cdlunique3river = plain(
  'cdlunique3river',
  'Unique three river',
  'a long black bar, a black one with a lower low within it, a small white one',
  pattern(12, uniqueThreeRiver),
);
export const cdlupsidegap2crows = plain(
  'cdlupsidegap2crows',
  'Upside gap two crows',
  'a long white bar, a small black one above a gap, a black one around it above the first close',
  pattern(12, upsideGapTwoCrows),
);
export const cdlxsidegap3methods = plain(
  'cdlxsidegap3methods',
  'Gap three methods',
  'two bars of one colour with a gap, a third that closes it',
  pattern(2, xsideGapThreeMethods),
);
