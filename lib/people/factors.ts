import { z } from 'zod';

/** What a person proved when they signed in. */
export const factorSchema = z.enum(['link', 'invitation', 'password', 'password+code', 'passkey', 'oidc']);
export type Factor = z.infer<typeof factorSchema>;
