/** A promise that its owner settles. Node 20 has no `Promise.withResolvers`. */
export class Deferred<T = void> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;

  constructor() {
    let resolver: (value: T | PromiseLike<T>) => void = () => undefined;
    let rejecter: (reason: unknown) => void = () => undefined;
    this.promise = new Promise<T>((resolve, reject) => {
      resolver = resolve;
      rejecter = reject;
    });
    this.resolve = resolver;
    this.reject = rejecter;
  }
}
