import type { Config } from './config';

/**
 * The settings for the server's owner to see. A new setting is not shown until it stands here; of those that hold a
 * secret, or an address that may hold one, only whether they are set (true or false).
 */
export function shownSettings(config: Config): Record<string, string | number | boolean> {
  const { chrome, limits } = config;
  return {
    NODE_ENV: config.mode,
    HOST: config.host,
    PORT: config.port,
    TRUSTED_HOPS: config.trustedHops,
    HEADLESS: String(chrome.headless),
    CHROME_NO_SANDBOX: String(chrome.noSandbox),
    LOG_LEVEL: config.logLevel,
    AGENT_IDLE_MS: config.agentIdleMs,
    SNAPSHOT_MEMORY_BYTES: config.snapshotMemoryBytes,
    TIMELINE_PICTURES_BYTES: config.pictureBytes,
    PASSWORD_SIGN_IN: String(config.passwordSignIn),
    LIMITS: Object.entries(limits)
      .map(([name, limit]) => `${name}=${limit}`)
      .join(' '),
    PUBLIC_URL: config.publicUrl !== undefined,
    TLS_CERT: config.tls !== undefined,
    WHEELHOUSE_API_KEY: config.apiKey !== undefined,
    CHROME_PATH: chrome.path !== undefined,
    CHROME_ARGS: chrome.args.length > 0,
    CHROME_CDP_URL: chrome.cdpUrl !== undefined,
    SEARCH_URL: config.searchEngines.size > 0,
    WEBHOOK_URL: config.webhook !== undefined,
    SMTP_URL: config.mail !== undefined,
    OIDC_ISSUER: config.oidc !== undefined,
  };
}
