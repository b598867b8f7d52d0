import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { refOf } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

/** Small targets in the corners and in between; each click notes where it came. */
const CELLS = [0, 1, 2, 3]
  .map(
    (cell) =>
      `<button style="position: fixed; ${cell % 2 ? 'right' : 'left'}: 3px; ${cell > 1 ? 'bottom' : 'top'}: 3px; width: 9px; height: 9px; padding: 0">${cell}</button>`,
  )
  .join('');
const fixture =
  useServerFixture(`<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><title>Size</title><body style="margin: 0">Text${CELLS}
  <script>hits = []; addEventListener('click', (event) => hits.push([event.target.textContent, Math.round(event.clientX), Math.round(event.clientY)]))</script>`);

const SIZES = [
  { width: 1_280, height: 720 },
  { width: 1_280, height: 720, deviceScaleFactor: 2 },
  { width: 390, height: 844, deviceScaleFactor: 3, mobile: true },
  { width: 820, height: 1_180, deviceScaleFactor: 1.5 },
  { width: 1_920, height: 1_080 },
] as const;

describe('resize', () => {
  it.each(SIZES)(
    '[SE4][AC4] the page has the size %o, and each small target is met by ref and by point',
    async (size) => {
      const session = await fixture.again();
      const resized = await fixture.server.act(session, { kind: 'resize', ...size });
      const page = await fixture.server.act(session, {
        kind: 'evaluate',
        fn: '[innerWidth, innerHeight, devicePixelRatio]',
      });
      const snapshot = await fixture.server.snapshot(session);
      for (const cell of ['0', '1', '2', '3'])
        await fixture.server.act(session, { kind: 'click', ref: refOf(snapshot, 'button', cell) });
      const { width, height } = size;
      const points = [
        [7, 7],
        [width - 8, 7],
        [7, height - 8],
        [width - 8, height - 8],
      ] as const;
      for (const [x, y] of points) await fixture.server.act(session, { kind: 'click', at: { x, y } });
      const hits = await fixture.server.act(session, { kind: 'evaluate', fn: 'hits' });

      expect(resized).toMatchObject({ ok: true, value: { width, height } });
      expect(page.value).toEqual([width, height, 'deviceScaleFactor' in size ? size.deviceScaleFactor : 1]);
      const named = points.map(([x, y], cell) => [String(cell), x, y]);
      expect(hits.value).toEqual([...named.map(([cell]) => [cell, expect.any(Number), expect.any(Number)]), ...named]);
    },
    40_000,
  );

  it.each([{}, { fullPage: true }, { selector: 'body' }, { labels: true }])(
    '[SE4][PS5] a picture %o of a page of density 2 has the pixels of the device',
    async (more) => {
      const session = await fixture.again();
      await fixture.server.act(session, { kind: 'resize', width: 400, height: 300, deviceScaleFactor: 2 });
      const { value } = await fixture.server.act(session, { kind: 'screenshot', ...more });
      const png = Buffer.from(z.object({ base64: z.string() }).parse(value).base64, 'base64');

      // Source: PNG, section 11.2.1: width and height of the picture.
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
        800,
        'selector' in more ? expect.any(Number) : 600,
      ]);
    },
  );

  it('[AC8] an impossible size names the field', async () => {
    const session = await fixture.again();
    const wrong = await Promise.all(
      [
        { width: 0, height: 10 },
        { width: 10, height: 8_193 },
        { width: 10, height: 10, deviceScaleFactor: 0 },
      ].map((size) =>
        fixture.server.api('POST', `/api/v1/sessions/${session}/tabs/active/act`, { kind: 'resize', ...size }),
      ),
    );
    expect(
      wrong.map(({ status, body }) => [
        status,
        JSON.stringify(body).match(/"(width|height|deviceScaleFactor)\\"/)?.[1],
      ]),
    ).toEqual([
      [400, 'width'],
      [400, 'height'],
      [400, 'deviceScaleFactor'],
    ]);
  });
});
