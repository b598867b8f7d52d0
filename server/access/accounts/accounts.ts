import { isIP } from 'node:net';
import { BoundedMap } from '@/lib/async/bounded-map';
import { WheelhouseError } from '@/lib/errors/error';
import type { Role } from '@/lib/rights/roles';
import type { AccountFactors } from '@/server/store/accounts';
import type { Factor } from '@/lib/people/factors';
import type { Person } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import type { Headers, RequestFacts } from '../credential';
import { logEntry, serverEntry } from '../log';
import type { AccessParts } from '../parts';
import type { HumanPrincipal } from '../principal';
import type { Admitted, Authentication, Recheck } from '../authentication';
import { demandCounting, endMadeBy, removed } from '../second-factors';
import { demandLive } from '../still-live';
import { randomToken } from '../tokens';
import { Auth } from './auth';
import { noPasswords, tooLate } from './auth-errors';
import { SerialQueue } from './serial-queue';
import { hashPassword, isPasswordOf } from './password-hash';

type AccountsParts = AccessParts & {
  readonly authentication: Authentication;
  /** The cost of new hashes, as a power of two. */
  readonly passwordCost: number;
};

/** What a right password leads to. */
type PasswordOutcome =
  | ({ readonly kind: 'signedIn' } & Admitted)
  /** A code is asked for next. */
  | { readonly kind: 'secondFactor'; readonly setCookies: readonly string[] };

/** What a person sees of their own account. */
interface AccountView extends AccountFactors {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly workspace: string;
  readonly role: Role | null;
  readonly serverOwner: boolean;
  readonly factor: Factor;
  readonly signedInAt: string;
  /** What a change of the account asks for. */
  readonly proof: Proof;
}

/**
 * How a signed-in person proves once more that it is them: by their password, or where they have none by a recent
 * sign-in.
 */
type Proof = 'password' | 'sign-in';

/** A person who has given their password, and their stamp before that. */
export interface Proven {
  readonly person: string;
  readonly stamp: number;
}

/** The most sign-ins that wait for a code at once; a further one displaces the oldest. */
const MOST_CHALLENGES = 10_000;
/** How many hashes may wait in each queue: each hash takes 64 MiB and a fifth of a second. */
const MOST_WAITING = 20;
/** How long a sign-in counts as recent, milliseconds. */
const RECENT_MS = 15 * 60_000;
const NO_DOMAIN = { available: false, reason: 'ip-address' } as const;

/** Accounts of people, and how they sign in by password (AU2). */
export class Accounts {
  readonly auth: Auth;
  readonly #parts: AccountsParts;
  /** Two queues, so that the guesses of strangers do not delay people whose browser is known (T15). */
  readonly #strangers = new SerialQueue(MOST_WAITING, tooManySignIns);
  readonly #known = new SerialQueue(MOST_WAITING, tooManySignIns);
  readonly #newPasswords = new SerialQueue(MOST_WAITING, tooManyNewPasswords);
  /** The people who gave their password and are asked for a code, by the cookie of the challenge. */
  readonly #challenges = new BoundedMap<string, Proven>(MOST_CHALLENGES);
  /** Words that stand for a password which was proved a moment ago. */
  readonly #passes = new Set<string>();
  #hashes = 0;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    const passwords = {
      hash: (password: string) => this.#hash(password),
      verify: async ({ hash, password }: { hash: string; password: string }) =>
        this.#passes.delete(password) || this.#isPasswordOf(hash, password),
    };
    this.auth = new Auth({ ...parts, passwords });
  }

  /** How many hashes of passwords were computed so far. */
  get hashes(): number {
    return this.#hashes;
  }

  /** The time of the server, for codes that depend on it. */
  get time(): string {
    return this.#parts.now().toISOString();
  }

  /** How people can sign in at the address that they have opened. */
  methods(headers: Headers) {
    const { hostname } = new URL(this.#parts.authentication.siteOf(headers).origin);
    // A passkey belongs to a domain; browsers refuse to make one for an IP address.
    const passkey = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { available: true } : NO_DOMAIN;
    return { password: this.#parts.passwordSignIn, passkey, now: this.time };
  }

  /** Throws UNSUPPORTED where passwords are switched off. */
  demandPasswords(): void {
    if (!this.#parts.passwordSignIn) throw noPasswords();
  }

  /**
   * The hash of a new password, computed in a queue of its own, so that sign-ins do not wait for it. It takes a fifth
   * of a second: compute it before `Store.change`, and store it there by `accounts.setPassword` of the tables.
   */
  hash(password: string): Promise<string> {
    return this.#newPasswords.run(() => this.#hash(password));
  }

  /** Gives a person a password, in place of the one they had. */
  async setPassword(person: string, password: string): Promise<void> {
    const { store, now } = this.#parts;
    const hash = await this.hash(password);
    await store.change(({ accounts }) => accounts.setPassword(person, hash, now()));
  }

  /**
   * Signs a person in by address and password. Counts each try before any hash is computed: of a browser that the
   * person signed in with before by itself, of all others together (T15). Throws UNAUTHENTICATED, the same for an
   * unknown address and a wrong password, RATE_LIMITED, and UNSUPPORTED where passwords are switched off.
   */
  async signInByPassword(
    { email, password }: { readonly email: string; readonly password: string },
    request: RequestFacts,
  ): Promise<PasswordOutcome> {
    const { store, authentication, limits } = this.#parts;
    this.demandPasswords();
    const person = await store.people.byEmail(email);
    const stamp = person && (await store.signIns.stampOf(person.id));
    const known = await authentication.knownBrowser(person?.id ?? '', request.headers);
    if (known === undefined) {
      await limits.passwordsPerAddress.demand(request.address);
      await limits.passwordsPerAccount.demand(email);
    } else {
      await limits.passwordsPerKnownBrowser.demand(known);
      await limits.hashesPerPerson.demand(person?.id ?? '');
    }
    const queue = known === undefined ? this.#strangers : this.#known;
    const { response, headers } = await queue
      .run(() =>
        this.auth.call(request.headers, (api, own) =>
          api.signInEmail({ body: { email, password }, headers: own, returnHeaders: true }),
        ),
      )
      .catch((thrown: unknown) => {
        if (person) this.#countWrong(person, request.address);
        throw thrown;
      });
    if (known === undefined) {
      await limits.passwordsPerAddress.refund(request.address);
      await limits.passwordsPerAccount.reset(email);
    } else await limits.passwordsPerKnownBrowser.reset(known);
    const proven = person && stamp !== undefined ? { person: person.id, stamp } : undefined;
    if ('twoFactorRedirect' in response) {
      const challenge = this.auth.challengeOf(request.headers, headers);
      if (proven && challenge !== undefined) this.#challenges.set(challenge, proven);
      return { kind: 'secondFactor', setCookies: this.auth.passedOn(headers, request.headers) };
    }
    const recheck = recheckOf(proven, response.user.id);
    return { kind: 'signedIn', ...(await this.admit(response, headers, 'password', request, recheck)) };
  }

  /** The person who gave their password before the browser of this request was asked for a code. */
  provenBefore(headers: Headers): Proven | undefined {
    return this.#challenges.get(this.auth.challengeOf(headers) ?? '');
  }

  /**
   * Ends better-auth's session, and signs in the person whom it proved.
   *
   * @param set the headers that better-auth set
   */
  async admit(
    { token, user }: { readonly token: string | undefined; readonly user: { readonly id: string } },
    set: globalThis.Headers,
    factor: Factor,
    request: RequestFacts,
    recheck: Recheck,
  ): Promise<Admitted> {
    if (token !== undefined) await this.auth.endSession(request.headers, token);
    const admitted = await this.#parts.authentication.admitPerson(user.id, factor, request, recheck);
    return { ...admitted, setCookies: [...admitted.setCookies, ...this.auth.passedOn(set, request.headers)] };
  }

  async view({ person, workspace, credential }: HumanPrincipal): Promise<AccountView> {
    const { store, rights, now } = this.#parts;
    const [found, factors, signIns] = await Promise.all([
      store.people.find(person),
      store.accounts.factorsOf(person),
      store.signIns.list(person, now()),
    ]);
    const signIn = signIns.find(({ id }) => id === credential.id);
    if (!found || !signIn) throw new WheelhouseError('UNAUTHENTICATED', 'This sign-in has ended. Sign in again.');
    // A person who can read the data directory owns the server: its link stands for a forgotten password.
    const byLink = found.serverOwner && signIn.factor === 'link' && this.#isRecent(signIn.createdAt);
    return {
      ...{ id: person, name: found.name, email: found.email ?? null, serverOwner: found.serverOwner },
      ...{ workspace, role: rights.roleOf(workspace, person) ?? null },
      ...{ factor: signIn.factor, signedInAt: signIn.createdAt },
      ...factors,
      proof: factors.password && !byLink ? 'password' : 'sign-in',
    };
  }

  /**
   * Throws FORBIDDEN for an address of OIDC_DOMAINS: a person who wrote that of a colleague would keep them from their
   * account. Such an address comes from the provider, or from an invitation for it.
   */
  demandWritable(email: string): void {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (!this.#parts.domains.includes(domain)) return;
    throw new WheelhouseError('FORBIDDEN', `The addresses of ${domain} are given out by the provider of this server.`, {
      hint: 'Sign in by the provider, or ask an admin for an invitation for this address.',
    });
  }

  /**
   * Changes name or address; a new address asks for a proof, and ends the person's links for a new password. Throws
   * CONFLICT when the address is taken, FORBIDDEN as `demandWritable`.
   */
  async change(
    by: HumanPrincipal,
    { name, email, currentPassword }: { name?: string; email?: string; currentPassword?: string | undefined },
  ): Promise<void> {
    const { store, now } = this.#parts;
    if (email !== undefined) await this.demandProof(by, currentPassword);
    await store.change(async (tables) => {
      const { people, signIns, log } = tables;
      await demandLive(tables, by, now());
      const before = (await people.find(by.person))?.email;
      if (email !== undefined && email.toLowerCase() !== before) this.demandWritable(email);
      if (name !== undefined) {
        await people.setName(by.person, name, now());
        await log.append(by.workspace, logEntry(by, { code: 'nameSet', name }));
      }
      if (email === undefined) return;
      await people.setEmail(by.person, email, now());
      await signIns.endTokens(by.person, now(), 'password');
      await log.append(by.workspace, logEntry(by, { code: 'addressSet' }));
    });
  }

  /**
   * Changes the caller's password and ends their other sign-ins and their links for a new password; only the browser of
   * this request stays known. Throws CONFLICT for a person without an address, and as `demandProof`.
   */
  async changePassword(
    by: HumanPrincipal,
    { password, currentPassword }: { password: string; currentPassword?: string | undefined },
    { headers }: RequestFacts,
  ): Promise<void> {
    const { store, live, limits, authentication, now } = this.#parts;
    this.demandPasswords();
    await this.demandProof(by, currentPassword);
    if ((await store.people.find(by.person))?.email === undefined)
      throw new WheelhouseError('CONFLICT', 'A password is used together with an e-mail address, and you have none.', {
        hint: 'Give your address first.',
      });
    await limits.hashesPerPerson.demand(by.person);
    const hash = await this.hash(password);
    const here = await authentication.knownBrowser(by.person, headers);
    const ended = await store.change(async (tables) => {
      const { accounts, signIns, log } = tables;
      await demandLive(tables, by, now());
      await accounts.setPassword(by.person, hash, now());
      await signIns.endTokens(by.person, now(), 'password');
      await signIns.forgetBrowsers(by.person, here);
      await log.append(by.workspace, logEntry(by, { code: 'passwordSet' }));
      return signIns.revokeAll(by.person, { but: by.credential.id }, now());
    });
    for (const id of ended) live.bump({ kind: 'cookie', id });
  }

  /**
   * Removes the caller's identity of the provider and ends their other sign-ins by it. Throws NOT_FOUND when there is
   * none, CONFLICT when they could not sign in any more, and as `demandFactorProof`.
   */
  async removeProvider(by: HumanPrincipal, currentPassword: string | undefined): Promise<void> {
    const { store, now } = this.#parts;
    await this.demandFactorProof(by, currentPassword);
    const removal = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      if (!(await tables.accounts.removeProvider(by.person)))
        throw new WheelhouseError('NOT_FOUND', 'Your account has no identity of the provider.');
      await this.demandWayIn(tables, by);
      await tables.log.append(by.workspace, logEntry(by, { code: 'providerRemoved' }));
      return endMadeBy(tables, 'oidc', by, { last: true, now: now() });
    });
    removed(this.#parts, removal);
  }

  /**
   * After a change that takes a way to sign in from the caller: throws CONFLICT when none is left. The owner of the
   * server has its link.
   */
  async demandWayIn({ accounts, people }: PeopleTables, { person }: Pick<HumanPrincipal, 'person'>): Promise<void> {
    const { passwordSignIn, issuer } = this.#parts;
    const { password, passkeys } = await accounts.factorsOf(person);
    if (passkeys > 0 || (password && passwordSignIn)) return;
    if (issuer !== undefined && (await accounts.hasProvider(person, `${issuer} `))) return;
    if ((await people.find(person))?.serverOwner === true) return;
    throw new WheelhouseError('CONFLICT', 'You could not sign in any more: this is the only way that you have.', {
      hint: passwordSignIn ? 'Add a passkey or a password first.' : 'Add a passkey first.',
    });
  }

  /**
   * Runs a call of better-auth that asks for the password again, after `demandProof`. It gets a word that stands for
   * the password, once.
   */
  async withPass<T>(work: (password: string) => Promise<T>): Promise<T> {
    const pass = randomToken();
    this.#passes.add(pass);
    try {
      return await work(pass);
    } finally {
      this.#passes.delete(pass);
    }
  }

  /**
   * Asks once more that it is the person themselves, before their account changes: for their password, or where they
   * have none for a sign-in of the last quarter of an hour. Throws FORBIDDEN with what is missing, RATE_LIMITED.
   */
  async demandProof(by: HumanPrincipal, currentPassword: string | undefined): Promise<void> {
    const { store, limits } = this.#parts;
    const [hash, { proof, signedInAt }] = await Promise.all([store.accounts.passwordOf(by.person), this.view(by)]);
    if (hash === undefined || proof === 'sign-in') {
      if (!this.#isRecent(signedInAt))
        throw missing('sign-in', 'Sign in once more: this change needs a sign-in of the last 15 minutes.');
      return;
    }
    if (currentPassword === undefined) throw missing('password', 'This change needs your present password.');
    await limits.proofsPerPerson.demand(by.person);
    await limits.hashesPerPerson.demand(by.person);
    if (!(await this.#known.run(() => this.#isPasswordOf(hash, currentPassword))))
      throw missing('password', 'This is not your present password.');
    await limits.proofsPerPerson.reset(by.person);
  }

  /**
   * Asks the same before a second factor is added or removed. Where the person has one already, the sign-in must count
   * with it. Throws as `demandProof` and `demandCounting`.
   */
  async demandFactorProof(by: HumanPrincipal, currentPassword: string | undefined): Promise<void> {
    await demandCounting(this.#parts.store, this.#parts.rights, by);
    await this.demandProof(by, currentPassword);
  }

  #isRecent(signedInAt: string): boolean {
    return this.#parts.now().getTime() - Date.parse(signedInAt) <= RECENT_MS;
  }

  #countWrong({ id, name, workspace }: Person, address: string): void {
    const said = (times: number) => ({ code: 'signInFailed', name, factor: 'password', times }) as const;
    this.#parts.log.count(workspace, `password ${id}`, (times) =>
      serverEntry(said(times), { about: { id, name }, address }),
    );
  }

  #hash(password: string): Promise<string> {
    this.#hashes += 1;
    return hashPassword(password, this.#parts.passwordCost);
  }

  #isPasswordOf(hash: string, password: string): Promise<boolean> {
    this.#hashes += 1;
    return isPasswordOf(hash, password);
  }
}

/** Throws UNAUTHENTICATED when the sign-ins of the person have ended, or their password has changed, meanwhile. */
export function recheckOf(proven: Proven | undefined, person: string): Recheck {
  return async ({ signIns }) => {
    if (proven?.person !== person || (await signIns.stampOf(person)) !== proven.stamp) throw tooLate();
  };
}

function missing(proof: Proof, message: string): WheelhouseError {
  return new WheelhouseError('FORBIDDEN', message, { details: { proof } });
}

function tooManyNewPasswords(): WheelhouseError {
  return new WheelhouseError('RATE_LIMITED', 'Too many people choose a password at this moment. Try again soon.', {
    details: { retryInMs: 5_000 },
  });
}

function tooManySignIns(): WheelhouseError {
  return new WheelhouseError('RATE_LIMITED', 'Too many people sign in at this moment. Try again in a few seconds.', {
    details: { retryInMs: 5_000 },
  });
}
