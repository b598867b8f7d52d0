import { EMULATION_FIELDS, type Emulation, type EmulationChange, type EmulationField } from '@/lib/state/emulation';
import type { ScriptOwner } from '@/server/cdp/evaluate/script-names';

/**
 * The settings of an agent that are suspended while somebody else has the wheel: they change the meaning of the page's
 * requests, or get in a person's way. Settings of appearance stay.
 */
const PUT_ASIDE: ReadonlySet<EmulationField> = new Set<EmulationField>([
  'offline',
  'headers',
  'credentials',
  'geolocation',
  'throttling',
]);

/** A setting that an agent made, and the value before it. */
interface Setter {
  readonly agent: ScriptOwner;
  readonly before: Emulation;
}

/** Records which settings were made by agents, so that they can be suspended for others (CO3). */
export class Setters {
  readonly #setByAgents = new Map<EmulationField, Setter>();

  /**
   * Records a change of settings.
   * @param agent the agent who changes them; undefined for a person, whose settings apply to everybody
   */
  changes(change: EmulationChange, before: Emulation, agent: ScriptOwner | undefined): void {
    for (const field of EMULATION_FIELDS) {
      if (change[field] === undefined) continue;
      if (agent) this.#setByAgents.set(field, { agent, before: this.#setByAgents.get(field)?.before ?? before });
      else this.#setByAgents.delete(field);
    }
  }

  /** The settings that apply to the present holder. */
  seenBy(driver: string | undefined, settings: Emulation): Emulation {
    const seen: Record<string, unknown> = { ...settings };
    for (const { field, before } of this.#others(driver)) {
      if (!PUT_ASIDE.has(field)) continue;
      if (before[field] === undefined) Reflect.deleteProperty(seen, field);
      else seen[field] = before[field];
    }
    return seen;
  }

  /** The agents' settings that are suspended for the present holder, and those that stay. */
  left(
    driver: string | undefined,
    settings: Emulation,
  ): { field: EmulationField; agent: ScriptOwner; aside: boolean }[] {
    return this.#others(driver).flatMap(({ field, agent }) =>
      settings[field] === undefined ? [] : [{ field, agent, aside: PUT_ASIDE.has(field) }],
    );
  }

  #others(driver: string | undefined): (Setter & { field: EmulationField })[] {
    return driver === undefined
      ? []
      : [...this.#setByAgents].flatMap(([field, setter]) => (setter.agent.id === driver ? [] : [{ field, ...setter }]));
  }
}
