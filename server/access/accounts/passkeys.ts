import { WheelhouseError } from '@/lib/errors/error';
import type { Passkey } from '@/server/store/accounts';
import type { Headers as RequestHeaders, RequestFacts } from '../credential';
import { CAPS } from '../limits';
import { logEntry } from '../log';
import type { AccessParts } from '../parts';
import type { HumanPrincipal } from '../principal';
import type { Admitted } from '../authentication';
import { demandCounting, endMadeBy, removed, setUp } from '../second-factors';
import { demandLive } from '../still-live';
import type { Accounts } from './accounts';

/** What the browser's `navigator.credentials` gets, and the cookies that belong to it. */
interface Challenge {
  readonly options: object;
  readonly setCookies: readonly string[];
}

/** What the browser answered with an existing passkey, as JSON. */
interface PasskeyProof {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly clientExtensionResults: object;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}

/** Passkeys: they sign in without a password, and count as a second factor, because they verify their user (AU2). */
export class Passkeys {
  constructor(
    private readonly accounts: Accounts,
    private readonly parts: AccessParts,
  ) {}

  list(by: HumanPrincipal): Promise<Passkey[]> {
    return this.parts.store.accounts.passkeysOf(by.person);
  }

  /**
   * Begins with a new passkey. Throws UNSUPPORTED at an IP address, QUOTA when the person has too many, and as
   * `demandFactorProof`.
   */
  async begin(by: HumanPrincipal, currentPassword: string | undefined, request: RequestFacts): Promise<Challenge> {
    this.#demandDomain(request.headers);
    await this.accounts.demandFactorProof(by, currentPassword);
    const { length: used } = await this.list(by);
    if (used >= CAPS.passkeysPerPerson) throw tooMany(used);
    const name = (await this.parts.store.people.find(by.person))?.email ?? by.name;
    const { response, headers } = await this.accounts.auth.asUser(by.person, request.headers, (api, own) =>
      api.generatePasskeyRegistrationOptions({ query: { name }, headers: own, returnHeaders: true }),
    );
    return { options: response, setCookies: this.accounts.auth.passedOn(headers, request.headers) };
  }

  /**
   * Adds the passkey that the browser made; the sign-in counts with a second factor from then on. Throws FORBIDDEN when
   * it does not verify, or did not verify its user, UNAUTHENTICATED when the sign-in has ended meanwhile, QUOTA.
   */
  async add(
    by: HumanPrincipal,
    { name, response }: { readonly name: string; readonly response: object },
    request: RequestFacts,
  ): Promise<Passkey> {
    await demandCounting(this.parts.store, this.parts.rights, by);
    const { id } = await this.accounts.auth.asUser(by.person, request.headers, (api, headers) =>
      api.verifyPasskeyRegistration({ body: { name, response }, headers }),
    );
    const added = await this.#keep(by, { id, name }).catch(async (thrown: unknown) => {
      await this.parts.store.accounts.removePasskey(by.person, id);
      throw thrown;
    });
    await setUp(this.parts, by, 'passkey');
    return added;
  }

  /** The caller may have lost their sign-in while the library stored the passkey. */
  #keep(by: HumanPrincipal, { id, name }: { readonly id: string; readonly name: string }): Promise<Passkey> {
    const { store, now } = this.parts;
    return store.change(async (tables) => {
      await demandLive(tables, by, now());
      const own = await tables.accounts.passkeysOf(by.person);
      if (own.length > CAPS.passkeysPerPerson) throw tooMany(own.length - 1);
      await tables.log.append(by.workspace, logEntry(by, { code: 'passkeyAdded', name }));
      return own.find((one) => one.id === id) ?? unstored();
    });
  }

  /**
   * Removes a passkey and ends the other sign-ins by passkeys. Throws NOT_FOUND, CONFLICT for the only way to sign in,
   * and as `demandFactorProof`.
   */
  async remove(by: HumanPrincipal, id: string, currentPassword: string | undefined): Promise<void> {
    await this.accounts.demandFactorProof(by, currentPassword);
    const { store, now } = this.parts;
    const found = (await this.list(by)).find((one) => one.id === id);
    const removal = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      if (!found || !(await tables.accounts.removePasskey(by.person, id)))
        throw new WheelhouseError('NOT_FOUND', `There is no passkey "${id.slice(0, 100)}".`);
      await this.accounts.demandWayIn(tables, by);
      await tables.log.append(by.workspace, logEntry(by, { code: 'passkeyRemoved', name: found.name ?? id }));
      const last = (await tables.accounts.passkeysOf(by.person)).length === 0;
      return endMadeBy(tables, 'passkey', by, { last, now: now() });
    });
    removed(this.parts, removal);
  }

  /**
   * What the browser of a stranger needs to sign in by a passkey. Throws UNSUPPORTED at an IP address, RATE_LIMITED.
   */
  async challenge(request: RequestFacts): Promise<Challenge> {
    this.#demandDomain(request.headers);
    await this.parts.limits.passkeyChallengesPerAddress.demand(request.address);
    const { response, headers } = await this.accounts.auth.callByPasskey(request.headers, (api, own) =>
      api.generatePasskeyAuthenticationOptions({ headers: own, returnHeaders: true }),
    );
    return {
      options: { ...response, userVerification: 'required' },
      setCookies: this.accounts.auth.passedOn(headers, request.headers),
    };
  }

  /** Signs in by a passkey. Throws UNAUTHENTICATED, RATE_LIMITED. */
  async signIn(response: PasskeyProof, request: RequestFacts): Promise<Admitted> {
    const { limits } = this.parts;
    await limits.passkeysPerAddress.demand(request.address);
    const answer = await this.accounts.auth.callByPasskey(request.headers, (api, own) =>
      api.verifyPasskeyAuthentication({ body: { response }, headers: own, returnHeaders: true }),
    );
    await limits.passkeysPerAddress.refund(request.address);
    const { session, user } = answer.response;
    return this.accounts.admit({ token: session.token, user }, answer.headers, 'passkey', request, async (tables) => {
      if (!(await tables.accounts.hasPasskey(user.id, response.id))) throw gone();
    });
  }

  #demandDomain(headers: RequestHeaders): void {
    if (this.accounts.methods(headers).passkey.available) return;
    throw new WheelhouseError('UNSUPPORTED', 'A passkey belongs to a domain: browsers make none for an IP address.', {
      hint: 'Open this server by its name: localhost on this computer, or the address of PUBLIC_URL.',
    });
  }
}

function tooMany(used: number): WheelhouseError {
  const limit = CAPS.passkeysPerPerson;
  return new WheelhouseError('QUOTA', `An account has at most ${limit} passkeys.`, { details: { limit, used } });
}

function unstored(): never {
  throw new WheelhouseError('INTERNAL', 'The new passkey was not stored.');
}

function gone(): WheelhouseError {
  return new WheelhouseError('UNAUTHENTICATED', 'This passkey is not known here.');
}
