import { describe, expect, it } from 'vitest';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Pictures of noise, which nothing makes smaller. */
const fixture = useServerFixture({
  '/noise': `<canvas></canvas><script>
    for (let round = 0; round < 3; round += 1) {
      const canvas = document.body.appendChild(document.createElement('canvas'));
      canvas.width = canvas.height = 1_600;
      const picture = canvas.getContext('2d').createImageData(1_600, 1_600);
      for (let at = 0; at < picture.data.length; at += 65_536) crypto.getRandomValues(picture.data.subarray(at, at + 65_536));
      for (let at = 3; at < picture.data.length; at += 4) picture.data[at] = 255;
      canvas.getContext('2d').putImageData(picture, 0, 0);
    }
    document.title = 'noise';
  </script>`,
});

describe('pdf', () => {
  it('[AC8][PS5] a document of more than 20 MiB is TOO_LARGE, and the page works on', async () => {
    const session = (await fixture.server.session(`${fixture.site}/noise`)).id;
    const answer = await fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/active/act`, {
      kind: 'pdf',
      timeoutMs: 60_000,
    });
    const after = await fixture.server.act(session, { kind: 'evaluate', fn: 'document.title' });

    expect(answer).toMatchObject({
      status: 413,
      body: {
        ok: false,
        error: {
          code: 'TOO_LARGE',
          message: expect.stringMatching(/PDF/),
          hint: expect.stringMatching(/limit/),
          details: { limit: 20 * 1_048_576 },
        },
      },
    });
    expect(after.value).toBe('noise');
  }, 120_000);
});
