/** The type of a translation of `T`: the same keys with any text. */
export type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> };
