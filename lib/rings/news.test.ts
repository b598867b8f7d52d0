import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withNews } from './news';
import { Ring } from './ring';

it('[PS1] whoever follows the news has at every moment what the ring holds', () => {
  const step = fc.constantFrom('add', 'change', 'clear', 'tell');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const ring = new Ring<{ text: string }>({ keep: 4, perSecond: 1_000 });
      let held: ReturnType<typeof ring.read>['items'] = [];
      let since = 0;
      const tell = (): void => {
        const news = ring.news(since);
        held = withNews(held, news);
        since = news.next;
      };
      for (const [index, one] of steps.entries()) {
        if (one === 'add') ring.add(0, () => ({ text: `${index}` }));
        else if (one === 'change') ring.change(index % 7, { text: 'changed' });
        else if (one === 'clear') ring.clear();
        else tell();
      }
      tell();
      expect(held).toEqual(ring.read({}).items);
    }),
  );
});
