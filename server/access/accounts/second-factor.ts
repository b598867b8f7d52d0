import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { asWheelhouseError, WheelhouseError } from '@/lib/errors/error';
import type { RequestFacts } from '../credential';
import { logEntry } from '../log';
import { memberOf } from '../members';
import { demandAbove } from '../above';
import type { PeopleTables } from '@/server/store/store';
import type { AccessParts } from '../parts';
import type { HumanPrincipal } from '../principal';
import type { Admitted, Recheck } from '../authentication';
import { canReset, demandCounting, endMadeBy, notCounting, removed, setUp } from '../second-factors';
import { demandLive } from '../still-live';
import { recheckOf, type Accounts, type Proven } from './accounts';
import { tooLate } from './auth-errors';

/** How long a code could be accepted once more, milliseconds: its own half minute, and one before and after. */
const CODE_LIFE_MS = 120_000;
const USED = 'This code was used already.';

interface NewSecondFactor {
  /** `otpauth://…`, for the QR code. */
  readonly uri: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/**
 * Codes of an authenticator app as a second factor of passwords, and recovery codes for people who have lost the app
 * (AU2).
 */
export class SecondFactor {
  constructor(
    private readonly accounts: Accounts,
    private readonly parts: AccessParts,
  ) {}

  /**
   * Makes the secret and the recovery codes; nothing asks for them until `confirm`. Throws CONFLICT when codes are on,
   * and as `demandFactorProof`.
   */
  async begin(
    by: HumanPrincipal,
    currentPassword: string | undefined,
    request: RequestFacts,
  ): Promise<NewSecondFactor> {
    const { store } = this.parts;
    await this.accounts.demandFactorProof(by, currentPassword);
    if ((await store.accounts.factorsOf(by.person)).code) throw onAlready();
    const { totpURI, backupCodes } = await this.accounts.auth.asUser(by.person, request.headers, (api, headers) =>
      this.accounts.withPass((password) => api.enableTwoFactor({ body: { password }, headers })),
    );
    const stored = await this.#stored(by, backupCodes, request);
    await this.#demandLive(by, async ({ accounts }) => {
      if (stored !== undefined) await accounts.removeSecondFactor(by.person, stored);
    });
    const uri = new URL(totpURI);
    // The library names the account by its address; not everybody has one.
    const email = (await store.people.find(by.person))?.email;
    const label = encodeURIComponent(`Wheelhouse:${email ?? by.name}`);
    const secret = uri.searchParams.get('secret') ?? '';
    return { uri: `otpauth://totp/${label}?${uri.searchParams.toString()}`, secret, recoveryCodes: backupCodes };
  }

  /**
   * Turns codes on, with a first one; the sign-in counts with a second factor from then on. Throws FORBIDDEN with the
   * server's time for a wrong one and one that was used already, CONFLICT when codes are on, RATE_LIMITED.
   */
  async confirm(by: HumanPrincipal, code: string, request: RequestFacts): Promise<void> {
    const { store, limits, now } = this.parts;
    // The library does not count the wrong codes of a signed-in person, and would check codes of an app that is in use.
    await limits.codesPerPerson.demand(by.person);
    if ((await store.accounts.factorsOf(by.person)).code) throw onAlready();
    await demandCounting(store, this.parts.rights, by);
    const begun = await store.accounts.recoveryCodesOf(by.person);
    await this.accounts.auth.asUser(by.person, request.headers, (api, headers) =>
      api.verifyTOTP({ body: { code }, headers }),
    );
    if (!(await this.#use(by.person, code)))
      throw new WheelhouseError('FORBIDDEN', USED, { details: { now: now().toISOString() } });
    await limits.codesPerPerson.reset(by.person);
    await setUp(this.parts, by, 'code').catch(async (thrown: unknown) => {
      // The library has turned codes on for a sign-in that has ended meanwhile.
      if (asWheelhouseError(thrown).code === 'UNAUTHENTICATED')
        await store.change(({ accounts }) => accounts.removeSecondFactor(by.person, begun));
      throw thrown;
    });
    await this.#log(by, 'secondFactorOn');
  }

  /** Turns codes off. Throws as `demandFactorProof`. */
  async end(by: HumanPrincipal, currentPassword: string | undefined): Promise<void> {
    await this.accounts.demandFactorProof(by, currentPassword);
    const { store, now } = this.parts;
    const lost = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      await tables.accounts.removeSecondFactor(by.person);
      await tables.log.append(by.workspace, logEntry(by, { code: 'secondFactorOff' }));
      return tables.signIns.endSecondFactor(by.person, 'code');
    });
    notCounting(this.parts, lost);
  }

  /**
   * For a member who has lost their codes: turns them off, and removes their passkeys if they have a password, which
   * ends the sign-ins that were made by them. Throws NOT_FOUND; FORBIDDEN when the person has a role, in whatever
   * workspace, that the caller may not give and take there, or where one of them requires a second factor with which
   * the caller did not sign in; CONFLICT when there is neither.
   */
  async reset(by: HumanPrincipal, id: string): Promise<void> {
    const { store, rights, now } = this.parts;
    const reset = await store.change(async (tables) => {
      await demandLive(tables, by, now());
      const person = await memberOf(tables, by.workspace, id);
      await demandAbove(tables, rights, { by, person });
      const factors = await tables.accounts.factorsOf(id);
      if (!canReset(factors))
        throw new WheelhouseError('CONFLICT', 'This person has neither codes nor passkeys that could be reset.');
      await tables.accounts.removeSecondFactor(id);
      if (factors.password)
        for (const passkey of await tables.accounts.passkeysOf(id)) await tables.accounts.removePasskey(id, passkey.id);
      const { name } = person;
      await tables.log.append(by.workspace, logEntry(by, { code: 'secondFactorReset', name }, { id, name }));
      const lost = await tables.signIns.endSecondFactor(id, 'code');
      if (!factors.password) return { ended: [], lost };
      const passkeys = await endMadeBy(tables, 'passkey', { person: id }, { last: true, now: now() });
      return { ended: passkeys.ended, lost: [...lost, ...passkeys.lost] };
    });
    removed(this.parts, reset);
  }

  /** New recovery codes, in place of the old ones. Throws CONFLICT when codes are off, and as `demandFactorProof`. */
  async renewRecoveryCodes(
    by: HumanPrincipal,
    currentPassword: string | undefined,
    request: RequestFacts,
  ): Promise<readonly string[]> {
    const { accounts } = this.parts.store;
    await this.accounts.demandFactorProof(by, currentPassword);
    if (!(await accounts.factorsOf(by.person)).code)
      throw new WheelhouseError('CONFLICT', 'Codes are off. Turn them on first.');
    const before = await accounts.recoveryCodesOf(by.person);
    const { backupCodes } = await this.accounts.auth.asUser(by.person, request.headers, (api, headers) =>
      this.accounts.withPass((password) => api.generateBackupCodes({ body: { password }, headers })),
    );
    const stored = await this.#stored(by, backupCodes, request);
    await this.#demandLive(by, async (tables) => {
      if (before === undefined || stored === undefined) return;
      await tables.accounts.putBackRecoveryCodes(by.person, before, stored);
    });
    await this.#log(by, 'recoveryCodesMade');
    return backupCodes;
  }

  /** How many recovery codes are left. */
  async recoveryCodesOf(by: HumanPrincipal, request: RequestFacts): Promise<number> {
    if (!(await this.parts.store.accounts.factorsOf(by.person)).code) return 0;
    return (await this.#plainCodesOf(by, request)).length;
  }

  /** Signs in a person who has just given their password. Throws UNAUTHENTICATED, RATE_LIMITED. */
  async signInByCode(code: string, request: RequestFacts): Promise<Admitted> {
    const { limits } = this.parts;
    await limits.codesPerAddress.demand(request.address);
    const proven = this.accounts.provenBefore(request.headers);
    const { response, headers } = await this.accounts.auth.call(request.headers, (api, own) =>
      api.verifyTOTP({ body: { code }, headers: own, returnHeaders: true }),
    );
    if (!(await this.#use(response.user.id, code))) {
      await this.accounts.auth.endSession(request.headers, response.token);
      throw new WheelhouseError('UNAUTHENTICATED', `${USED} Sign in again, with the next one.`, {
        details: { again: 'password', now: this.parts.now().toISOString() },
      });
    }
    await limits.codesPerAddress.refund(request.address);
    const recheck = stillHasCodes(proven, response.user.id);
    return this.accounts.admit(response, headers, 'password+code', request, recheck);
  }

  /** The same by a recovery code, which is used up. */
  async signInByRecoveryCode(code: string, request: RequestFacts): Promise<Admitted> {
    const { limits } = this.parts;
    await limits.codesPerAddress.demand(request.address);
    const proven = this.accounts.provenBefore(request.headers);
    const { response, headers } = await this.accounts.auth.call(request.headers, (api, own) =>
      api.verifyBackupCode({ body: { code }, headers: own, returnHeaders: true }),
    );
    await limits.codesPerAddress.refund(request.address);
    const recheck = stillHasCodes(proven, response.user.id);
    const admitted = await this.accounts.admit(response, headers, 'password+code', request, recheck);
    await this.#log(admitted.principal, 'recoveryCodeUsed');
    return admitted;
  }

  /** After a change that better-auth has stored: undoes it for a caller whose sign-in has ended meanwhile (T9). */
  async #demandLive(by: HumanPrincipal, undo: (tables: PeopleTables) => Promise<void>): Promise<void> {
    const { store, now } = this.parts;
    const ended = await store.change(async (tables) => {
      try {
        return await demandLive(tables, by, now());
      } catch (thrown) {
        await undo(tables);
        return asWheelhouseError(thrown);
      }
    });
    if (ended) throw ended;
  }

  /** These recovery codes as they are stored; undefined when others have replaced them (by another sign-in). */
  async #stored(by: HumanPrincipal, codes: readonly string[], request: RequestFacts): Promise<string | undefined> {
    // Read first: if the plain codes are still the same afterwards, these are theirs.
    const stored = await this.parts.store.accounts.recoveryCodesOf(by.person);
    if (stored === undefined) return undefined;
    return isDeepStrictEqual(await this.#plainCodesOf(by, request), codes) ? stored : undefined;
  }

  async #plainCodesOf(by: HumanPrincipal, request: RequestFacts): Promise<readonly string[]> {
    const { backupCodes } = await this.accounts.auth.call(request.headers, (api) =>
      api.viewBackupCodes({ body: { userId: by.person } }),
    );
    return backupCodes;
  }

  #log(by: HumanPrincipal, code: 'secondFactorOn' | 'recoveryCodesMade' | 'recoveryCodeUsed'): Promise<void> {
    return this.parts.log.write(by.workspace, logEntry(by, { code }));
  }

  /** Uses a code up; false when it was used before. The library accepts one again for a minute and a half. */
  #use(person: string, code: string): Promise<boolean> {
    const { store, now } = this.parts;
    const digest = createHash('sha256').update(`${person} ${code}`).digest('hex');
    return store.accounts.useCode(person, digest, new Date(now().getTime() + CODE_LIFE_MS), now());
  }
}

function onAlready(): WheelhouseError {
  return new WheelhouseError('CONFLICT', 'Codes are on already. Turn them off first.');
}

/** As `recheckOf`; also throws when the codes of the person were turned off meanwhile. */
function stillHasCodes(proven: Proven | undefined, person: string): Recheck {
  const recheck = recheckOf(proven, person);
  return async (tables) => {
    await recheck(tables);
    if (!(await tables.accounts.factorsOf(person)).code) throw tooLate();
  };
}
