import { WheelhouseError } from '@/lib/errors/error';
import type { Mail, MailState } from '@/server/mail/mail';
import type { Person } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import type { Accounts } from './accounts/accounts';
import type { Authentication } from './authentication';
import type { RequestFacts } from './credential';
import { logEntry } from './log';
import { passwordMail } from './mail-texts';
import { memberOf } from './members';
import type { HumanPrincipal } from './principal';
import { demandAbove, isAbove } from './above';
import { demandLive } from './still-live';
import { hashToken, isToken, randomToken } from './tokens';
import type { AccessParts } from './parts';

/** How long a link that somebody asked for by themselves can be used, and one that an admin passes on. Milliseconds. */
const ASKED_LIFE_MS = 3_600_000;
const GIVEN_LIFE_MS = 24 * 3_600_000;

interface GivenLink {
  readonly url: string;
  readonly expiresAt: string;
  readonly mail: MailState | 'none';
}

/** Links by which a person chooses a new password; each works once, and only its hash is stored (AU2). */
export class PasswordLinks {
  constructor(
    private readonly parts: AccessParts & { readonly accounts: Accounts; readonly authentication: Authentication },
  ) {}

  /**
   * Sends a link to an address, if it is that of an account; the caller learns neither that nor anything from the time
   * this takes. Returns whether this server sends mails at all. Throws RATE_LIMITED and UNSUPPORTED.
   */
  async forgotten(email: string, { address }: RequestFacts): Promise<boolean> {
    const { accounts, limits, mail } = this.parts;
    accounts.demandPasswords();
    await limits.forgottenPerAddress.demand(address);
    // Limits how many mails strangers can have sent to one address.
    const few = (await limits.forgottenPerAccount.take(email)) === 0;
    if (mail && few) mail.later(() => this.#send(mail, email));
    return mail !== undefined;
  }

  /**
   * Makes a link for a member, for an admin to pass on; it is also sent to their address. Throws NOT_FOUND, CONFLICT
   * for a person without an address, and FORBIDDEN when the person has a role, in whatever workspace, that the caller
   * may not give and take there: who can set a password can sign in as that person. FORBIDDEN also where one of these
   * workspaces requires a second factor with which the caller did not sign in.
   */
  async give(by: HumanPrincipal, id: string): Promise<GivenLink> {
    const { store, accounts, rights, mail, now } = this.parts;
    accounts.demandPasswords();
    const person = await memberOf(store, by.workspace, id);
    if (person.email === undefined) throw noAddress();
    const link = await this.#make(person, GIVEN_LIFE_MS, async (tables) => {
      await demandLive(tables, by, now());
      await demandAbove(tables, rights, { by, person });
      const { name } = person;
      await tables.log.append(by.workspace, logEntry(by, { code: 'passwordLinkMade', name }, { id, name }));
      return by.person;
    });
    mail?.send(link.hash, { to: person.email, ...passwordMail(link) });
    return { url: link.url, expiresAt: link.expiresAt, mail: mail?.stateOf(link.hash) ?? 'none' };
  }

  /**
   * Sets the password of the person whom the link is for. All their sign-ins and other links end, and of the browsers
   * that are known as theirs only the one of this request stays so. Throws NOT_FOUND, the
   * same for unknown, used and expired links, before any hash is computed, and for one whose maker may not make it any
   * more.
   */
  async use(token: string, password: string, { address, headers }: RequestFacts): Promise<void> {
    const { store, accounts, authentication, limits, live, now } = this.parts;
    accounts.demandPasswords();
    const hash = hashToken(token);
    if (!isToken(token) || !(await store.signIns.canRedeem(hash, now(), 'password'))) over();
    await limits.newPasswordsPerAddress.demand(address);
    const passwordHash = await accounts.hash(password);
    const ended = await store.change(async (tables) => {
      const { person, workspace } = (await tables.signIns.redeemToken(hash, 'password', now())) ?? over();
      const found = (await tables.people.find(person)) ?? over();
      const maker = await tables.signIns.makerOf(hash);
      if (maker !== undefined && !(await isAbove(tables, maker, found))) over();
      const { id, name } = found;
      const known = await authentication.knownBrowser(id, headers, tables);
      await tables.accounts.setPassword(id, passwordHash, now());
      await tables.signIns.endTokens(id, now());
      await tables.signIns.forgetBrowsers(id, known);
      await tables.log.append(workspace, logEntry({ id, name, kind: 'human', address }, { code: 'passwordSet' }));
      return tables.signIns.revokeAll(id, {}, now());
    });
    for (const id of ended) live.bump({ kind: 'cookie', id });
  }

  async #send(mail: Mail, email: string): Promise<void> {
    const person = await this.parts.store.people.byEmail(email);
    if (!person) return;
    const link = await this.#make(person, ASKED_LIFE_MS, async ({ people }) => {
      if ((await people.find(person.id))?.email !== person.email) over();
      return undefined;
    });
    mail.send(link.hash, { to: email, ...passwordMail(link) });
  }

  /** @param check says who makes the link for the person, if it is somebody else */
  async #make(
    { id, workspace }: Person,
    lifeMs: number,
    check: (tables: PeopleTables) => Promise<string | undefined>,
  ): Promise<{ readonly hash: string; readonly url: string; readonly expiresAt: string }> {
    const { store, sites, now } = this.parts;
    const token = randomToken();
    const [hash, time] = [hashToken(token), now()];
    const expiresAt = new Date(time.getTime() + lifeMs);
    await store.change(async (tables) => {
      const by = await check(tables);
      await tables.signIns.addToken({ workspace, person: id, hash, purpose: 'password', by, expiresAt }, time);
    });
    // The fragment of an address is sent to no server, and stands in no log.
    return { hash, url: `${sites()[0]?.origin ?? ''}/new-password#${token}`, expiresAt: expiresAt.toISOString() };
  }
}

function noAddress(): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'This person has no e-mail address, which a password needs.', {
    hint: 'They give one on the page of their account; the owner of the server comes in by "npm start -- --link".',
  });
}

/** The same answer for unknown, used and expired links. */
function over(): never {
  throw new WheelhouseError('NOT_FOUND', 'This link was used already, is too old, or does not exist.', {
    hint: 'Ask for a new one on the sign-in page, or an admin of your workspace.',
  });
}
