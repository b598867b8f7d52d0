import { signedInPerson } from '@/server/testing/people';
import type { BenchFixture } from '../bench-fixture';
import { Child } from './child';
import type { PeopleOrder } from './people-orders';

/** The process of people who use the whole server. */
export class People extends Child<PeopleOrder> {
  constructor() {
    super(new URL('./people-process.ts', import.meta.url));
  }
}

/** The cookies of new members of the workspace, each signed in. */
export async function members({ server }: BenchFixture, count: number): Promise<string[]> {
  const cookies: string[] = [];
  for (let index = 1; index <= count; index += 1) {
    const { headers } = await signedInPerson(server, 'member', `Person ${index}`);
    cookies.push(headers.cookie);
  }
  return cookies;
}
