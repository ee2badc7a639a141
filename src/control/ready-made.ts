/** The shape of what the monitor tells of ready-made bots: all that a form needs. */

export interface ReadyMadeParam {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'decimal' | 'size' | 'duration' | 'boolean' | 'choice' | 'text';
  /** The default, as a person would type it. */
  readonly fallback: string;
  /** What it means, with its unit. */
  readonly doc: string;
  /** What is allowed, in words. */
  readonly expects: string;
  /** Values of a choice. Empty for others. */
  readonly choices: readonly string[];
}

export interface ReadyMadeBot {
  readonly name: string;
  /** What it does, and when it loses: a paragraph each, from docs/bots.md. */
  readonly does: string;
  readonly loses: string;
  readonly params: readonly ReadyMadeParam[];
}

export interface ReadyMadeAnswer {
  readonly bots: readonly ReadyMadeBot[];
}
