import { z } from 'zod';

/** What can be asked about the wheel of a tab (CO4, CO5); the same at every door. */
export const WHEEL_DEEDS = ['take', 'request', 'grant', 'deny', 'release', 'hand-over', 'hand-back'] as const;

/** Beside `do`. `scope`: the session where it says nothing. `to`: whom to hand over to, a participant's id or name. `note`: for an agent that gets the wheel. */
export const wheelFields = {
  scope: z.enum(['session', 'tab']).optional(),
  note: z.string().max(1_000).optional(),
  to: z.string().min(1).max(200).optional(),
} as const;

const wheelWishSchema = z.object({ do: z.enum(WHEEL_DEEDS), ...wheelFields });
export type WheelWish = z.infer<typeof wheelWishSchema>;
