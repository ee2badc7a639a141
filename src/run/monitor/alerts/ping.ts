/** Tells an address outside each minute that the bot is well. It says nothing while the bot is not, so that the other side calls a person. */
import type { Secret } from '../../../base/secret.ts';
import type { Change } from '../../../control/changes.ts';
import { post } from '../../../edge/alerts/post.ts';
import { faultOf } from '../../../monitor/alerts/well.ts';
import type { ReadModel } from '../../../monitor/model/read-model.ts';
import type { Log } from '../../../ports/log.ts';
import type { Watcher } from './watcher.ts';

const EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;

export class Ping implements Watcher {
  readonly #url: Secret;
  readonly #log: Log;
  readonly #everyMs: number;
  #heardAt = 0;
  #turns = -1;
  #askedAt = -Infinity;
  #fault = '';

  constructor(url: Secret, log: Log, everyMs = EVERY_MS) {
    this.#url = url;
    this.#log = log;
    this.#everyMs = everyMs;
  }

  changed({ id, time, kind }: Change): void {
    if (id !== '' && kind !== 'connection') this.#heardAt = time;
  }

  tick(now: number, model: ReadModel): void {
    if (now - this.#askedAt < this.#everyMs) return;
    const fault = faultOf(model, { heardAt: this.#heardAt, turns: this.#turns, now });
    if (fault !== this.#fault && fault !== '') this.#log.warn('ping-withheld', { cause: fault });
    this.#fault = fault;
    if (fault !== '') return;
    this.#askedAt = now;
    this.#turns = model.status?.health.turns ?? -1;
    void post({ url: this.#url.reveal(), body: '{}' }, TIMEOUT_MS).then(({ status, cause }) => {
      if (status < 200 || status >= 300) this.#log.warn('ping-failed', { status, cause });
    });
  }
}
