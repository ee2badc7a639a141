/** The results of `save` of each strategy: until it starts, the one of an earlier process. That of a strategy that does not run is kept. */

/** A strategy that runs. */
interface Saving {
  readonly name: string;
  save(): string | undefined;
}

export class StrategyTexts {
  readonly #runners: readonly Saving[];
  readonly #hasStarted: () => boolean;
  readonly #texts = new Map<string, string>();

  constructor(runners: readonly Saving[], hasStarted: () => boolean) {
    this.#runners = runners;
    this.#hasStarted = hasStarted;
  }

  of(strategy: string): string | undefined {
    return this.#texts.get(strategy);
  }

  restore(saved: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(saved)) this.#texts.set(name, text);
  }

  save(): Readonly<Record<string, string>> {
    for (const runner of this.#runners) {
      const text = this.#hasStarted() ? runner.save() : undefined;
      if (text !== undefined) this.#texts.set(runner.name, text);
    }
    return Object.fromEntries(this.#texts);
  }
}
