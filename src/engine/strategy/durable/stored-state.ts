/**
 * The durable state of one strategy, `ctx.state`: an object with a field for each one declared. An assignment is checked at once, and
 * written into the journal at the end of the step, in the same commit as the orders of that step.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { CommandJournal } from '../../state/events/journal.ts';
import type { SavedState } from './saved-state.ts';
import type { Unwritten, UnwrittenList } from '../../state/events/unwritten.ts';
import { fieldsOf, frozenCopy, noField, StateError, unstorable, type StateShape, type Stored } from './stored.ts';

/** Most characters that the state of a strategy has as JSON. */
const MOST_CHARACTERS = 65_536;

interface StateDeps {
  readonly strategy: string;
  readonly journal: Pick<CommandJournal, 'note'>;
  readonly unwritten: UnwrittenList;
  readonly now: () => number;
}

export class StoredState implements Unwritten {
  /** What the strategy reads and assigns. */
  readonly view: object;
  readonly #deps: StateDeps;
  readonly #fields: ReadonlyMap<string, Stored<unknown>>;
  readonly #values = new Map<string, unknown>();
  /** By field: characters of its value as JSON. */
  readonly #lengths = new Map<string, number>();
  readonly #changed = new Set<string>();
  #characters = 0;

  /** @throws StateError if the shape has a value that cannot be stored */
  constructor(shape: StateShape, deps: StateDeps) {
    this.#deps = deps;
    this.#fields = fieldsOf(shape);
    for (const [name, { initial }] of this.#fields) this.#put(name, initial);
    this.view = this.#makeView();
  }

  get isEmpty(): boolean {
    return this.#fields.size === 0;
  }

  saved(): SavedState {
    return Object.fromEntries(this.#values) as SavedState;
  }

  /**
   * Takes the values of an earlier process. Fields that are no longer declared are dropped. @throws StateError if a value does not fit its
   * declaration any more
   */
  restore(saved: SavedState): void {
    for (const [name, value] of Object.entries(saved)) {
      const field = this.#fields.get(name);
      if (field === undefined) continue;
      const problem = field.problem(value, `state.${name}`);
      if (problem !== '') {
        throw new StateError(
          `${this.#deps.strategy}: ${problem}; an earlier run saved it. Allow it in the declaration, or give the field another name: it then begins with its initial value`,
        );
      }
      this.#put(name, value);
    }
  }

  /**
   * The same values in another shape. @throws StateError if one does not fit, unless `isLenient`: then it begins with its initial value
   */
  reshaped(shape: StateShape, isLenient: boolean): StoredState {
    const other = new StoredState(shape, this.#deps);
    const saved = Object.entries(this.saved());
    const fits = ([name, value]: readonly [string, unknown]): boolean => (other.#fields.get(name)?.problem(value, name) ?? '') === '';
    other.restore(Object.fromEntries(isLenient ? saved.filter(fits) : saved));
    return other;
  }

  /** Journals what was assigned in this step. */
  write(): void {
    const { journal, strategy, now } = this.#deps;
    assert(this.#changed.size > 0, 'state that is written has changed', this.#fields.size, 'strategy', strategy);
    const set = Object.fromEntries([...this.#changed].map((name) => [name, this.#values.get(name)]));
    this.#changed.clear();
    journal.note('state', { strategy, set }, now());
  }

  #assign(name: string, value: unknown): void {
    if (Object.is(value, this.#values.get(name))) return;
    const problem = this.#fields.get(name)!.problem(value, `state.${name}`) || unstorable(value, `state.${name}`);
    if (problem !== '') throw new StateError(`${this.#deps.strategy}: ${problem}`);
    this.#put(name, value);
    if (this.#changed.size === 0) this.#deps.unwritten.add(this);
    this.#changed.add(name);
  }

  #put(name: string, value: unknown): void {
    const length = JSON.stringify(value).length;
    const characters = this.#characters + length - (this.#lengths.get(name) ?? 0);
    if (characters > MOST_CHARACTERS) {
      throw new StateError(
        `${this.#deps.strategy}: state of at most ${MOST_CHARACTERS} characters as JSON was expected, found ${characters} with state.${name}; it is for a few facts, not for history`,
      );
    }
    assert(characters >= 0, 'the length of a state is at least 0', characters, 'strategy', this.#deps.strategy);
    this.#characters = characters;
    this.#lengths.set(name, length);
    this.#values.set(name, frozenCopy(value));
  }

  /** Own fields have accessors; any other name that is assigned reaches the prototype, which refuses it by name. */
  #makeView(): object {
    const unknown = new Proxy(Object.freeze(Object.create(null) as object), {
      set: (_target, name) => {
        throw new StateError(`${this.#deps.strategy}: ${noField(String(name), this.#fields.keys())}`);
      },
    });
    const view = Object.create(unknown) as object;
    for (const name of this.#fields.keys()) {
      Object.defineProperty(view, name, {
        enumerable: true,
        get: () => this.#values.get(name),
        set: (value: unknown) => {
          this.#assign(name, value);
        },
      });
    }
    return Object.seal(view);
  }
}
