import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const PAGE = `<style>button, a { position: absolute; left: 100px; width: 120px; height: 40px; border: 0; background: #fff }</style>
  <button style="top: 100px">Buy</button><a href="#x" style="top: 300px">More</a><button style="top: 1500px">Below</button><p style="height: 2000px">words</p>`;
const box = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
const pictureSchema = z.object({
  format: z.string(),
  base64: z.string(),
  labels: z.array(z.object({ ref: z.string(), role: z.string(), name: z.string(), box })),
});
const take = async (action: object) =>
  pictureSchema.parse((await bench.run({ kind: 'screenshot', labels: true, ...action })).outcome?.value);

/** The colours of points of a picture, as Chrome decodes it. */
const coloursAt = (base64: string, format: string, points: readonly (readonly [number, number])[]) =>
  bench.read(`(async () => {
    const picture = await createImageBitmap(await (await fetch('data:image/${format};base64,${base64}')).blob());
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    pen.drawImage(picture, 0, 0);
    return [picture.width + 'x' + picture.height, ...${JSON.stringify(points)}.map(([x, y]) => [...pen.getImageData(x, y, 1, 1).data].slice(0, 3).join(','))];
  })()`);

describe('labels', () => {
  it('[SN9] are drawn into the picture, without touching the page', async () => {
    await bench.show(PAGE);
    const watched = bench.read(
      `new Promise((done) => { const seen = []; new MutationObserver((records) => seen.push(records.length)).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }); window.report = () => done(seen.length); })`,
    );
    const { base64, format, labels } = await take({});
    await bench.read('report()');
    expect([
      labels,
      await coloursAt(base64, format, [
        [100, 120],
        [150, 120],
        [101, 86],
        [400, 400],
      ]),
      await watched,
    ]).toEqual([
      [
        {
          ref: expect.stringMatching(/^e\d+$/),
          role: 'button',
          name: 'Buy',
          box: { x: 100, y: 100, width: 120, height: 40 },
        },
        {
          ref: expect.stringMatching(/^e\d+$/),
          role: 'link',
          name: 'More',
          box: { x: 100, y: 300, width: 120, height: 40 },
        },
      ],
      ['800x600', '179,38,30', expect.stringMatching(/^(\d+),\1,\1$/), '179,38,30', '255,255,255'],
      0,
    ]);
  });

  it("[SN9] are at the element's place in a picture of the whole page, or of one element", async () => {
    await bench.show(PAGE);
    await bench.read('scrollTo(0, 1200)');
    const [whole, one] = [
      await take({ fullPage: true, format: 'jpeg', quality: 90 }),
      await take({ selector: 'button', nth: 1 }),
    ];
    expect([
      whole.format,
      whole.labels.map(({ box: { x, y } }) => [x, y]),
      one.labels.map(({ name, box: { x, y } }) => [name, x, y]),
    ]).toEqual([
      'jpeg',
      [
        [100, 100],
        [100, 300],
        [100, 1500],
      ],
      [['Below', 0, 0]],
    ]);
    const [, edge] = z.array(z.string()).parse(await coloursAt(whole.base64, 'jpeg', [[100, 1520]]));
    expect(Number(edge?.split(',')[0])).toBeLessThan(120);
  });

  it('[SN9] go with a snapshot', async () => {
    await bench.show(PAGE);
    const { outcome } = await bench.run({ kind: 'snapshot', interactive: true, labels: true });
    expect(outcome?.value).toMatchObject({
      text: expect.stringContaining('button "Buy"'),
      picture: { format: 'png', labels: [{ name: 'Buy' }, { name: 'More' }] },
    });
  });

  it('[GU3] a page that replaced built-in functions does not affect them', async () => {
    await bench.show(
      `${PAGE}<script>window.createImageBitmap = document.createElementNS = HTMLCanvasElement.prototype.toDataURL = () => { throw new Error('mine') }; window.Blob = undefined</script>`,
    );
    expect((await take({})).labels).toHaveLength(2);
  });
});
