/** The effective configuration for output: every key, its value and its source. Of secrets only their presence is shown. */
import { maskAddress } from '../schema/base-url.ts';
import type { LoadedConfig } from '../load.ts';
import { leaves, variableOf } from '../schema/settings-schema.ts';

export interface EffectiveKey {
  readonly key: string;
  readonly value: unknown;
  readonly source: string;
  readonly doc: string;
  /** The variable that sets it; "" for a list or table. */
  readonly variable: string;
}

/** One entry per key, in the order of the schema. */
export function effectiveKeys(loaded: LoadedConfig): readonly EffectiveKey[] {
  return [...leaves().values()].map((leaf) => ({
    key: leaf.path,
    value: shown(leaf.path.split('.').reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], loaded.settings)),
    source: loaded.sources.get(leaf.path) ?? 'default',
    doc: leaf.doc,
    variable: leaf.isScalar ? variableOf(leaf.path) : '',
  }));
}

function shown(value: unknown): unknown {
  return typeof value === 'string' ? maskAddress(value) : value;
}
