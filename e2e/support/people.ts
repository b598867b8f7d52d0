import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { expect, test as base, textField, type ProductFixture } from './product';

/** The link of an invitation that the owner makes, into their home workspace or another one. */
export async function invitationLink(
  { origin }: ProductFixture,
  { request: owner }: BrowserContext,
  role: string,
  workspace?: string,
): Promise<string> {
  const headers = { origin, ...(workspace !== undefined && { 'x-workspace': workspace }) };
  const made = await owner.post(`${origin}/api/v1/invitations`, { headers, data: { role } });
  return textField(await made.json(), 'url');
}

/** Somebody who joins; with an address and a password they have an account that signs in. */
interface Newcomer {
  name: string;
  email?: string;
  password?: string;
  role?: string;
}

/** Joins by an invitation; `guest` is signed in then. */
async function join(
  product: ProductFixture,
  owner: BrowserContext,
  guest: APIRequestContext,
  { role = 'member', ...account }: Newcomer,
): Promise<void> {
  const { origin } = product;
  const token = new URL(await invitationLink(product, owner, role)).hash.slice(1);
  const accepted = await guest.post(`${origin}/api/v1/invitations/accept`, {
    headers: { origin },
    data: { token, ...account },
  });
  expect(accepted.status()).toBe(200);
}

/** Stories with people beside the owner: `member` is a page in a browser of somebody who has joined. */
export const test = base.extend<{ member: (newcomer: Newcomer) => Promise<Page> }>({
  member: ({ product, windows, stranger }, use) =>
    use(async (newcomer) => {
      const page = await stranger();
      await join(product, windows, page.request, newcomer);
      return page;
    }),
});
