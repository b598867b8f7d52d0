import { inspect } from 'node:util';

/** A value that must never be printed (R8): every conversion to text gives its name instead. */
export class Secret {
  readonly name: string;
  readonly #value: string;

  constructor(name: string, value: string) {
    this.name = name;
    this.#value = value;
  }

  /** The value itself, for the one place that uses it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return `[secret:${this.name}]`;
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}
