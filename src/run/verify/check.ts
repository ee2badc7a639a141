/** The type of a check of `verify`, and of what it finds. */
import type { Subject } from './verified-strategy.ts';

/** `warned`: it is no mistake by itself, but a reason to look. `not tried`: the run gave nothing to check. */
export type Verdict = 'passed' | 'warned' | 'failed' | 'not tried';

export interface Finding {
  readonly verdict: Verdict;
  /** One sentence: what was found, where, and what to do. */
  readonly text: string;
  /** How many runs or moments the finding rests on. */
  readonly tries: number;
}

export interface Check {
  /** At most 12 characters. */
  readonly name: string;
  readonly doc: string;
  readonly of: (subject: Subject) => Promise<Finding> | Finding;
}

export const passed = (text: string, tries: number): Finding => ({ verdict: 'passed', text, tries });
export const warned = (text: string, tries: number): Finding => ({ verdict: 'warned', text, tries });
export const failed = (text: string, tries: number): Finding => ({ verdict: 'failed', text, tries });
export const notTried = (text: string): Finding => ({ verdict: 'not tried', text, tries: 0 });

export const momentText = (time: number): string => new Date(time).toISOString();
