import { WheelhouseError } from '@/lib/errors/error';
import { addressTaken } from '@/server/store/people';
import type { Accounts } from './accounts/accounts';
import type { RequestFacts } from './credential';
import { demandAddress, type Invitations } from './invitations';
import type { AccessParts } from './parts';
import { humanOf } from './principal';
import type { Admitted, Authentication } from './authentication';

type JoiningParts = AccessParts & {
  readonly invitations: Invitations;
  readonly accounts: Accounts;
  readonly authentication: Authentication;
};

/** Who makes an account by an invitation. */
interface Joiner {
  readonly name: string;
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

/** How somebody with an invitation comes in, and is signed in at once (AU2). */
export class Joining {
  constructor(private readonly parts: JoiningParts) {}

  /**
   * Makes the account of a newcomer. Throws what `Invitations.addNewcomer` and `Accounts.demandWritable` throw,
   * BAD_REQUEST for a password without an address, UNSUPPORTED for one where passwords are switched off, RATE_LIMITED.
   */
  async accept(token: string, { name, email, password }: Joiner, request: RequestFacts): Promise<Admitted> {
    const { invitations, accounts, authentication } = this.parts;
    // No hash is computed for a stranger, nor for an account that cannot be made.
    const { email: invited } = await invitations.open(token);
    demandAddress(invited, email ?? invited);
    if (invited === undefined && email !== undefined) accounts.demandWritable(email);
    if (password !== undefined) accounts.demandPasswords();
    const passwordHash = password === undefined ? undefined : await this.#hash(password, email ?? invited, request);
    const newcomer = { name, email, passwordHash, address: request.address };
    return authentication.admitNewcomer(request, async (tables) => {
      const { id, workspace, role } = await invitations.addNewcomerIn(tables, token, newcomer);
      return { person: id, workspace, role };
    });
  }

  async #hash(password: string, email: string | undefined, { address }: RequestFacts): Promise<string> {
    const { store, limits, accounts } = this.parts;
    if (email === undefined) throw noAddress();
    await limits.newPasswordsPerAddress.demand(address);
    if (await store.people.byEmail(email)) throw addressTaken();
    return accounts.hash(password);
  }

  /** The same for the person who is signed in; returns the id of the workspace. Throws UNAUTHENTICATED without one. */
  async join(token: string, request: RequestFacts): Promise<string> {
    const { invitations, authentication } = this.parts;
    await invitations.open(token);
    const { person } = humanOf(await authentication.requirePrincipal(request));
    return (await invitations.addMember(token, person, { address: request.address })).workspace;
  }
}

function noAddress(): WheelhouseError {
  const problem = 'is needed for a password';
  return new WheelhouseError('BAD_REQUEST', `The body is not valid: email ${problem}.`, {
    hint: 'Give the e-mail address that you want to sign in with.',
    details: { fields: [{ field: 'email', problem }] },
  });
}
