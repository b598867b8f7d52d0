import type { Store } from '@/server/store/store';

/**
 * Whether the owner of a server that other computers can reach can sign in without the link of the terminal: by a
 * password, a passkey or the provider (AU1). Until then the server serves no page.
 */
export class FirstOwner {
  #settled: boolean;

  /** @param beyond other computers can reach this server */
  constructor(
    private readonly store: Pick<Store, 'accounts'>,
    private readonly owner: string,
    beyond: boolean,
  ) {
    this.#settled = !beyond;
  }

  async isMissing(): Promise<boolean> {
    if (this.#settled) return false;
    const { password, passkeys, oidc } = await this.store.accounts.factorsOf(this.owner);
    this.#settled = password || passkeys > 0 || oidc;
    return !this.#settled;
  }
}
