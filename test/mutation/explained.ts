/** Changes that no test can find because they change nothing that can be observed, each with its reason. */
export interface Explained {
  readonly path: string;
  /** Part of the changed line. */
  readonly line: string;
  readonly kind: string;
  readonly because: string;
}

export const EXPLAINED: readonly Explained[] = [];
