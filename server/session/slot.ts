/**
 * A named interface of a session or of a session tab. The feature that implements it fills the slot once for each of
 * them; doors, the kernel and other features read it without knowing that feature.
 */
export class Slot<T extends object> {
  readonly #values = new WeakMap<object, T>();

  constructor(private readonly name: string) {}

  fill(owner: object, value: T): void {
    this.#values.set(owner, value);
  }

  /** Throws Error when no feature filled the slot: the list of features is wrong. */
  of(owner: object): T {
    const value = this.#values.get(owner);
    if (!value) throw new Error(`No feature of this session provides "${this.name}".`);
    return value;
  }
}
