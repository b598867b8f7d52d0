import { WheelhouseError } from '@/lib/errors/error';
import type { OidcConfig } from '@/server/config/config';
import type { Invitations } from '../invitations';
import { logEntry } from '../log';
import type { HumanPrincipal } from '../principal';
import type { Recheck } from '../authentication';
import { demandCounting, setUp } from '../second-factors';
import { demandLive } from '../still-live';
import type { Identity, Purpose } from './oidc';
import type { AccessParts } from '../parts';

/** What is known of the browser that somebody comes with. */
interface Browser {
  /** The person whose sign-in it has. */
  readonly signedIn: HumanPrincipal | undefined;
  readonly address: string;
}

/** Finds the person of this server to whom an identity of the provider belongs; makes an account if that is allowed. */
export class ProviderAccounts {
  constructor(
    private readonly parts: AccessParts & { readonly invitations: Invitations; readonly config: OidcConfig },
  ) {}

  /**
   * @returns the id of the person to sign in. Throws FORBIDDEN for a person who has no account and may have none
   * without an
   *   invitation, CONFLICT when another account has the address or the identity, and what invitations throw
   */
  async personOf(identity: Identity, purpose: Purpose, browser: Browser): Promise<string> {
    const { store } = this.parts;
    const accountId = this.#accountId(identity);
    const known = await store.accounts.byProvider(accountId);
    if (purpose.connect !== undefined) return this.#connect(accountId, known, purpose.connect, browser);
    if (purpose.invitation !== undefined)
      return this.#invited(purpose.invitation, identity, known, { accountId, ...browser });
    return (
      known ?? (await this.#sameAddress(identity, accountId, browser)) ?? this.#ofDomain(identity, accountId, browser)
    );
  }

  /** Throws FORBIDDEN when the identity was taken from the account meanwhile. */
  recheckOf(identity: Identity, person: string): Recheck {
    return async ({ accounts }) => {
      if ((await accounts.byProvider(this.#accountId(identity))) !== person) throw noAccount(identity.email);
    };
  }

  async #invited(
    token: string,
    identity: Identity,
    known: string | undefined,
    { accountId, address }: Browser & { readonly accountId: string },
  ): Promise<string> {
    const { invitations } = this.parts;
    const { email } = identity;
    if (known !== undefined) {
      await invitations.addMember(token, known, { address, email });
      return known;
    }
    const newcomer = { name: nameOf(identity), email, provider: accountId, address };
    return (await invitations.addNewcomer(token, newcomer)).id;
  }

  /** An identity of another provider is another one, though its subject may be the same. */
  #accountId({ subject }: Pick<Identity, 'subject'>): string {
    return `${this.parts.config.issuer} ${subject}`;
  }

  async #connect(accountId: string, known: string | undefined, person: string, { signedIn }: Browser): Promise<string> {
    if (signedIn?.person !== person)
      throw new WheelhouseError('UNAUTHENTICATED', 'Your sign-in has ended meanwhile.', { hint: 'Sign in again.' });
    if (known !== undefined && known !== person)
      throw new WheelhouseError('CONFLICT', 'This identity of the provider belongs to another account here.', {
        hint: 'Sign out, and sign in by the provider.',
      });
    const { store, rights, now } = this.parts;
    await store.change(async (tables) => {
      const { accounts, log } = tables;
      await demandLive(tables, signedIn, now());
      await demandCounting(tables, rights, signedIn);
      if (await accounts.hasProvider(person, this.#accountId({ subject: '' }))) throw connectedAlready();
      await accounts.addProvider(person, accountId, now());
      await log.append(signedIn.workspace, logEntry(signedIn, { code: 'providerAdded' }));
    });
    await setUp(this.parts, signedIn, 'oidc');
    return person;
  }

  /**
   * Finds a person by an address that both the provider and this server have verified. Otherwise a person could write
   * somebody else's address into their own account, and the other one's identity would sign in to it.
   */
  async #sameAddress({ email }: Identity, accountId: string, { address }: Browser): Promise<string | undefined> {
    const { store, now } = this.parts;
    if (email === undefined) return undefined;
    return store.change(async ({ people, accounts, log }) => {
      const person = await people.byVerifiedEmail(email);
      if (!person) return undefined;
      const { id, name, workspace } = person;
      // The provider gave the address to somebody else since.
      if (await accounts.hasProvider(id, this.#accountId({ subject: '' }))) throw taken();
      await accounts.addProvider(id, accountId, now());
      await log.append(workspace, logEntry({ id, name, kind: 'human', address }, { code: 'providerAdded' }));
      return id;
    });
  }

  async #ofDomain(identity: Identity, accountId: string, { address }: Browser): Promise<string> {
    const { store, rights, owner, config, now } = this.parts;
    const { workspace } = owner;
    const { email } = identity;
    const domain = email?.slice(email.lastIndexOf('@') + 1);
    if (email === undefined || domain === undefined || !config.domains.includes(domain)) throw noAccount(email);
    const time = now();
    const { id } = await store.change(async ({ people, accounts, log }) => {
      if (await people.byEmail(email)) throw taken();
      if (await people.wasGivenUp(email)) throw noAccount(email);
      const made = await people.add({ workspace, name: nameOf(identity), email, role: config.role }, time);
      await people.verifyEmail(made.id, email, time);
      await accounts.addProvider(made.id, accountId, time);
      const said = { code: 'memberJoined', role: config.role, factor: 'oidc' } as const;
      await log.append(workspace, logEntry({ id: made.id, name: made.name, kind: 'human', address }, said));
      return made;
    });
    rights.apply({ kind: 'member', workspace, person: id, role: config.role });
    return id;
  }
}

const nameOf = ({ name, email }: Identity): string => name ?? email?.split('@')[0] ?? 'Somebody';

function noAccount(email: string | undefined): WheelhouseError {
  const who = email === undefined ? 'The provider gives no verified address for you, and you' : 'You';
  return new WheelhouseError('FORBIDDEN', `${who} have no account on this server.`, {
    hint: 'Ask an admin for an invitation, open it, and continue with the provider there.',
  });
}

function connectedAlready(): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'Your account has an identity of the provider already.');
}

function taken(): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'An account of this server has your address already.', {
    hint: 'Sign in to it in another way, and connect the provider on the page of your account.',
  });
}
