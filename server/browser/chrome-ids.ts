import type { CdpSession } from '@/server/cdp/session';

/** What tells one Chrome from any other, whatever the address: ids that it makes at random. */
export interface ChromeIds {
  /** With that of the default context, which is there even where no page is (decision 109). */
  readonly contexts: readonly string[];
  readonly targets: readonly string[];
}

/** Reads them; no page is asked. Sources: Target.getBrowserContexts, Target.getTargets with targets of every type. */
export async function readChromeIds(browser: CdpSession): Promise<ChromeIds> {
  const [{ browserContextIds, defaultBrowserContextId }, { targetInfos }] = await Promise.all([
    browser.send('Target.getBrowserContexts'),
    browser.send('Target.getTargets', { filter: [{}] }),
  ]);
  // A target of the type `browser` is the connection's own, and another for each (measured).
  const targets = targetInfos.filter(({ type }) => type !== 'browser').map(({ targetId }) => targetId);
  return {
    contexts:
      defaultBrowserContextId === undefined ? browserContextIds : [defaultBrowserContextId, ...browserContextIds],
    targets,
  };
}
