import type { Budget } from '@/lib/budget/budget';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import { returnAddress } from '@/lib/text/return-address';
import type { Accounts } from '../accounts/accounts';
import { providerCookieName, readCookies, setCookie } from '../cookies';
import { single, type RequestFacts } from '../credential';
import type { Logger } from '@/server/telemetry/logger';
import { humanOf, type HumanPrincipal } from '../principal';
import type { Authentication } from '../authentication';
import type { Site } from '../sites';
import type { ProviderAccounts } from './provider-accounts';
import { FLOW_MS, type Oidc, type Purpose } from './oidc';

const CALLBACK = '/api/v1/sign-in/oidc/callback';
/** For all questions to the provider of one call together. Milliseconds. */
const PROVIDER_MS = 15_000;

interface ProviderSignInParts {
  readonly oidc: Oidc;
  readonly providerAccounts: ProviderAccounts;
  readonly accounts: Accounts;
  readonly authentication: Authentication;
  readonly logger: Logger;
  readonly port: () => number;
}

/** What the page wants of the provider. */
interface ProviderQuery {
  readonly to?: string | undefined;
  readonly invitation?: string | undefined;
  /** The person who is signed in adds the provider to their account. */
  readonly connect?: boolean | undefined;
  /** Their present password, with `connect`. */
  readonly currentPassword?: string | undefined;
}

/** Where the browser goes, and the cookies that it takes along. */
export interface Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
}

/** Signing in by the provider of OIDC_ISSUER, as the browser sees it (AU2). */
export class ProviderSignIn {
  constructor(private readonly parts: ProviderSignInParts) {}

  /** For the button. */
  get name(): string {
    return this.parts.oidc.name;
  }

  /**
   * To connect asks for a proof, since an identity of the provider outlasts the sign-in that adds it. Throws
   * UNAUTHENTICATED when nobody is signed in who could connect, as `Accounts.demandFactorProof`, and what the provider
   * does not do.
   */
  async begin(budget: Budget, query: ProviderQuery, request: RequestFacts): Promise<Redirect> {
    const { oidc, authentication } = this.parts;
    const { to, invitation, connect } = query;
    const site = authentication.siteOf(request.headers);
    const person = connect === true ? await this.#proven(query, request) : undefined;
    const purpose: Purpose = { to: returnAddress(to), invitation, connect: person };
    const { url, cookie } = await budget
      .within(PROVIDER_MS, (inner) => oidc.begin(inner, purpose, `${site.origin}${CALLBACK}`))
      .catch((thrown: unknown) => {
        this.#warn(thrown, request);
        throw thrown;
      });
    return { location: url, cookies: [this.#cookie(site, cookie, FLOW_MS / 1_000)] };
  }

  /** Never throws: a browser that comes from the provider is led to a page that says what happened. */
  async finish(budget: Budget, query: unknown, request: RequestFacts): Promise<Redirect> {
    const { oidc, authentication } = this.parts;
    const site = authentication.siteOf(request.headers);
    const gone = this.#cookie(site, '', 0);
    const [cookie] = readCookies(single(request.headers, 'cookie'), providerCookieName(site, this.parts.port()));
    try {
      const { to, setCookies } = await this.#arrive(budget, { query, cookie, site }, request);
      return { location: to, cookies: [gone, ...setCookies] };
    } catch (thrown) {
      const { code } = this.#warn(thrown, request);
      const page = oidc.purposeOf(cookie)?.connect === undefined ? '/sign-in' : '/settings/account';
      return { location: `${page}?oidc=${code}`, cookies: [gone] };
    }
  }

  async #arrive(
    budget: Budget,
    { query, cookie, site }: { query: unknown; cookie: string | undefined; site: Site },
    request: RequestFacts,
  ): Promise<{ readonly to: string; readonly setCookies: readonly string[] }> {
    const { oidc, providerAccounts, authentication } = this.parts;
    const { identity, purpose } = await budget.within(PROVIDER_MS, (inner) =>
      oidc.finish(inner, { query, cookie, callback: `${site.origin}${CALLBACK}` }),
    );
    const signedIn = purpose.connect === undefined ? undefined : await this.#signedIn(request);
    const person = await providerAccounts.personOf(identity, purpose, { signedIn, address: request.address });
    if (signedIn) return { to: purpose.to, setCookies: [] };
    const recheck = providerAccounts.recheckOf(identity, person);
    const { setCookies } = await authentication.admitPerson(person, 'oidc', request, recheck).catch(notAdmitted);
    return { to: purpose.to, setCookies };
  }

  /** The id of the person who is signed in, and has proved once more that it is them. */
  async #proven({ currentPassword }: ProviderQuery, request: RequestFacts): Promise<string> {
    const { accounts, authentication } = this.parts;
    const by = humanOf(await authentication.requirePrincipal(request));
    await accounts.demandFactorProof(by, currentPassword);
    return by.person;
  }

  async #signedIn(request: RequestFacts): Promise<HumanPrincipal | undefined> {
    const principal = await this.parts.authentication.principalFromRequest(request).catch(() => undefined);
    return principal?.kind === 'human' ? principal : undefined;
  }

  /** For the owner of the server, who alone can do something about a provider that fails. */
  #warn(thrown: unknown, { address }: RequestFacts): WheelhouseError {
    const error = asWheelhouseError(thrown);
    const { code, message: reason } = error;
    this.parts.logger.warn({ code, reason, address }, 'a sign-in by the provider did not work');
    return error;
  }

  #cookie(site: Site, value: string, seconds: number): string {
    return setCookie(site, providerCookieName(site, this.parts.port()), value, seconds);
  }
}

/** Refuses a person who has an account but was removed from all workspaces. */
function notAdmitted(thrown: unknown): never {
  if (asWheelhouseError(thrown).code !== 'UNAUTHENTICATED') throw thrown;
  throw new WheelhouseError('FORBIDDEN', 'You are a member of no workspace any more.', {
    hint: 'Ask an admin for an invitation.',
    cause: thrown,
  });
}
