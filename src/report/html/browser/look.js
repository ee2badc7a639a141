/* What the charts share: the data of the page, the colours of its scheme, how their figures are written, and when everything is drawn again. */
'use strict';
{
  const data = JSON.parse(document.getElementById('data').textContent);
  const root = document.documentElement;
  const redraws = [];
  const colors = {};

  const group = (text) => grouped(text, ',');

  /** At least two decimals; more for small values. */
  function amount(value) {
    if (value === null || value === undefined) return '–';
    const size = Math.abs(value);
    const text = size > 0 && size < 0.01 ? String(Number(value.toPrecision(2))) : value.toFixed(2);
    return minus(group(text));
  }

  function share(value) {
    if (value === null || value === undefined) return '–';
    const size = Math.abs(value) * 100;
    const digits = size === 0 || size >= 10 ? 1 : size >= 0.1 ? 2 : size >= 0.01 ? 3 : 4;
    return `${minus((value * 100).toFixed(digits))} %`;
  }

  function shortSpan(ms) {
    const units = [
      ['d', 86_400_000],
      ['h', 3_600_000],
      ['m', 60_000],
      ['s', 1000],
      ['ms', 1],
    ];
    const [name, length] = units.find(([, one]) => ms >= one) || ['ms', 1];
    return `${Number((ms / length).toPrecision(3))}${name}`;
  }

  const moment = (seconds) => `${date(seconds * 1000)} ${clock(seconds * 1000)}`;

  function redraw() {
    readColors(colors);
    for (const one of redraws) one();
  }

  readColors(colors);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  let width = innerWidth;
  let waiting = 0;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(redraw);
  });
  // A printed page is light, and as wide as its paper.
  let closed = [];
  addEventListener('beforeprint', () => {
    root.dataset.print = 'yes';
    closed = [...document.querySelectorAll('#notes details:not([open])')];
    for (const one of closed) one.open = true;
    document.body.style.width = '700px';
    redraw();
  });
  addEventListener('afterprint', () => {
    delete root.dataset.print;
    for (const one of closed) one.open = false;
    document.body.style.width = '';
    redraw();
  });

  window.report = { data, colors, amount, share, shortSpan, moment, group, onRedraw: (one) => redraws.push(one), drawn: 0 };
}
