/** Records as they are saved and handed on: what is not there is absent. */

/** Without what is undefined: commands and programs tell apart what is absent. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** The record; undefined if it has no entries. */
export function unlessEmpty<T extends object>(all: T): T | undefined {
  return Object.keys(all).length === 0 ? undefined : all;
}
