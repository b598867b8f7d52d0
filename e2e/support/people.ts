import type { APIRequestContext, BrowserContext } from '@playwright/test';
import { expect, textField, type ProductFixture } from './product';

/** The link of an invitation that the owner makes. */
export async function invitationLink(
  { origin }: ProductFixture,
  { request: owner }: BrowserContext,
  role: string,
): Promise<string> {
  const made = await owner.post(`${origin}/api/v1/invitations`, { headers: { origin }, data: { role } });
  return textField(await made.json(), 'url');
}

/** Joins by an invitation, with an account where an address and a password are given; `guest` is signed in then. */
export async function join(
  product: ProductFixture,
  owner: BrowserContext,
  guest: APIRequestContext,
  { role = 'member', ...account }: { name: string; email?: string; password?: string; role?: string },
): Promise<void> {
  const { origin } = product;
  const token = new URL(await invitationLink(product, owner, role)).hash.slice(1);
  const accepted = await guest.post(`${origin}/api/v1/invitations/accept`, {
    headers: { origin },
    data: { token, ...account },
  });
  expect(accepted.status()).toBe(200);
}
