import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const TALL = '<div style="height: 3000px"></div>';

describe('scroll', () => {
  it('[AC4] turns a real wheel on the page, by pixels, by pages and to its ends', async () => {
    await bench.show(
      `${TALL}<script>window.wheels = 0; addEventListener('wheel', (e) => { wheels += e.isTrusted ? 1 : 0 })</script>`,
    );
    const places = [];
    for (const how of [{ by: { dy: 250 } }, { pages: 1 }, { to: 'bottom' }, { to: 'top' }]) {
      const { outcome } = await bench.run({ kind: 'scroll', ...how });
      places.push([await bench.read('scrollY'), outcome?.warnings]);
    }
    expect(places).toEqual([
      [250, []],
      [850, []],
      [2400, []],
      [0, []],
    ]);
    expect(await bench.read('wheels')).toBe(4);
  });

  it('[AC1] scrolls the box around an element and reports its position', async () => {
    await bench.show(
      `<div id="box" style="width: 200px; height: 200px; overflow: auto"><p>inside</p>${TALL}</div>${TALL}`,
    );
    const { outcome } = await bench.run({ kind: 'scroll', selector: 'p', by: { dy: 120 } });
    expect(outcome?.value).toMatchObject({ y: 120, moved: { dx: 0, dy: 120 } });
    expect(await bench.read('[box.scrollTop, scrollY]')).toEqual([120, 0]);
  });

  it('[AC1] scrolls the main box of a page that does not scroll itself', async () => {
    await bench.show(`<div id="app" style="height: 600px; overflow: auto">${TALL}</div>`);
    await bench.run({ kind: 'scroll', pages: 2 });
    expect(await bench.read('app.scrollTop')).toBe(1200);
  });

  it('[AC1] leaves an inner box alone when the page is meant', async () => {
    await bench.show(`<div id="box" style="margin: 150px; height: 300px; overflow: auto">${TALL}</div>${TALL}`);
    await bench.run({ kind: 'scroll', by: { dy: 200 } });
    expect(await bench.read('[box.scrollTop, scrollY]')).toEqual([0, 200]);
  });

  it('[AC5] reports when nothing moved, and sets the position when the page swallows wheel events', async () => {
    await bench.show(
      `${TALL}<script>addEventListener('wheel', (e) => e.preventDefault(), { passive: false })</script>`,
    );
    const top = await bench.run({ kind: 'scroll', to: 'top' });
    expect(top.outcome?.warnings).toHaveLength(1);
    await bench.run({ kind: 'scroll', to: 'bottom' });
    expect(await bench.read('scrollY')).toBe(2400);
  });

  it('[AC1] brings an element into view', async () => {
    await bench.show(`${TALL}<button>Far</button>`);
    const { outcome } = await bench.run({ kind: 'scrollIntoView', role: 'button', name: 'Far' });
    expect(outcome).toEqual({ via: 'role', warnings: [] });
    expect(await bench.read('document.querySelector("button").getBoundingClientRect().bottom <= innerHeight')).toBe(
      true,
    );
  });
});
