/**
 * A named interface of a session. The feature that implements it fills the slot once per session; doors, the kernel and
 * other features read it without knowing that feature.
 */
export class Slot<T extends object> {
  readonly #values = new WeakMap<object, T>();

  constructor(private readonly name: string) {}

  fill(session: object, value: T): void {
    this.#values.set(session, value);
  }

  /** Throws Error when no feature filled the slot: the list of features is wrong. */
  of(session: object): T {
    const value = this.#values.get(session);
    if (!value) throw new Error(`No feature of this session provides "${this.name}".`);
    return value;
  }
}
