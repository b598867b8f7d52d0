/**
 * A named part of a session that others ask for: filled once a session by the feature that has it, read by doors, by
 * the kernel and by other features, which then need not know that feature.
 */
export class Slot<T extends object> {
  readonly #values = new WeakMap<object, T>();

  constructor(private readonly name: string) {}

  fill(session: object, value: T): void {
    this.#values.set(session, value);
  }

  /** Throws when no feature of the session fills it: a fault of the list of features. */
  of(session: object): T {
    const value = this.#values.get(session);
    if (!value) throw new Error(`No feature of this session provides "${this.name}".`);
    return value;
  }
}
