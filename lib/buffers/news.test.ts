import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withNews } from './news';
import { RingBuffer } from './ring-buffer';

it('[PS1] a follower always has the same entries as the buffer', () => {
  const step = fc.constantFrom('add', 'add', 'hold', 'hold', 'change', 'clear', 'tell', 'later');
  const limits = fc.constantFrom({ keep: 4, perSecond: 1_000, latest: 0 }, { keep: 4, perSecond: 1, latest: 2 });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: 'max' }), limits, (steps, limit) => {
      let now = 0;
      const ring = new RingBuffer<{ text: string }>(limit);
      let held: ReturnType<typeof ring.read>['items'] = [];
      let since = 0;
      const tell = (): void => {
        const news = ring.news(since);
        held = withNews(held, news);
        since = news.next;
      };
      for (const [index, one] of steps.entries()) {
        const make = (): { text: string } => ({ text: `${index}` });
        if (one === 'add') ring.add(now, make);
        else if (one === 'hold') void (ring.addLazy(now, 1, make) || ring.add(now, make));
        else if (one === 'later') now += 600;
        else if (one === 'change') ring.change(index % 7, { text: 'changed' });
        else if (one === 'clear') ring.clear();
        else tell();
      }
      tell();
      expect(held).toEqual(ring.read({}).items);
    }),
  );
});
