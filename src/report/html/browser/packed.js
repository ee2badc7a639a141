/* Reads the bars and lines that a report packs into a page: see src/report/market/packed-bars.ts. */
'use strict';
{
  /** Reads whole numbers one after the other. */
  function reader(text) {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    let at = 0;
    const whole = () => {
      let value = 0;
      for (let place = 1; ; place *= 128) {
        const byte = bytes[at++];
        value += (byte % 128) * place;
        if (byte < 128) return value;
      }
    };
    const signed = () => {
      const value = whole();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    };
    return { whole, signed, isLeft: () => at < bytes.length };
  }

  /** Columns of bars: times in milliseconds, prices. */
  function unpackedBars({ barMs, from, decimals, bars }) {
    const columns = { barMs, time: [], open: [], high: [], low: [], close: [] };
    const { whole, signed, isLeft } = reader(bars);
    const unit = 10 ** decimals;
    let next = Math.floor(from / barMs) * barMs;
    let last = 0;
    while (isLeft()) {
      const start = next + whole() * barMs;
      const open = last + signed();
      const close = open + signed();
      columns.time.push(start);
      columns.open.push(open / unit);
      columns.close.push(close / unit);
      columns.high.push((Math.max(open, close) + whole()) / unit);
      columns.low.push((Math.min(open, close) - whole()) / unit);
      next = start + barMs;
      last = close;
    }
    return columns;
  }

  /** Columns of the points of a line. */
  function unpackedPoints({ from, decimals, points }, barMs) {
    const columns = { time: [], value: [] };
    const { whole, signed, isLeft } = reader(points);
    let next = from;
    let last = 0;
    while (isLeft()) {
      const start = next + whole() * barMs;
      last += signed();
      columns.time.push(start);
      columns.value.push(last / 10 ** decimals);
      next = start + barMs;
    }
    return columns;
  }

  Object.assign(window.report, { unpackedBars, unpackedPoints });
}
