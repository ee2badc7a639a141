/** The bar above every view: what trades, how old the last proof is, what is halted and what ends it, profit, worst case, STOP. */
import { h } from 'preact';
import { span, trend, signed, money } from '../../../browser/figures.js';
import { model, now, provenAt, staleness } from '../parts/model.js';
import { age, count, Ends, haltSays, inCoin, known, readText, useTop } from '../parts/elements.js';
import { CanLose } from './risk.js';
import { Stop } from './stop.js';

/** In words. A venue on this machine may be a paper exchange, or a proxy of one with real money. */
const MODES = { paper: 'PAPER', local: 'LOCAL VENUE', live: 'LIVE', unknown: 'UNKNOWN' };

function Mode() {
  const { status } = model;
  if (model.isRecording || model.past !== null) return h('b', { class: 'mode unknown' }, 'RECORDING');
  const account = status?.account ?? 'unknown';
  return h('b', { class: `mode ${account}` }, MODES[account]);
}

function Proof({ stale }) {
  const read = provenAt();
  const what = (model.status?.readAt?.positions ?? 0) > 0 ? 'positions' : 'account';
  const text = read > 0 ? `${stale === '' ? '' : 'old: '}${what} read ${age(read)}` : 'positions not read yet';
  return h('span', { class: `proof ${stale === '' ? '' : 'down'}` }, h('i', { 'aria-hidden': true }), text);
}

/** Leads to the legs, those in trouble first. */
function showLegs() {
  location.hash = '#live';
  // The view changes first.
  setTimeout(() => document.getElementById('at-risk')?.scrollIntoView(), 50);
}

function Figures() {
  const { status } = model;
  const today = status?.today ?? null;
  return h(
    'dl',
    { class: 'figures' },
    h(
      'div',
      null,
      h('dt', null, inCoin('Today UTC')),
      h(
        'dd',
        { class: trend(today?.net ?? '') },
        known(today?.net ?? '', signed(today?.net ?? '0')),
        h('small', null, 'realised, after fees and funding'),
      ),
    ),
    h(
      'div',
      null,
      h('dt', null, inCoin('Can lose')),
      h('dd', { class: 'down' }, h('button', { class: 'lose', onClick: showLegs }, h(CanLose, null))),
    ),
    h(
      'div',
      null,
      h('dt', null, inCoin('Equity')),
      h('dd', null, known(status?.equity ?? '', money(status?.equity ?? '')), h('small', null, readText(status?.readAt?.equity ?? 0))),
    ),
  );
}

const scopeText = (scope) => (scope === 'bot' ? 'The whole bot' : scope.replace(/^(symbol|leg|strategy):/, ''));

/** Halts, the widest first: each with what ends it. */
function Halts() {
  const halts = [...model.halts].sort((a, b) => Number(b.scope === 'bot') - Number(a.scope === 'bot'));
  const hold = model.status?.onHold ?? '';
  if (halts.length === 0 && hold === '') return null;
  const shown = halts.slice(0, 3);
  const row = (halt) =>
    h(
      'li',
      { key: `${halt.scope} ${halt.code}` },
      h('b', null, `■ ${scopeText(halt.scope)} halted`),
      ` for ${span(now() - halt.since)} by ${halt.by}: ${haltSays(halt)}. `,
      h(Ends, halt),
    );
  return h(
    'ul',
    { class: 'halts', 'aria-label': 'Halts' },
    hold === '' ? null : h('li', { key: 'hold' }, h('b', null, '■ Nothing opens'), `: ${hold}`),
    shown.map(row),
    halts.length > shown.length
      ? h(
          'li',
          { key: 'more' },
          h('details', null, h('summary', null, count(halts.length - shown.length, 'more halt')), h('ul', null, halts.slice(3).map(row))),
        )
      : null,
  );
}

export function Bar() {
  const stale = staleness();
  return h(
    'header',
    { class: 'bar', ref: useTop() },
    h(
      'div',
      { class: 'line' },
      h(Mode, null),
      h('h1', null, model.status?.bot ?? model.bot),
      h(Proof, { stale }),
      // The first Tab is STOP.
      model.past === null && !model.isRecording ? h(Stop, null) : null,
      h(Figures, null),
    ),
    stale === ''
      ? null
      : h(
          'p',
          { class: 'stale', role: 'status' },
          `■ ${stale} What you see is as old as it says.${model.isRecording ? '' : ' STOP still works.'}`,
        ),
    h(Halts, null),
  );
}
