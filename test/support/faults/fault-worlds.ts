/**
 * A real client and a real exchange on a socket with a fault plan between them. Random commands run under random plans; at the end the
 * client's outcome of each is compared with the exchange's ledger.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../src/base/random.ts';
import { Secret } from '../../../src/base/secret.ts';
import { encodeRequest } from '../../../src/contract/encode-params.ts';
import { API_PREFIX, type EndpointId } from '../../../src/contract/endpoints/endpoint.ts';
import { endpointById } from '../../../src/contract/endpoints/endpoints.ts';
import * as codes from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { openLedger, type Ledger } from '../../../src/edge/file/ledger/ledger.ts';
import { readLedger, type GroundTruth, type LedgerFault, type LedgerRequest } from '../../../src/edge/file/ledger/read-ledger.ts';
import { parseBaseUrl } from '../../../src/edge/http/base-url.ts';
import { VenueClient } from '../../../src/edge/http/call.ts';
import { HttpVenue } from '../../../src/edge/http/http-venue.ts';
import { requestOf } from '../../../src/venue/interface/map-out.ts';
import { HttpTransport } from '../../../src/edge/http/transport.ts';
import { FAULT_NAMES, FAULTS, readFaultPlan } from '../../../src/edge/serve/faults/fault-plan.ts';
import { Faults } from '../../../src/edge/serve/faults/faults.ts';
import { startServer, type RunningServer } from '../../../src/edge/serve/server.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import { EVENT_NAMES } from '../../../src/engine/event.ts';
import { ACCEPTED, REJECTED, SILENT_INBOX, type Inbox, type VenueEvent } from '../../../src/ports/venue-event.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createExchange, createVenueApi } from '../../../src/sim/api/api.ts';
import { BTC, ETH, instrumentsOf, specOf, SPOT_BTC } from '../sim/sim-kit.ts';
import { NO_THROTTLE } from '../engine/live-read-throttle.ts';

const TIMEOUT_MS = 60;
/** Longest delay after which a request is still executed, once its caller gave up. */
const LATE_MS = 150;
const ACCOUNT = { key: 'key', secret: 'secret', passphrase: 'pass' };
const BTC_FUTURES = 0;
const ETH_FUTURES = 1;
const BTC_SPOT = 2;
const MIXABLE = ['E12', 'E13', 'E14', 'E15', 'E16'];
const REFUSING = ['E12', 'E13', 'E14'] as const;
const TWICE_SAFELY = ['E12', 'E13'];

/** A command and its outcome as reported by the client. */
export interface ReportedOutcome {
  readonly run: number;
  readonly endpoint: EndpointId;
  readonly body: string;
  readonly said: 'accepted' | 'rejected' | 'unsent' | 'unknown';
  /** The reason if it was not accepted. */
  readonly reason: string;
}

interface Heard {
  readonly said: ReportedOutcome['said'];
  readonly reason: string;
  readonly venueId: string;
}

/** Passes each outcome to the code that waits for it. */
class OutcomeInbox implements Inbox {
  readonly #waiting = new Map<number, (heard: Heard) => void>();

  hear(seq: number): Promise<Heard> {
    return new Promise((resolve) => this.#waiting.set(seq, resolve));
  }
  take({ kind, seq, text, rejection }: VenueEvent): void {
    const said = EVENT_NAMES[kind] as Heard['said'];
    this.#waiting.get(seq)?.({
      said,
      reason: kind === ACCEPTED ? '' : kind === REJECTED ? rejection!.reason : text,
      venueId: kind === ACCEPTED ? text : '',
    });
    this.#waiting.delete(seq);
  }
}

export class FaultWorlds {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fault-worlds-'));
  readonly #clock = new LiveClock();
  readonly #instruments = instrumentsOf(BTC, ETH, SPOT_BTC);
  readonly #ledger: Ledger;
  readonly #faults: Faults;
  readonly #inbox = new OutcomeInbox();
  readonly #told: ReportedOutcome[] = [];
  readonly #clientIdOf: (seq: number) => string;
  #server: RunningServer | null = null;
  #venue: HttpVenue | null = null;
  #end: (() => Promise<unknown>) | null = null;
  #seq = 0;
  #bodies = 0;
  readonly #cancelled = new Set<number>();
  /** Venue ids that the client received. */
  readonly #venueIds: string[] = [];

  constructor(world: number) {
    this.#clientIdOf = (seq) => `l${world}-1-${seq}`;
    const clock = this.#clock;
    this.#ledger = openLedger(this.#folder, { clock, names: new Map([['key', 'demo']]), identity: 'lane' });
    const sim = new VenueSim(specOf(this.#instruments), this.#ledger.sink);
    const venueApi = createVenueApi(sim, { instruments: this.#instruments, clock: this.#ledger.clock, accounts: new Map([['key', 0]]) });
    this.#ledger.start(createExchange(sim, venueApi));
    this.#ledger.quote(BTC_FUTURES, 400_000, 5_000_000, 400_001, 5_000_000, clock.now());
    this.#ledger.quote(ETH_FUTURES, 300_000, 5_000_000, 300_001, 5_000_000, clock.now());
    this.#ledger.quote(BTC_SPOT, 4_000_000, 5_000_000, 4_000_001, 5_000_000, clock.now());
    this.#faults = new Faults({ now: () => clock.now(), report: (note) => this.#ledger.fault(note) });
  }

  async open(): Promise<void> {
    await this.#listen(0);
    const clock = this.#clock;
    const transport = new HttpTransport({ base: parseBaseUrl(this.#server!.url), clock, timeoutMs: TIMEOUT_MS, connections: 2 });
    const credentials = { key: new Secret('key'), secret: new Secret('secret'), passphrase: new Secret('pass') };
    const quiet = (): void => undefined;
    const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const client = new VenueClient({ transport, clock, credentials });
    const venue = new HttpVenue({ client, turns: NO_THROTTLE, clock, log, instruments: this.#instruments, clientIdOf: this.#clientIdOf });
    venue.attach(this.#inbox, SILENT_INBOX);
    this.#venue = venue;
    this.#end = async () => {
      await transport.close();
    };
    await this.#execute(-1, { kind: codes.SET_MARGIN_MODE, instrument: ETH_FUTURES, marginMode: codes.ISOLATED });
    const isolated = { marginMode: codes.ISOLATED, side: codes.LONG, effect: codes.OPEN, type: codes.MARKET, size: 1_000 };
    await this.#execute(-1, { kind: codes.PLACE, instrument: ETH_FUTURES, ...isolated });
  }

  /** Sends one to four commands at once under a random plan. In one run of twenty the exchange goes down meanwhile and returns. */
  async run(number: number, random: Random): Promise<void> {
    this.#faults.set(readFaultPlan(planOf(random), 'plan'));
    const commands = Array.from({ length: 1 + random.below(4) }, () => this.#commandOf(random));
    const isAway = random.below(20) === 0;
    const away = isAway ? this.#goAway(random.below(4)) : Promise.resolve();
    if (isAway && random.below(2) === 0) await sleep(random.below(4));
    await Promise.all([away, ...commands.map((fields) => this.#execute(number, fields))]);
  }

  /** Waits for late executions, and returns the reported outcomes and the ledger. */
  async close(): Promise<{ told: readonly ReportedOutcome[]; truth: GroundTruth }> {
    await sleep(LATE_MS + 20);
    this.#faults.set(null);
    await this.#end?.();
    await this.#server?.close(0);
    this.#ledger.close();
    const truth = readLedger(this.#folder);
    rmSync(this.#folder, { recursive: true, force: true });
    return { told: this.#told, truth };
  }

  async #listen(port: number): Promise<void> {
    const now = (): number => this.#clock.now();
    this.#server = await startServer({ handler: this.#ledger.handler, accounts: [ACCOUNT], now, port, faults: this.#faults });
  }

  async #goAway(afterMs: number): Promise<void> {
    const { port } = this.#server!;
    if (afterMs > 0) await sleep(afterMs);
    await this.#server!.close(0);
    await sleep(2);
    await this.#listen(port);
  }

  async #execute(run: number, fields: Partial<Command>): Promise<void> {
    const seq = ++this.#seq;
    const command = Object.assign(emptyCommand(), fields, { seq }) as Approved<Command>;
    const { endpoint, params } = requestOf(command, {
      instruments: this.#instruments,
      clientIdOf: this.#clientIdOf,
      crossWord: 'CROSS',
    });
    const { body } = encodeRequest(endpoint, params, API_PREFIX);
    const heard = this.#inbox.hear(seq);
    this.#venue!.execute(command);
    const { said, reason, venueId } = await heard;
    if (venueId !== '') this.#venueIds.push(venueId);
    if (run >= 0) this.#told.push({ run, endpoint: endpoint.id, body, said, reason });
  }

  /** Random orders that rest, fill, or are refused for their content or the account's state; modifies and cancels of all kinds. */
  #commandOf(random: Random): Partial<Command> {
    // Every body is unique, because the ledger is searched by it.
    const own = ++this.#bodies;
    const order = { kind: codes.PLACE, instrument: BTC_FUTURES, side: codes.LONG, effect: codes.OPEN, type: codes.LIMIT };
    const target = Math.max(1, this.#seq - random.below(12));
    const isFresh = !this.#cancelled.has(target);
    const venueId = this.#venueIds.at(-1 - random.below(12)) ?? 'fu-1';
    const cancels: readonly (() => Partial<Command>)[] = [codes.CANCEL, codes.CANCEL_TRIGGER].map((kind) => () => {
      this.#cancelled.add(target);
      return { kind, instrument: BTC_FUTURES, target };
    });
    const ways: readonly (() => Partial<Command>)[] = [
      () => ({ ...order, size: 1, price: 300_000 + random.below(1_000) }),
      () => ({ ...order, size: 1, price: 300_000 + random.below(1_000), stopLoss: 200_000 }),
      () => ({ ...order, size: 1, type: codes.MARKET }),
      () => ({ ...order, size: 200_000, price: 300_000 }),
      () => ({ ...order, size: 90_000, price: 399_000 }),
      () => ({ ...order, size: 1, price: 410_000, force: 1 }),
      () => ({ ...order, size: 1, side: codes.SHORT, effect: codes.CLOSE, price: 390_000 }),
      () => ({
        kind: codes.PLACE_TRIGGER,
        instrument: BTC_FUTURES,
        side: codes.LONG,
        size: 1,
        trigger: 600_000,
        triggerBy: codes.BY_LAST,
      }),
      () => ({ kind: codes.MODIFY, instrument: BTC_FUTURES, target, price: 301_000 + random.below(500) }),
      () => ({ kind: codes.MODIFY, instrument: BTC_FUTURES, target, targetVenueId: venueId, price: 302_000 + random.below(500) }),
      ...(isFresh ? cancels : []),
      () => ({ kind: codes.PLACE_SPOT, instrument: BTC_SPOT, side: codes.BUY, type: codes.LIMIT, size: 1_000, price: 1_000_000 + own }),
      () => ({
        kind: codes.PLACE_SPOT,
        instrument: BTC_SPOT,
        side: codes.BUY,
        type: codes.LIMIT,
        size: 90_000_000,
        price: 2_000_000 + own,
      }),
      () => ({ kind: codes.ADJUST_MARGIN, instrument: ETH_FUTURES, side: codes.LONG, amount: 1_000 + own }),
      () => ({ kind: codes.ADJUST_MARGIN, instrument: ETH_FUTURES, side: codes.SHORT, amount: 1_000 + own }),
    ];
    return ways[random.below(ways.length)]!();
  }
}

/**
 * Up to two rules of any kind, with three restrictions that come from the interface, not from the client. A mixed-up answer can be detected
 * only if answers name their order. The second answer to bytes delivered twice identifies an order only by client id. A refusal for the
 * account's state proves nothing about a copy delivered later.
 */
function planOf(random: Random): object {
  const rules = Array.from({ length: random.below(3) }, () => ruleOf(random));
  return { seed: random.below(1_000_000), rules };
}

function ruleOf(random: Random): object {
  const fault = FAULT_NAMES[random.below(FAULT_NAMES.length)]!;
  const { phases, fields } = FAULTS[fault] as { phases: readonly string[]; fields: object };
  const takes = (field: string): boolean => Object.hasOwn(fields, field);
  const answersSecond = random.below(2) === 0;
  const isTwice = fault === 'duplicate' && answersSecond;
  const statuses = [200, 400, 401, 404, 429, 500, 502, 503, 504];
  const most = fault === 'duplicate' ? 1 : LATE_MS;
  const refusing = REFUSING[random.below(fault === 'refuse' ? REFUSING.length : 1)]!;
  const endpoints = takes('msg') ? [refusing] : fault === 'mixup' ? MIXABLE : isTwice ? TWICE_SAFELY : ['all'];
  // If a venue reports a new id as used, an order with it must have landed.
  const refusals = endpointById(refusing).errors.filter(({ reason }) => reason !== 'duplicate-client-id');
  return {
    fault,
    endpoints: fault === 'stale' ? 'reads' : endpoints,
    phase: phases[random.below(phases.length)],
    ...(random.below(3) === 0 ? { every: 1 + random.below(3) } : { probability: random.uniform() }),
    ...(takes('ms') ? { ms: random.below(most) } : {}),
    ...(takes('share') ? { share: random.uniform() } : {}),
    ...(takes('how') ? { how: ['length', 'chunked', 'close'][random.below(3)] } : {}),
    ...(takes('status') ? { status: statuses[random.below(statuses.length)] } : {}),
    ...(takes('retryAfter') && random.below(2) === 0 ? { retryAfter: ['1', '0', 'soon', '99999999999'][random.below(4)] } : {}),
    ...(takes('msg') ? { msg: refusals[random.below(refusals.length)]!.msg } : {}),
    ...(takes('bytes') ? { bytes: random.below(40) === 0 ? 9 << 20 : 200_000 } : {}),
    ...(isTwice ? { answer: 'second' } : {}),
  };
}

/** Describes outcomes that contradict the ledger; empty if the client was always right. */
export function contradictions(told: readonly ReportedOutcome[], truth: GroundTruth): string[] {
  const seen = new Map<string, { requests: LedgerRequest[]; faults: LedgerFault[] }>();
  const of = (endpoint: string, body: string): { requests: LedgerRequest[]; faults: LedgerFault[] } => {
    const key = `${endpoint} ${body}`;
    const entry = seen.get(key) ?? { requests: [], faults: [] };
    seen.set(key, entry);
    return entry;
  };
  for (const request of truth.requests) of(request.endpoint, request.body).requests.push(request);
  for (const fault of truth.faults) of(fault.endpoint, fault.asked).faults.push(fault);
  const making = new Set(truth.orders.filter(({ order }) => order['byVenue'] !== true).map(({ request }) => request?.request));
  const ending = new Set(truth.orders.map(({ endedBy }) => endedBy));
  const didHappen = ({ request, endpoint, code }: LedgerRequest): boolean => {
    if (endpoint === 'E1') return making.has(request);
    return endpoint === 'E15' || endpoint === 'E16' ? ending.has(request) : code === '00000';
  };
  return told.flatMap(({ run, endpoint, body, said, reason }) => {
    const { requests, faults } = of(endpoint, body);
    const landed = requests.some(didHappen);
    const times = requests.filter(didHappen).length;
    const wrong =
      (said === 'accepted' && !landed) ||
      (said === 'rejected' && landed !== (reason === 'duplicate-client-id')) ||
      (said === 'unsent' && requests.length + faults.length > 0) ||
      (times > 1 && ['E12', 'E13', 'E14'].includes(endpoint));
    return wrong ? [`run ${run}: ${endpoint} ${body} was told ${said} ${reason}, and landed ${times} times`] : [];
  });
}
