/** The same keys with any text: what a translation of `T` must look like. */
export type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : Shape<T[K]> };
