import { WheelhouseError } from '@/lib/errors/error';
import type { SignInView } from '@/server/store/credentials';
import { logEntry } from './log';
import type { HumanPrincipal } from './principal';
import type { AccessParts } from './parts';

/** The sign-ins of a person: where they are signed in, and their ends (AU2). */
export class SignIns {
  constructor(private readonly parts: AccessParts) {}

  /** Newest first. */
  async list({ person, credential }: HumanPrincipal): Promise<(SignInView & { readonly here: boolean })[]> {
    const { store, now } = this.parts;
    return (await store.signIns.list(person, now())).map((signIn) => ({
      ...signIn,
      here: signIn.id === credential.id,
    }));
  }

  /** Ends one sign-in at once, with its sockets and calls. Throws NOT_FOUND, also for that of another person. */
  async end(by: HumanPrincipal, id: string): Promise<void> {
    const { store, live, now } = this.parts;
    await store.change(async ({ signIns, log }) => {
      if (!(await signIns.revoke(by.person, id, now())))
        throw new WheelhouseError('NOT_FOUND', `There is no sign-in "${id.slice(0, 100)}".`);
      const here = id === by.credential.id;
      await log.append(by.workspace, logEntry(by, { code: here ? 'signedOut' : 'signInEnded' }));
    });
    live.bump({ kind: 'cookie', id });
  }

  /**
   * Signs the person out everywhere but here: the other sign-ins and unused links end at once. Returns the number of
   * ended sign-ins.
   */
  async endOthers(by: HumanPrincipal): Promise<number> {
    const { store, live, now } = this.parts;
    const ids = await store.change(async ({ signIns, log }) => {
      await signIns.endTokens(by.person, now());
      await log.append(by.workspace, logEntry(by, { code: 'signedOutEverywhere' }));
      return signIns.revokeAll(by.person, { but: by.credential.id }, now());
    });
    for (const id of ids) live.bump({ kind: 'cookie', id });
    return ids.length;
  }
}
