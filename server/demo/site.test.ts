import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDemoSite, type DemoSite } from '@/server/demo/site';

let site: DemoSite;

beforeEach(async () => {
  site = await startDemoSite({ now: () => new Date('2026-11-21T09:00:00Z') });
});
afterEach(() => site.close());

/** A visitor with a cookie jar of one cookie. */
function visitor(): (path: string, form?: Record<string, string> | FormData) => Promise<Response> {
  let cookie = '';
  return async (path, form) => {
    const body = form === undefined || form instanceof FormData ? form : new URLSearchParams(form);
    const response = await fetch(site.url + path, {
      redirect: 'manual',
      headers: { cookie },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
}

async function effects(): Promise<Record<string, number>> {
  const response = await fetch(`${site.url}/__effects`);
  return response.json();
}

const ORDER = {
  fullName: 'Lin <b>Yue</b>',
  email: 'lin@example.org',
  street: '12 Harbour Road',
  city: 'Bristol',
  postcode: 'BS1 4QA',
  country: 'GB',
  delivery: 'express',
  deliveryDate: '2026-12-24',
  cardNumber: '4242424242424242',
  cardExpiry: '12/28',
  cardCode: '987',
  terms: 'yes',
  gift: 'yes',
};

describe('demo site', () => {
  it('[DM1] sells: cart, checkout with a file, confirmation with a number, each counted once', async () => {
    const visit = visitor();
    await visit('/cart/add', { product: 'monstera', size: 'medium', quantity: '2' });
    const form = new FormData();
    for (const [name, value] of Object.entries(ORDER)) form.set(name, value);
    form.set('picture', new File(['leaf'], '<i>leaf</i>.txt'));

    const ordered = await visit('/checkout', form);
    const page = await (await visit(ordered.headers.get('location') ?? '')).text();

    expect(ordered.status).toBe(303);
    expect(ordered.headers.get('location')).toMatch(/^\/orders\/FF-[A-Z2-9]{6}$/);
    expect(page).toContain('2 × Monstera deliciosa, Medium, 17 cm');
    expect(page).toContain('£71.95');
    expect(page).toContain('24 December 2026');
    expect(page).toContain('Card ending in 4242');
    expect(page).toContain('With &lt;i&gt;leaf&lt;/i&gt;.txt');
    expect(await effects()).toMatchObject({ addToCart: 1, orderAttempts: 1, ordersRejected: 0, orders: 1 });
  });

  it("[GU3] escapes visitors' texts wherever it shows them", async () => {
    const visit = visitor();
    await visit('/cart/add', { product: 'monstera', size: 'small', quantity: '1' });
    const evil = `"><script>alert(1)</script>`;

    const pages = await Promise.all([
      visit(`/search?q=${encodeURIComponent(evil)}`),
      visit('/checkout', { fullName: evil, email: evil, country: evil, gift: evil }),
      visit(`/products/${encodeURIComponent(evil)}`),
      visit(`/cart?said=${encodeURIComponent(evil)}`),
    ]);

    for (const page of pages) expect(await page.text()).not.toContain('<script>alert');
  });

  it('[DM1] shows a rejected form again with its mistakes, and never the card', async () => {
    const visit = visitor();
    await visit('/cart/add', { product: 'aloe-vera', size: 'small', quantity: '1' });

    const answer = await visit('/checkout', { ...ORDER, email: 'nobody', cardNumber: '4242424242424241' });
    const page = await answer.text();

    expect(answer.status).toBe(422);
    expect(page).toContain('Enter an email address like name@example.org');
    expect(page).toContain('value="Lin &lt;b&gt;Yue&lt;/b&gt;"');
    expect(page).not.toContain('4242424242424241');
    expect(page).not.toContain('987');
    expect(await effects()).toMatchObject({ orderAttempts: 1, ordersRejected: 1, orders: 0 });
  });

  it('[DM1] orders once: the second sending finds an empty cart', async () => {
    const visit = visitor();
    await visit('/cart/add', { product: 'aloe-vera', size: 'small', quantity: '1' });

    await visit('/checkout', ORDER);
    const second = await visit('/checkout', ORDER);

    expect(second.headers.get('location')).toBe('/cart');
    expect(await effects()).toMatchObject({ orderAttempts: 2, ordersRejected: 1, orders: 1 });
  });

  it('[DM1] keeps carts and orders of different visitors apart', async () => {
    const [one, other] = [visitor(), visitor()];
    await one('/cart/add', { product: 'aloe-vera', size: 'small', quantity: '1' });
    await other('/');
    const order = (await one('/checkout', ORDER)).headers.get('location') ?? '';

    expect(await (await other('/cart')).text()).toContain('There is nothing in your cart yet.');
    expect((await other(order)).status).toBe(404);
  });

  it.each([
    ['/nowhere', undefined, 404],
    ['/products/unicorn', undefined, 404],
    ['/cart/add', undefined, 405],
    ['/plants', {}, 405],
    ['/cart/add', { product: 'monstera', size: 'small', quantity: '99' }, 400],
    ['/cart/add', { product: '__proto__', size: 'small', quantity: '1' }, 400],
    ['/pictures/__proto__.svg', undefined, 404],
    ['/assets/__proto__', undefined, 404],
  ])('[DM1] answers %s with %o by %i', async (path, form, status) => {
    expect((await visitor()(path, form)).status).toBe(status);
  });

  it('[DM1] refuses a form of over 2 MB and still answers', async () => {
    const form = new FormData();
    form.set('picture', new File([new Uint8Array(3 * 1024 * 1024)], 'big.png'));

    const answer = await visitor()('/checkout', form).then(
      (response) => response.status,
      () => 'connection closed',
    );

    expect([413, 'connection closed']).toContain(answer);
    expect((await visitor()('/')).status).toBe(200);
  });

  it('[DM1] refuses a broken form and still answers', async () => {
    const answer = await fetch(`${site.url}/checkout`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'multipart/form-data; boundary=none' },
    });

    expect(answer.status).toBe(400);
    expect((await visitor()('/')).status).toBe(200);
  });

  it('[DM1] loads nothing from elsewhere: every address in its pages is its own', async () => {
    const paths = [
      '/',
      '/plants',
      '/products/monstera',
      '/playground',
      '/care',
      '/size-guide',
      '/strange-text',
      '/frames/reviews?product=monstera',
      '/frames/delivery-map',
    ];

    for (const path of paths) {
      const page = await (await visitor()(path)).text();
      const links = [...page.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);
      expect(links.filter((link) => !link.startsWith('/') && !link.startsWith('#'))).toEqual([]);
      for (const link of links.filter(
        (own) =>
          own.startsWith('/') &&
          !own.startsWith('/hang/') &&
          !own.startsWith('/cart/') &&
          own !== '/frames/reviews/helpful',
      )) {
        expect([link, (await visitor()(link.replaceAll('&amp;', '&'))).status]).toEqual([link, 200]);
      }
    }
  });

  it('[DM1] closes at once, open connections included, and may be closed again', async () => {
    const { hostname, port } = new URL(site.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const ended = once(socket, 'close');

    await site.close();
    await site.close();

    await ended;
    await expect(fetch(site.url)).rejects.toThrow();
  });

  it('[DM1] rejects with the reason of the system when the port is taken', async () => {
    await expect(startDemoSite({ port: Number(new URL(site.url).port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
