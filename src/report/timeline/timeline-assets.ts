/** Style and script of the timeline page. The script runs in a browser: it writes every text of the session as text, never as markup. */

export const STYLE = `
:root { --ink: #1c2430; --soft: #5b6675; --line: #d5dbe3; --back: #fff; --panel: #f4f6f9; --buy: #0b7a4b; --sell: #b3261e; --fill: #7a4de0; --halt: #f2b8b566; --op: #1565c0; --price: #8692a3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #343d4a; --back: #14181e; --panel: #1d232c; --buy: #4cc38a; --sell: #ff8a80; --fill: #b79cff; --halt: #7a1f1a66; --op: #7ab8ff; --price: #77839a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1400px; padding: 12px; background: var(--back); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0; }
#session { margin: 0; overflow-wrap: anywhere; color: var(--soft); }
#facts { margin: 4px 0 10px; padding-left: 18px; overflow-wrap: anywhere; }
form { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; background: var(--panel); padding: 8px; border-radius: 6px; }
input, select, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 4px; padding: 3px 8px; min-height: 30px; }
input[type=checkbox] { min-height: 0; }
.zoom { display: flex; gap: 4px; }
#range, #count { color: var(--soft); margin: 8px 0 4px; }
canvas { width: 100%; height: 360px; display: block; border: 1px solid var(--line); border-radius: 6px; touch-action: pan-y; }
.key { color: var(--soft); margin: 6px 0; }
.key i { display: inline-block; width: 14px; height: 4px; margin: 0 5px 3px 10px; }
.key .price { background: var(--price); } .key .long { background: var(--buy); } .key .short { background: var(--sell); }
.key .fill { background: var(--fill); height: 8px; width: 8px; border-radius: 50%; margin-bottom: 1px; } .key .halted { background: var(--halt); height: 12px; margin-bottom: -1px; } .key .operator { background: var(--op); width: 3px; height: 12px; margin-bottom: -1px; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: 3px 6px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
th:nth-child(1) { width: 120px; } th:nth-child(2) { width: 90px; } th:nth-child(3) { width: 110px; } th:nth-child(4) { width: 70px; }
td:first-child { font-variant-numeric: tabular-nums; white-space: nowrap; }
td button { min-height: 0; padding: 0 6px; }
tr.fill td:nth-child(2) { color: var(--fill); } tr.halt td:nth-child(2), tr.outcome td:nth-child(2), tr.trouble td:nth-child(2), tr.difference td { color: var(--sell); } tr.operator td:nth-child(2) { color: var(--op); }
@media (max-width: 640px) {
  canvas { height: 260px; }
  thead { display: none; }
  tr { display: flex; flex-wrap: wrap; gap: 0 10px; border-bottom: 1px solid var(--line); padding: 4px 0; }
  td { border: 0; padding: 0; } td:last-child { width: 100%; }
}
`;

export const SCRIPT = `
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const $ = (id) => document.getElementById(id);
const MORE = 300;
let from = data.from, to = Math.max(data.to, data.from + 1), shown = MORE;
const clock = (t) => new Date(t).toISOString().slice(11, 23);
$('session').textContent = data.session;
for (const fact of data.facts) { const item = document.createElement('li'); item.textContent = fact; $('facts').append(item); }
for (const name of ['', ...data.symbols.map((one) => one.name)]) {
  const option = document.createElement('option');
  option.value = name; option.textContent = name || 'all';
  $('symbol').append(option);
}
const traded = new Map();
for (const order of data.orders) traded.set(order.symbol, (traded.get(order.symbol) || 0) + 1);
const ofChart = () => $('symbol').value || [...traded].sort((a, b) => b[1] - a[1]).map((one) => one[0])[0] || (data.symbols[0] || {}).name || '';
const lesser = new Set(['accepted', 'leg', 'note']);

function wanted() {
  const symbol = $('symbol').value, order = Number($('order').value), text = $('text').value.toLowerCase(), all = $('all').checked || order > 0;
  return data.rows.filter((row) => row[0] >= from && row[0] <= to && (all || !lesser.has(row[1])) && (symbol === '' || row[2] === '' || row[2] === symbol)
    && (!order || row[3] === order) && (text === '' || (row[1] + ' ' + row[4]).toLowerCase().includes(text)));
}

function table() {
  const rows = wanted();
  $('count').textContent = rows.length + ' entries between these times' + (rows.length > shown ? ', the first ' + shown + ' are shown' : '');
  $('rows').replaceChildren(...rows.slice(0, shown).map((row) => {
    const line = document.createElement('tr');
    line.className = row[1];
    const cells = [clock(row[0]), row[1], row[2], '', row[4]].map((text) => { const cell = document.createElement('td'); cell.textContent = text; return cell; });
    if (row[3] > 0) {
      const button = document.createElement('button');
      button.type = 'button'; button.textContent = row[3]; button.title = 'only this order';
      button.addEventListener('click', () => { $('order').value = row[3]; shown = MORE; draw(); });
      cells[3].append(button);
    }
    line.append(...cells);
    return line;
  }));
  $('more').hidden = rows.length <= shown;
}

function chart() {
  const canvas = $('chart'), ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio; canvas.height = height * ratio;
  const pen = canvas.getContext('2d'), look = getComputedStyle(document.documentElement), color = (name) => look.getPropertyValue(name);
  pen.scale(ratio, ratio); pen.font = '12px system-ui, sans-serif';
  const symbol = ofChart(), only = Number($('order').value), left = 70, bottom = 24, top = 10;
  const x = (t) => left + ((t - from) / (to - from)) * (width - left - 8);
  const line = (data.symbols.find((one) => one.name === symbol) || { prices: [] }).prices;
  const orders = data.orders.filter((one) => one.symbol === symbol && (!only || one.seq === only) && (one.to || data.to) >= from && one.from <= to);
  const points = line.filter((one, k) => (one[0] >= from || (line[k + 1] || [Infinity])[0] >= from) && one[0] <= to);
  const values = [...points.map((one) => one[1]), ...orders.flatMap((one) => [one.price, ...one.fills.map((fill) => fill[1])])].filter((one) => one > 0).sort((a, b) => a - b);
  // Orders far away do not press the rest flat.
  let low = values[Math.floor(values.length * 0.01)] || 0, high = values[Math.ceil(values.length * 0.99) - 1] || 1;
  for (const one of points) { low = Math.min(low, one[1]); high = Math.max(high, one[1]); }
  if (high <= low) { high = low * 1.0001 + 1e-9; low *= 0.9999; }
  const edge = (high - low) * 0.06; low -= edge; high += edge;
  const y = (price) => top + (1 - (Math.min(high, Math.max(low, price)) - low) / (high - low)) * (height - top - bottom);
  for (const halt of data.halts) {
    const end = halt.to || data.to;
    if (end < from || halt.from > to || (halt.symbol !== '' && halt.symbol !== symbol)) continue;
    pen.fillStyle = color('--halt'); pen.fillRect(Math.max(left, x(halt.from)), top, Math.max(1, Math.min(width - 8, x(end)) - Math.max(left, x(halt.from))), height - top - bottom);
  }
  pen.strokeStyle = color('--line'); pen.fillStyle = color('--soft'); pen.lineWidth = 1;
  for (let k = 0; k <= 4; k++) {
    const price = low + ((high - low) * k) / 4;
    pen.beginPath(); pen.moveTo(left, y(price)); pen.lineTo(width - 8, y(price)); pen.stroke();
    pen.fillText(price.toPrecision(7), 4, y(price) + 4);
  }
  const steps = Math.max(2, Math.floor(width / 160));
  for (let k = 0; k <= steps; k++) pen.fillText(clock(from + ((to - from) * k) / steps).slice(0, 8), Math.min(width - 56, x(from + ((to - from) * k) / steps)), height - 8);
  pen.strokeStyle = color('--price'); pen.beginPath();
  points.forEach((one, k) => { const px = Math.max(left, x(one[0])); if (k === 0) pen.moveTo(px, y(one[1])); else { pen.lineTo(px, y(points[k - 1][1])); pen.lineTo(px, y(one[1])); } });
  pen.stroke();
  for (const row of data.rows) if (row[1] === 'operator' && row[0] >= from && row[0] <= to) { pen.fillStyle = color('--op'); pen.fillRect(x(row[0]) - 1, top, 2, height - top - bottom); }
  for (const order of orders) {
    const isBuy = /^(LONG OPEN|SHORT CLOSE)/.test(order.what);
    pen.strokeStyle = color(isBuy ? '--buy' : '--sell'); pen.lineWidth = only ? 3 : 2;
    if (order.price > 0) {
      const start = Math.max(left, x(order.from)), end = Math.min(width - 8, Math.max(start + 2, x(order.to || data.to)));
      pen.beginPath(); pen.moveTo(start, y(order.price)); pen.lineTo(end, y(order.price)); pen.stroke();
    }
    for (const fill of order.fills) if (fill[0] >= from && fill[0] <= to && fill[1] > 0) { pen.fillStyle = color('--fill'); pen.beginPath(); pen.arc(x(fill[0]), y(fill[1]), 4, 0, 7); pen.fill(); }
  }
  $('range').textContent = (symbol || 'no symbol') + ', ' + new Date(from).toISOString().replace('T', ' ').slice(0, 19) + ' to ' + new Date(to).toISOString().slice(11, 19) + ' UTC, ' + orders.length + ' orders';
}

function draw() { chart(); table(); }
function look(a, b) { const least = 200, span = Math.max(least, b - a); from = Math.max(data.from, a); to = Math.min(Math.max(data.to, data.from + least), from + span); if (to - from < span) from = Math.max(data.from, to - span); shown = MORE; draw(); }
function zoom(by, at = (from + to) / 2) { look(at - (at - from) * by, at + (to - at) * by); }
$('in').addEventListener('click', () => zoom(0.5));
$('out').addEventListener('click', () => zoom(2));
$('left').addEventListener('click', () => look(from - (to - from) / 2, to - (to - from) / 2));
$('right').addEventListener('click', () => look(from + (to - from) / 2, to + (to - from) / 2));
$('whole').addEventListener('click', () => look(data.from, data.to));
$('more').addEventListener('click', () => { shown += MORE; table(); });
$('filter').addEventListener('submit', (event) => event.preventDefault());
for (const id of ['symbol', 'order', 'text', 'all']) $(id).addEventListener('input', () => { shown = MORE; draw(); });
const timeAt = (event) => { const box = $('chart').getBoundingClientRect(); return from + (Math.max(0, event.clientX - box.left - 70) / (box.width - 78)) * (to - from); };
$('chart').addEventListener('wheel', (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event)); }, { passive: false });
let drag = null;
$('chart').addEventListener('pointerdown', (event) => { drag = { x: event.clientX, from, to }; $('chart').setPointerCapture(event.pointerId); });
$('chart').addEventListener('pointermove', (event) => { if (drag) { const by = ((drag.x - event.clientX) / ($('chart').clientWidth - 78)) * (drag.to - drag.from); look(drag.from + by, drag.to + by); } });
for (const name of ['pointerup', 'pointercancel']) $('chart').addEventListener(name, () => { drag = null; });
window.addEventListener('resize', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
draw();
`;
