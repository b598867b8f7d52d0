import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer-core';
import type { TestChrome } from './chrome';

/**
 * A page of a real Chrome at an address of a server, with virtual authenticators. It does what the interface does with
 * the options of the server for a passkey. CDP: `WebAuthn`.
 */
export class PasskeyPage {
  /** Chrome has room for one. */
  #authenticator: string | undefined;

  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
    private readonly cdp: CDPSession,
  ) {}

  static async open(origin: string, { wsUrl }: Pick<TestChrome, 'wsUrl'>): Promise<PasskeyPage> {
    const browser = await puppeteer.connect({ browserWSEndpoint: wsUrl });
    const page = await (await browser.createBrowserContext()).newPage();
    await page.goto(`${origin}/api/docs`);
    const cdp = await page.createCDPSession();
    await cdp.send('WebAuthn.enable');
    return new PasskeyPage(browser, page, cdp);
  }

  /** Puts a fresh authenticator into Chrome, in place of the one before; returns its id. */
  async addAuthenticator({ verifies }: { readonly verifies: boolean }): Promise<string> {
    if (this.#authenticator !== undefined) await this.removeAuthenticator(this.#authenticator);
    const { authenticatorId } = await this.cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: verifies },
        ...{ hasUserVerification: verifies, isUserVerified: verifies, automaticPresenceSimulation: true },
      },
    });
    this.#authenticator = authenticatorId;
    return authenticatorId;
  }

  async removeAuthenticator(authenticatorId: string): Promise<void> {
    this.#authenticator = undefined;
    await this.cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  }

  /** From now on the authenticator does not verify its user. */
  stopVerifying(authenticatorId: string): Promise<void> {
    return this.cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  }

  /** Makes a passkey. `lenient`: as a changed interface that does not ask for the user to be verified. */
  create(options: unknown, { lenient = false } = {}): Promise<unknown> {
    return this.page.evaluate(
      async (text, less) => {
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(text));
        if (less) publicKey.authenticatorSelection = { userVerification: 'discouraged', residentKey: 'discouraged' };
        return JSON.parse(JSON.stringify(await navigator.credentials.create({ publicKey })));
      },
      JSON.stringify(options),
      lenient,
    );
  }

  /** Signs the challenge of a sign-in with a passkey. */
  sign(options: unknown, { lenient = false } = {}): Promise<unknown> {
    return this.page.evaluate(
      async (text, less) => {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(text));
        if (less) publicKey.userVerification = 'discouraged';
        return JSON.parse(JSON.stringify(await navigator.credentials.get({ publicKey })));
      },
      JSON.stringify(options),
      lenient,
    );
  }

  async close(): Promise<void> {
    await this.page.browserContext().close();
    await this.browser.disconnect();
  }
}
