/** The small line of a table of the exchange's page. The script of the page, which comes after it, calls it. */
'use strict';
{
  const SVG = 'http://www.w3.org/2000/svg';

  /** Draws `values`, the oldest first, in a cell. */
  globalThis.drawSpark = (cell, values) => {
    let svg = cell.firstElementChild;
    if (svg === null) {
      svg = document.createElementNS(SVG, 'svg');
      svg.setAttribute('viewBox', '0 0 76 20');
      svg.setAttribute('aria-hidden', 'true');
      svg.append(document.createElementNS(SVG, 'polyline'));
      cell.append(svg);
    }
    const low = Math.min(...values);
    const range = Math.max(...values) - low;
    const y = (value) => (range === 0 ? 10 : 18 - ((value - low) / range) * 16).toFixed(1);
    const step = 74 / Math.max(1, values.length - 1);
    const points = values.length < 2 ? '' : values.map((value, k) => `${(1 + k * step).toFixed(1)},${y(value)}`).join(' ');
    svg.firstElementChild.setAttribute('points', points);
    const rise = values[values.length - 1] - values[0];
    svg.setAttribute('class', `spark ${rise > 0 ? 'up' : rise < 0 ? 'down' : ''}`);
  };
}
