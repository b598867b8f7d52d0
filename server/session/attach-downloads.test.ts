import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBudget } from '@/lib/budget/budget';
import { monotonicClock } from '@/lib/budget/clock';
import { sessionSchema, timelineEventSchema } from '@/lib/protocol/views';
import { CdpConnection } from '@/server/cdp/connection';
import { launchTestChrome } from '@/server/testing/chrome';
import { useServerFixture } from '@/server/testing/server-fixture';

const fixture = useServerFixture({
  '/': '<title>Theirs</title><a href="/report" download>Report</a>',
  '/report': (_, response) =>
    void response.writeHead(200, { 'content-disposition': 'attachment; filename="report.txt"' }).end('theirs'),
});

describe('downloads in the default context of an attached Chrome', () => {
  it('[DI2][BR3] are reported and can be waited for, and stay in the folder that the owner chose', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-theirs-'));
    const chrome = await launchTestChrome();
    const own = await CdpConnection.open(createBudget({ timeoutMs: 10_000, clock: monotonicClock }), chrome.wsUrl, {
      lane: 'commands',
    });
    try {
      await own.browser.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
      await own.browser.send('Target.createTarget', { url: fixture.url });
      await expect
        .poll(async () => (await own.browser.send('Target.getTargets')).targetInfos.map(({ title }) => title), {
          timeout: 10_000,
        })
        .toContain('Theirs');
      await fixture.server.api('POST', '/api/v1/browsers', { cdpUrl: chrome.wsUrl });
      const sessions = z.array(sessionSchema).parse((await fixture.server.api('GET', '/api/v1/sessions')).body);
      const theirs = sessions.find(({ tabs }) => tabs.some(({ url }) => url === fixture.url));
      const tab = theirs?.tabs.find(({ url }) => url === fixture.url)?.id;
      const reply = await fixture.server.act(theirs?.id ?? '', { kind: 'download', do: 'click', selector: 'a', tab });
      const rows = z
        .array(timelineEventSchema)
        .parse((await fixture.server.api('GET', `/api/v1/sessions/${theirs?.id}/timeline?kind=download`)).body);

      expect(reply).toMatchObject({
        ok: true,
        value: { name: 'report.txt', size: 6, kept: false },
        warnings: [expect.stringContaining('a folder of its own')],
      });
      expect(rows.map(({ text }) => text)).toEqual(
        expect.arrayContaining([expect.stringContaining('folder that Chrome itself uses: report.txt')]),
      );
      expect(readFileSync(path.join(folder, 'report.txt'), 'utf8')).toBe('theirs');
    } finally {
      own.close();
      await chrome.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 40_000);
});
