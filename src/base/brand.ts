/** Nominal types: a number or string with its unit or origin in the type, and no cost at run time. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
