/** What a snapshot keeps by strategy. What a strategy left that does not run stays as it is, until it runs again. */
import type { KernelSnapshot } from './kernel-snapshot.ts';

/** In the order in which a strategy takes them back. */
const KINDS = ['schedules', 'executions', 'state', 'trades'] as const;
type Kind = (typeof KINDS)[number];
type Kept = { [K in Kind]: NonNullable<KernelSnapshot[K]> };

interface Book {
  readonly isEmpty: boolean;
  saved(): unknown;
  restore(saved: never): void;
}

/** A strategy that runs; null for what it does not use. */
type Keeper = { readonly name: string } & { readonly [K in Kind]: Book | null };

export class ByStrategy {
  readonly #hosts: readonly Keeper[];
  #left: Kept = { schedules: {}, executions: {}, state: {}, trades: {} };

  constructor(hosts: readonly Keeper[]) {
    this.#hosts = hosts;
  }

  /** What strategies that do not run have left, by strategy. */
  get left(): Readonly<Kept> {
    return this.#left;
  }

  restore(snapshot: KernelSnapshot): void {
    const names = new Set(this.#hosts.map(({ name }) => name));
    const leftOf = (kind: Kind): unknown => {
      const others = Object.entries(snapshot[kind] ?? {}).filter(([name, saved]) => !names.has(name) && Object.keys(saved).length > 0);
      return Object.fromEntries(others);
    };
    this.#left = Object.fromEntries(KINDS.map((kind) => [kind, leftOf(kind)])) as unknown as Kept;
    for (const host of this.#hosts) {
      for (const kind of KINDS) {
        const saved = snapshot[kind]?.[host.name];
        if (saved !== undefined) host[kind]?.restore(saved as never);
      }
    }
  }

  /** For a snapshot; a kind of which nothing is kept is absent. */
  saved(): Partial<Kept> {
    const kept = KINDS.map((kind) => {
      const own = this.#hosts.filter((host) => host[kind]?.isEmpty === false).map((host) => [host.name, host[kind]!.saved()]);
      return [kind, { ...this.#left[kind], ...Object.fromEntries(own) }] as const;
    });
    return Object.fromEntries(kept.filter(([, of]) => Object.keys(of).length > 0));
  }
}
