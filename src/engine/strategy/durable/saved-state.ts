/** The saved form of the durable state of a strategy. */

/** What can be kept: finite numbers, text, booleans, null, and lists and plain objects of these. */
export type Storable = string | number | boolean | null | readonly Storable[] | { readonly [name: string]: Storable };

/** By field. */
export type SavedState = Readonly<Record<string, Storable>>;
