/* The bars of a market at each zoom: of the whole run, finer ones of it, and the finest around some trades. */
'use strict';
{
  const { unpackedBars } = window.report;
  /** Most bars of the whole run in sight before the coarser ones are shown. */
  const SIGHT_MAX = 1_500;

  /** Index of the last of sorted times that is not after `ms`; 0 if all are. */
  function lastUntil(times, ms) {
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= ms) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Gives columns of bars, unpacked when they are first asked for. */
  const levelsOf = ({ whole, windows }) => {
    const cache = new Map();
    const unpack = (packed) => {
      if (!cache.has(packed)) cache.set(packed, { ...unpackedBars(packed), from: packed.from, to: packed.to });
      return cache.get(packed);
    };
    const [coarse, finer = coarse] = whole;
    return {
      coarse: unpack(coarse),
      /** The finest bars for what is in sight, milliseconds; `shown` are those that are shown now. */
      for(from, to, shown) {
        const slack = (packed) => (unpack(packed) === shown ? (to - from) * 0.02 : 0);
        const around = windows.filter((one) => one.from - slack(one) <= from && one.to + slack(one) >= to);
        const [finest] = around.sort((a, b) => a.barMs - b.barMs || a.to - a.from - (b.to - b.from));
        if (finest !== undefined) return unpack(finest);
        return (to - from) / finer.barMs <= SIGHT_MAX ? unpack(finer) : unpack(coarse);
      },
      isNear: ({ from, to }) => windows.some((one) => one.from <= from && one.to >= to),
    };
  };

  /** The place of a time on the axis of these bars, also beyond their ends; and the time of a place. */
  function placeOf({ time, barMs }, ms) {
    const k = lastUntil(time, ms);
    const beyond = (ms - time[k]) / barMs;
    return k + (k < time.length - 1 ? Math.min(beyond, 1) : beyond);
  }
  function timeOf({ time, barMs }, place) {
    const k = Math.min(time.length - 1, Math.max(0, Math.floor(place)));
    return time[k] + (place - k) * barMs;
  }

  /** The points of a line on these bars: its last value in each; of longer ones at the bar in which they end. The last before a gap is marked. */
  function pointsOn({ time, from, to }, line) {
    const points = new Map();
    const longest = (line.longest ??= longestStep(line.time));
    for (const [k, start] of line.time.entries()) {
      const end = start + line.barMs - 1;
      if (end < from || end >= to) continue;
      const at = time[lastUntil(time, end)] / 1000;
      const next = line.time[k + 1];
      points.set(at, { time: at, value: line.value[k], isLast: next - start > longest || line.breaks.has(next) });
    }
    return [...points.values()].sort((a, b) => a.time - b.time);
  }

  window.report.levels = { lastUntil, levelsOf, placeOf, timeOf, pointsOn };
}
