/** The session recording of the measured bot, switched on and off while it runs, with the time it takes. */
import type { EngineEvent } from '../../src/engine/event.ts';
import type { EventTaker } from '../../src/engine/inbox.ts';
import type { Venue } from '../../src/ports/venue.ts';
import { Recorder, type RecorderOptions } from '../../src/run/session/recorder.ts';
import type { Stopwatch } from './slices.ts';

type Options = Omit<RecorderOptions, 'head'> & { readonly head: () => RecorderOptions['head'] };

export class SwitchedRecording implements EventTaker {
  readonly #lane: Venue;
  readonly #watch: Stopwatch;
  readonly #options: Options;
  #recorder: Recorder | null = null;
  #kernel: EventTaker | null = null;
  #taker: EventTaker | null = null;
  #output: Venue;
  /** What the kernel sends its commands and questions to. */
  readonly venue: Venue = {
    execute: (command) => this.#output.execute(command),
    query: (query) => this.#output.query(query),
  };

  constructor(lane: Venue, watch: Stopwatch, options: Options) {
    this.#lane = lane;
    this.#watch = watch;
    this.#options = options;
    this.#output = lane;
  }

  get isOn(): boolean {
    return this.#recorder !== null;
  }

  connect(kernel: EventTaker): void {
    this.#kernel = kernel;
    this.#taker = kernel;
  }

  step(event: EngineEvent): void {
    this.#taker!.step(event);
  }

  journal(record: Parameters<Recorder['journal']>[0]): void {
    this.#watch.time(() => this.#recorder?.journal(record));
  }

  afterTurn(): void {
    this.#recorder?.afterTurn();
  }

  begin(): void {
    const watch = this.#watch;
    const [kernel, lane] = [this.#kernel!, this.#lane];
    const recorder = new Recorder({ ...this.#options, head: this.#options.head() });
    this.#recorder = recorder;
    const taker = recorder.taker({ step: (event) => watch.leaveOut(() => kernel.step(event)) });
    this.#taker = { step: (event) => watch.time(() => taker.step(event)) };
    const output = recorder.venue({
      execute: (command) => watch.leaveOut(() => lane.execute(command)),
      query: (query) => watch.leaveOut(() => lane.query(query)),
    });
    this.#output = {
      execute: (command) => watch.time(() => output.execute(command)),
      query: (query) => watch.time(() => output.query(query)),
    };
  }

  end(): void {
    this.#recorder?.close();
    this.#recorder = null;
    this.#taker = this.#kernel;
    this.#output = this.#lane;
  }
}
