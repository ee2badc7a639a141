/** All dialects. */
import type { Dialect } from '../dialect.ts';
import { INTERFACE } from '../interface/dialect.ts';
import { MIX_V2 } from '../mix-v2/dialect.ts';
import type { DialectName } from '../names.ts';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { interface: INTERFACE, 'mix-v2': MIX_V2 };

export function dialectOf(name: DialectName): Dialect {
  return DIALECTS[name];
}

/** The path prefix that is part of what is signed. Only the interface leaves it open, so only there it is configured (assumption A02). */
export function signedPrefixOf({ dialect, signedPrefix }: { readonly dialect: DialectName; readonly signedPrefix: string }): string {
  return dialect === INTERFACE.name ? signedPrefix : dialectOf(dialect).prefix;
}
