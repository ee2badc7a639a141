/** Nominal types: a number or string that carries its unit or origin in the type and nothing at run time. */
declare const brand: unique symbol;
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
