import { z } from 'zod';

const people = {
  origin: z.string(),
  session: z.string(),
  /** Cookies, one for each person. */
  people: z.array(z.string()),
};

/** The orders of the benchmark to the process of people who use the whole server. */
export const peopleOrderSchema = z.discriminatedUnion('do', [
  /**
   * Everybody joins the session and watches its tab. The first takes the wheel, the next `pointing` move their pointers
   * all the time.
   */
  z.object({ do: z.literal('watch'), ...people, pointing: z.number() }),
  /** Everybody looks at the wall, with the picture of the session's card. */
  z.object({ do: z.literal('wall'), ...people }),
  /** Counts the pictures that each person paints in `ms`; reports pictures per second. */
  z.object({ do: z.literal('count'), ms: z.number() }),
  /** The first presses and waits for the picture of the effect, `times` times; reports milliseconds. */
  z.object({ do: z.literal('press'), times: z.number(), pauseMs: z.number() }),
  /** From now on everybody waits for a card with this name, or for a picture of this look. */
  z.object({ do: z.literal('expect'), name: z.string() }),
  z.object({ do: z.literal('expect look'), largerThan: z.number().optional(), smallerThan: z.number().optional() }),
  /** Reports when each person saw what was expected, by `sharedNow`. */
  z.object({ do: z.literal('seen') }),
  z.object({ do: z.literal('leave') }),
]);
export type PeopleOrder = z.infer<typeof peopleOrderSchema>;
