import { WheelhouseError } from '@/lib/errors/error';
import type { Factor } from '@/lib/people/factors';
import type { SignIn, NewSignIn } from '@/server/store/credentials';
import type { Membership } from '@/server/store/people';
import type { PeopleTables } from '@/server/store/store';
import { addressKey } from './address-key';
import { cookieName, knownCookieName, linkCookieName, readCookies, setCookie } from './cookies';
import {
  linkNamed,
  presentedBy,
  presentedByGuest,
  repeatedHeader,
  single,
  type Headers,
  type PresentedCredential,
  type RequestFacts,
} from './credential';
import { checkHostOrigin, isSentByPage, type ProvenanceVerdict } from './host-origin';
import type { Keys } from './keys';
import type { Links } from './links';
import { LastUses, noted } from './last-uses';
import { logEntry, serverEntry } from './log';
import { participantId, type Credential, type HumanPrincipal, type Principal } from './principal';
import type { Site } from './sites';
import { hashToken, isToken, randomToken, sameHash } from './tokens';
import type { AccessParts } from './parts';

/** The lifetime of a start-up link, milliseconds. */
export const TOKEN_LIFE_MS = 3_600_000;
/** The lifetime of a sign-in, milliseconds. */
export const SIGN_IN_LIFE_MS = 30 * 86_400_000;
/** How long a browser is known, seconds. */
const KNOWN_LIFE_S = 365 * 86_400;

/** A person who was signed in. */
export interface Admitted {
  /** Values for `Set-Cookie`. */
  readonly setCookies: readonly string[];
  readonly principal: HumanPrincipal;
}

/** Asks in the transaction of a sign-in whether what the person proved still counts; throws when it does not. */
export type Recheck = (tables: PeopleTables) => Promise<void>;

/**
 * Authenticates callers: people by a cookie, which they get by a one-time link or when they have proved who they are in
 * another way; agents by a key (AU1, R1, R2).
 */
export class Authentication {
  readonly #parts: AccessParts & { readonly keys: Keys; readonly links: Links };
  readonly #lastUses = new LastUses();

  constructor(parts: AccessParts & { readonly keys: Keys; readonly links: Links }) {
    this.#parts = parts;
  }

  /** Issues a one-time token for the owner: 256 bits, valid for one hour. */
  async issueToken(): Promise<string> {
    const { store, owner, now } = this.#parts;
    await store.signIns.prune(now());
    const token = randomToken();
    const expiresAt = new Date(now().getTime() + TOKEN_LIFE_MS);
    await store.signIns.addToken(
      { workspace: owner.workspace, person: owner.id, hash: hashToken(token), expiresAt },
      now(),
    );
    return token;
  }

  /** Issues the link that the server prints at start: the first site with a new token. */
  async issueLink(): Promise<string> {
    const [site] = this.#parts.sites();
    if (!site) throw new WheelhouseError('INTERNAL', 'The server does not listen yet.');
    return `${site.origin}/sign-in?token=${await this.issueToken()}`;
  }

  /**
   * Exchanges a one-time token for a sign-in. Looks up the token first and counts only wrong ones, so that wrong tokens
   * cannot lock out a holder of a right one; 256 random bits need no limit against guessing. Throws UNAUTHENTICATED
   * (the same for unknown, used and expired tokens), RATE_LIMITED after too many, and FORBIDDEN when a page sent the
   * browser here.
   */
  async redeem(token: string, request: RequestFacts): Promise<Admitted> {
    const { store, limits, now } = this.#parts;
    demandClick(request.headers);
    const hash = hashToken(token);
    const canRedeem = isToken(token) && (await store.signIns.canRedeem(hash, now()));
    const redeemed = ({ signIns }: PeopleTables) => signIns.redeemToken(hash, 'sign-in', now());
    const admitted = canRedeem ? await this.#admit('link', request, redeemed) : undefined;
    if (admitted) return admitted;
    this.#countWrong(request.address);
    await limits.signInPerAddress.demand(request.address);
    throw new WheelhouseError('UNAUTHENTICATED', 'This sign-in link was used already or is too old.', {
      hint: 'Take a fresh link from the terminal where Wheelhouse runs.',
    });
  }

  /**
   * Signs in a person who has proved who they are. Throws UNAUTHENTICATED when they are in no
   * workspace any more, and as `recheck`.
   */
  async admitPerson(
    person: string,
    factor: Factor,
    request: RequestFacts,
    recheck: Recheck = () => Promise.resolve(),
  ): Promise<Admitted> {
    const admitted = await this.#admit(factor, request, async (tables) => {
      const workspace = await workspaceOf(tables, person);
      if (workspace === undefined) return undefined;
      await recheck(tables);
      return { person, workspace };
    });
    if (admitted) return admitted;
    throw ended();
  }

  /**
   * Signs a newcomer in, in one commit with their account: without the sign-in, somebody without a password could not
   * come back to it.
   *
   * @param join makes the account
   */
  async admitNewcomer(request: RequestFacts, join: (tables: PeopleTables) => Promise<Membership>): Promise<Admitted> {
    const admitted = await this.#admit('invitation', request, join);
    if (admitted) return admitted;
    throw ended();
  }

  /**
   * Makes the sign-in of a person, in one commit with the proof of who they are. Two cookies: that of the sign-in, and
   * one by which this browser is known as theirs afterwards.
   *
   * @param prove returns the person and the workspace that opens, with the role if they joined it just now; undefined:
   *   nobody is signed in
   */
  async #admit(
    factor: Factor,
    { headers, address }: RequestFacts,
    prove: (tables: PeopleTables) => Promise<(Omit<Membership, 'role'> & Partial<Membership>) | undefined>,
  ): Promise<Admitted | undefined> {
    const { store, live, rights, now, port } = this.#parts;
    const rev = live.stamp();
    const [secret, time] = [randomToken(), now()];
    let known = randomToken();
    const expiresAt = new Date(time.getTime() + SIGN_IN_LIFE_MS);
    const facts = { factor, address, agent: single(headers, 'user-agent'), expiresAt };
    const made = await store.change(async (tables) => {
      const proven = await prove(tables);
      if (!proven) return undefined;
      known = (await this.#knownToken(tables, proven.person, headers)) ?? known;
      await tables.signIns.knowBrowser(hashToken(known), proven.person, time);
      const { person, workspace, role } = proven;
      const signIn = await this.#add(tables, { person, workspace, ...facts, hash: hashToken(secret) });
      return { signIn, role, principal: await this.#human(signIn, { rev, address }, tables) };
    });
    if (!made) return undefined;
    const { signIn, role, principal } = made;
    const { person, workspace } = signIn;
    if (role !== undefined) rights.apply({ kind: 'member', workspace, person, role });
    rights.signedIn(signIn);
    const site = this.siteOf(headers);
    return {
      principal,
      setCookies: [
        setCookie(site, cookieName(site, port()), secret, SIGN_IN_LIFE_MS / 1_000),
        setCookie(site, knownCookieName(site, port()), known, KNOWN_LIFE_S),
      ],
    };
  }

  /** Whether the person signed in with the browser of this request before; returns the name of its own bucket. */
  async knownBrowser(
    person: string,
    headers: Headers,
    tables: Pick<PeopleTables, 'signIns'> = this.#parts.store,
  ): Promise<string | undefined> {
    const token = await this.#knownToken(tables, person, headers);
    return token === undefined ? undefined : hashToken(token);
  }

  /** The text of the cookie by which the browser of this request is known as one of the person. */
  async #knownToken(
    { signIns }: Pick<PeopleTables, 'signIns'>,
    person: string,
    headers: Headers,
  ): Promise<string | undefined> {
    const name = knownCookieName(this.siteOf(headers), this.#parts.port());
    const [token, ...more] = readCookies(single(headers, 'cookie'), name);
    if (token === undefined || more.length > 0 || !isToken(token)) return undefined;
    return (await signIns.isKnownBrowser(hashToken(token), person)) ? token : undefined;
  }

  /** Adds a sign-in with its row in the log, where it is named by the browser that it is for. */
  async #add({ signIns, people, log }: PeopleTables, signIn: NewSignIn): Promise<SignIn> {
    const { person: id, workspace, factor, address, agent = '' } = signIn;
    const made = await signIns.add(signIn, this.#parts.now());
    const name = (await people.find(id))?.name ?? '';
    const said = { code: 'signedIn', factor } as const;
    await log.append(workspace, logEntry({ id, name, kind: 'human', address }, said, { id: made.id, name: agent }));
    return made;
  }

  #countWrong(address: string): void {
    const { log, owner } = this.#parts;
    log.count(owner.workspace, `link ${addressKey(address)}`, (times) =>
      serverEntry({ code: 'linkRefused', times }, { address }),
    );
  }

  /** Checks Host, Origin and fetch metadata of a request or upgrade (AU6). Call it before any other check. */
  checkRequest(request: {
    method: string;
    headers: Headers;
    rawHeaders?: readonly string[];
    upgrade?: boolean;
    link?: string | undefined;
  }): ProvenanceVerdict {
    const { headers, method, rawHeaders = [], upgrade = false } = request;
    return checkHostOrigin(
      {
        host: single(headers, 'host'),
        origin: single(headers, 'origin'),
        method,
        upgrade,
        repeated: repeatedHeader(rawHeaders),
        secFetchSite: single(headers, 'sec-fetch-site'),
        secFetchMode: single(headers, 'sec-fetch-mode'),
        secFetchDest: single(headers, 'sec-fetch-dest'),
        credential: this.#presented(headers, request.link).kind,
      },
      this.#parts.sites(),
    );
  }

  /**
   * The valid credential in the headers, for limits that count strangers apart; undefined without one. Costs at most
   * one database lookup, and none for text that cannot be a token. Never throws on client input.
   */
  async provenBy(headers: Headers, link?: string): Promise<Credential | undefined> {
    const presented = this.#presented(headers, link);
    if (presented.kind === 'link') return this.#parts.links.provenBy(presented.link, presented.token);
    if (presented.kind === 'bearer') return this.#parts.keys.credentialOf(presented.token);
    if (presented.kind !== 'cookie') return undefined;
    const signIn = await this.#signIn(presented.token);
    return signIn && { kind: 'cookie', id: signIn.id };
  }

  /**
   * The caller's principal; undefined without a credential. Throws UNAUTHENTICATED for a wrong one, BAD_REQUEST for a
   * bad X-Agent name, NOT_FOUND for a workspace that does not exist for the caller.
   */
  async principalFromRequest(request: RequestFacts): Promise<Principal | undefined> {
    const { live } = this.#parts;
    const principal = await this.#lookUp(request, live.stamp());
    const { workspace } = request;
    const elsewhere = principal?.kind === 'guest' ? undefined : workspace;
    if (principal && elsewhere !== undefined && principal.workspace !== elsewhere) throw noWorkspace(elsewhere);
    if (principal && !live.isLive(principal))
      throw new WheelhouseError('UNAUTHENTICATED', 'This sign-in, key or link has ended.');
    return principal;
  }

  async #lookUp(request: RequestFacts, rev: number): Promise<Principal | undefined> {
    const presented = this.#presented(request.headers, request.link);
    switch (presented.kind) {
      case 'none':
        return undefined;
      case 'conflict':
        throw new WheelhouseError('UNAUTHENTICATED', presented.reason);
      case 'bearer':
        return this.#parts.keys.principal(presented.token, request, rev);
      case 'cookie':
        return this.#byCookie(presented.token, rev, request);
      case 'link':
        return this.#parts.links.principal(presented.link, presented.token, request, rev);
    }
  }

  /** Like `principalFromRequest`, but also throws UNAUTHENTICATED without a credential. */
  async requirePrincipal(request: RequestFacts): Promise<Principal> {
    const principal = await this.principalFromRequest(request);
    if (principal) return principal;
    throw new WheelhouseError('UNAUTHENTICATED', 'Nobody is signed in.');
  }

  /** Ends this sign-in everywhere and returns the `Set-Cookie` value that removes the cookie. */
  async signOut(principal: HumanPrincipal, headers: Headers): Promise<string> {
    const { store, live, now, port } = this.#parts;
    const { person, workspace, credential } = principal;
    await store.change(async ({ signIns, log }) => {
      if (await signIns.revoke(person, credential.id, now()))
        await log.append(workspace, logEntry(principal, { code: 'signedOut' }, { id: credential.id, name: '' }));
    });
    live.bump(principal.credential);
    const site = this.siteOf(headers);
    return setCookie(site, cookieName(site, port()), '', 0);
  }

  async #byCookie(token: string, rev: number, { address, workspace }: RequestFacts): Promise<HumanPrincipal> {
    const signIn = await this.#signIn(token);
    if (!signIn) throw ended();
    await this.#touch(signIn, address);
    return this.#human(signIn, { rev, address, asked: workspace }, this.#parts.store);
  }

  async #touch({ id }: SignIn, address: string): Promise<void> {
    const now = this.#parts.now();
    if (this.#lastUses.take(id, now)) await noted(this.#parts.store.signIns.touch(id, address, now));
  }

  async #signIn(token: string) {
    if (!isToken(token)) return undefined;
    const hash = hashToken(token);
    const signIn = await this.#parts.store.signIns.find(hash, this.#parts.now());
    return signIn && sameHash(signIn.hash, hash) ? signIn : undefined;
  }

  /**
   * The person of a sign-in, in their home workspace unless another one is asked for. Throws UNAUTHENTICATED when they
   * are in no workspace any more, NOT_FOUND when they are not in the one that is asked for.
   */
  async #human(
    signIn: SignIn,
    { rev, address, asked }: { readonly rev: number; readonly address: string; readonly asked?: string | undefined },
    { people }: Pick<PeopleTables, 'people'>,
  ): Promise<HumanPrincipal> {
    const workspace = asked ?? signIn.workspace;
    const person = await people.get(workspace, signIn.person);
    if (!person) throw workspace === signIn.workspace ? ended() : noWorkspace(workspace);
    return {
      kind: 'human',
      id: participantId({ kind: 'person', id: person.id }),
      person: person.id,
      name: person.name,
      workspace,
      rights: this.#parts.rights.ofPerson(workspace, person.id, signIn.id),
      rev,
      expiresAt: Date.parse(signIn.expiresAt),
      credential: { kind: 'cookie', id: signIn.id },
      address,
    };
  }

  /** @param link the share link that the request is for, where its header does not name one */
  #presented(headers: Headers, link = linkNamed(headers)): PresentedCredential {
    if (link !== undefined) return presentedByGuest(headers, link, linkCookieName(this.siteOf(headers), link));
    return presentedBy(headers, cookieName(this.siteOf(headers), this.#parts.port()));
  }

  /** The site that the Host header names; an unknown host counts as the plain loopback site. */
  siteOf(headers: Headers): Site {
    const host = single(headers, 'host') ?? '';
    return this.#parts.sites().find((site) => site.host === host) ?? { origin: `http://${host}`, host, secure: false };
  }
}

/** The same for a workspace of others as for none (T6). */
function noWorkspace(id: string): WheelhouseError {
  return new WheelhouseError('NOT_FOUND', `There is no workspace "${id.slice(0, 100)}".`);
}

function ended(): WheelhouseError {
  return new WheelhouseError('UNAUTHENTICATED', 'This sign-in has ended. Sign in again.');
}

/** The workspace that opens for a person: their home, or else the oldest of their others. */
async function workspaceOf({ people }: PeopleTables, person: string): Promise<string | undefined> {
  const home = (await people.find(person))?.workspace;
  const all = (await people.workspacesOf(person)).map(({ id }) => id);
  return all.find((id) => id === home) ?? all[0];
}

/** Throws FORBIDDEN when a page of another site sent the browser to a sign-in without a click of the person. */
export function demandClick(headers: Headers): void {
  const secFetchSite = single(headers, 'sec-fetch-site');
  if (!isSentByPage({ secFetchSite, secFetchUser: single(headers, 'sec-fetch-user') })) return;
  throw new WheelhouseError('FORBIDDEN', 'A page of another site opened this sign-in link by itself.', {
    hint: 'Open the link yourself: copy it into the address bar.',
  });
}
