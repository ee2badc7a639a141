/** The session recording of the measured bot, switched on and off while it runs, with the time it takes. */
import type { EngineEvent } from '../../src/engine/event.ts';
import type { EventTaker } from '../../src/engine/inbox.ts';
import type { Kernel } from '../../src/engine/kernel.ts';
import type { OrderPort, ReadPort } from '../../src/ports/venue.ts';
import { Recorder, type RecorderOptions } from '../../src/run/session/session-recorder.ts';
import type { Stopwatch } from './slices.ts';

type Options = Omit<RecorderOptions, 'head'> & { readonly head: () => RecorderOptions['head'] };

export class SwitchedRecording implements EventTaker {
  readonly #throttle: OrderPort;
  readonly #polls: ReadPort;
  readonly #watch: Stopwatch;
  readonly #options: Options;
  #recorder: Recorder | null = null;
  #kernel: Kernel | null = null;
  #taker: EventTaker | null = null;
  #commands: OrderPort;
  #questions: ReadPort;
  /** What the kernel sends its commands and questions to. */
  readonly orders: OrderPort = { execute: (command) => this.#commands.execute(command) };
  readonly reads: ReadPort = { query: (query) => this.#questions.query(query) };

  constructor(throttle: OrderPort, polls: ReadPort, watch: Stopwatch, options: Options) {
    this.#throttle = throttle;
    this.#polls = polls;
    this.#watch = watch;
    this.#options = options;
    this.#commands = throttle;
    this.#questions = polls;
  }

  get isOn(): boolean {
    return this.#recorder !== null;
  }

  connect(kernel: Kernel): void {
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
    const [kernel, throttle, polls] = [this.#kernel!, this.#throttle, this.#polls];
    const recorder = new Recorder({ ...this.#options, head: this.#options.head() });
    recorder.keepWhy(kernel);
    this.#recorder = recorder;
    const taker = recorder.taker({ step: (event) => watch.leaveOut(() => kernel.step(event)) });
    this.#taker = { step: (event) => watch.time(() => taker.step(event)) };
    const commands = recorder.orders({ execute: (command) => watch.leaveOut(() => throttle.execute(command)) });
    const questions = recorder.reads({ query: (query) => watch.leaveOut(() => polls.query(query)) });
    this.#commands = { execute: (command) => watch.time(() => commands.execute(command)) };
    this.#questions = { query: (query) => watch.time(() => questions.query(query)) };
  }

  end(): void {
    this.#recorder?.close();
    this.#recorder = null;
    this.#taker = this.#kernel;
    this.#commands = this.#throttle;
    this.#questions = this.#polls;
  }
}
