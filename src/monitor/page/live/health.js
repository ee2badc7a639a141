/** How the bot itself is: polls, rate, latency, clock, store, memory. */
import { h } from 'preact';
import { clock, grouped, money, span } from '../../../browser/figures.js';
import { model, now, staleness } from '../parts/model.js';
import { age, Card, count, Facts, known, moment, Table } from '../parts/elements.js';
import { forkShown } from '../parts/past.js';

const ms = (value) => (value === null || value === undefined ? known('') : `${money(String(Math.round(value)))} ms`);
const bad = (is) => (is ? 'warn' : '');

/** Until when a span that goes on is known to have gone on: now, or the last status of a bot that is not heard. */
const knownUntil = ({ time }) => (staleness() === '' ? now() : time);

const lost = (lines) => (lines === null || lines === undefined ? 'no line lost' : `${grouped(lines.lines)} lines lost`);

/** @param {import('../../../control/changes.ts').StatusRow} status */
function facts(status) {
  const { health, memory, lostLines, startedAt, lastError, unknownOutcomes, venueAnsweredAt, requests, errors } = status;
  const behind = health.journal.made - health.journal.durable;
  return [
    ['Venue answered', age(venueAnsweredAt ?? 0), `${grouped(requests)} requests`],
    ['Refused with 429', grouped(health.rateLimited), 'since the start', bad(health.rateLimited > 0)],
    ['Polls left out', grouped(health.pollsSkipped), 'the rate did not allow them', bad(health.pollsSkipped > 0)],
    ['Clock', ms(health.clockOffsetMs), 'venue less this machine', bad(Math.abs(health.clockOffsetMs ?? 0) > 500)],
    ['Event loop late', ms(health.lateMs), 'longest in the last second', bad(health.lateMs > 100)],
    ['Commands in flight', grouped(health.commandsInFlight), `${unknownOutcomes} of unknown outcome`, bad(unknownOutcomes > 0)],
    ['Store', behind === 0 ? 'all durable' : `${behind} not on disk`, `${grouped(health.journal.made)} records`, bad(behind > 100)],
    ['Log', count(errors, 'error'), `${count(health.lines.warn, 'warning')}, ${lost(lostLines)}`, bad(lostLines != null || errors > 0)],
    [
      'Memory',
      memory === undefined ? known('') : `${grouped(memory.rssMb)} MB`,
      memory === undefined ? '' : `heap ${grouped(memory.heapMb)} of ${grouped(memory.limitMb)} MB`,
    ],
    [
      'Running',
      span(knownUntil(status) - startedAt),
      lastError === null || lastError === undefined ? 'no error' : `last error ${moment(lastError.time)}: ${lastError.event}`,
    ],
  ];
}

/** In a fork, what answers is no venue from its beginning on. */
function recordedVenue(answeredAt, requests) {
  const fork = forkShown();
  return fork !== null && model.past.at > fork.at
    ? ['Venue', `simulated since ${moment(fork.at)}`, 'reads are its answers, not proofs']
    : ['Venue answered', age(answeredAt ?? 0), `${grouped(requests)} answers of reads`];
}

/**
 * A recording does not have what only the process knew.
 * @param {import('../../../control/changes.ts').StatusRow} status
 */
const recorded = ({ startedAt, lastError, requests, errors, venueAnsweredAt, unknownOutcomes }) => [
  recordedVenue(venueAnsweredAt, requests),
  ['Log', count(errors, 'error'), lastError === null || lastError === undefined ? '' : lastError.event],
  ['Unknown outcomes', grouped(unknownOutcomes), '', bad(unknownOutcomes > 0)],
  ['Running', span(now() - startedAt)],
  ['Rate, latency, clock, memory', known('')],
];

export function Health({ ask }) {
  const { status } = model;
  if (status === null) return h(Card, { id: 'health', title: 'Health' }, h('p', { class: 'empty' }, 'The bot has not been heard yet.'));
  const isPast = model.past !== null;
  const endpoints = isPast ? [] : Object.entries(status.health.endpoints).filter(([, { requests }]) => requests > 0);
  return h(
    Card,
    { id: 'health', title: 'Health', small: `status read ${age(status.time)}` },
    staleness() === ''
      ? null
      : h('p', { class: 'warn' }, `■ Old values, of ${clock(status.time)} UTC, ${age(status.time)}: how it is now is not known.`),
    h('p', null, h('button', { onClick: () => ask({}) }, 'Why is it not trading?')),
    (status.troubles ?? []).map(({ of, cause, status: code, says, since, failures }) =>
      h(
        'p',
        { key: of, class: 'down' },
        `■ ${failures} ${of} requests in a row have failed for ${span(knownUntil(status) - since)}: ${cause}${code > 0 ? ` (${code})` : ''} ${says}`,
      ),
    ),
    h(Facts, { facts: isPast ? recorded(status) : facts(status) }),
    h(
      'details',
      { hidden: isPast },
      h('summary', null, 'Latency by endpoint'),
      h(Table, {
        label: 'Latency by endpoint',
        columns: [
          { title: 'Endpoint', cell: ([id]) => id },
          { title: 'Requests', kind: 'n', cell: ([, one]) => grouped(one.requests) },
          { title: 'Failed', kind: 'n', cell: ([, one]) => grouped(one.failures) },
          { title: 'Half within', kind: 'n', cell: ([, one]) => ms(one.p50Ms) },
          { title: '99 % within', kind: 'n', cell: ([, one]) => ms(one.p99Ms) },
        ],
        rows: endpoints,
        keyOf: ([id]) => id,
        empty: 'No request yet.',
      }),
    ),
  );
}
