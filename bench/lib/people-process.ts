import { ask, connectClient, type Client } from '@/server/testing/socket-client';
import type { ClientAnswers, ClientEvent, ClientPayload } from '@/lib/protocol/catalog';
import { CROWDED_BYTES } from './pages';
import { peopleOrderSchema, type PeopleOrder } from './people-orders';
import { forMs, sharedNow } from './wait';

/** Runs in a process of its own, so that the cost of people is not counted as the server's. */

/** The highest rate at which the server shows a pointer to others. */
const POINTER_MS = 50;

class Person {
  /** Pictures painted. */
  count = 0;
  onPicture: (bytes: number) => void = () => undefined;
  onCard: (name: string) => void = () => undefined;
  #geometry = 0;
  #epoch = 0;
  #pointing: NodeJS.Timeout | undefined;

  private constructor(
    private readonly client: Client,
    private readonly session: string,
  ) {
    client.on('frame', ({ geometry }, picture, painted) => {
      this.count += 1;
      this.#geometry = geometry;
      this.onPicture(picture.byteLength);
      painted();
    });
    client.on('session.state', ({ name }) => this.onCard(name));
    client.on('goodbye', ({ reason }) => {
      throw new Error(reason);
    });
  }

  static async connect(origin: string, session: string, cookie: string): Promise<Person> {
    const client = connectClient(origin, { headers: { cookie, origin } });
    await new Promise<void>((resolve, reject) => client.once('connect', resolve).once('connect_error', reject));
    return new Person(client, session);
  }

  /** Resolves with the first picture. */
  async watch(): Promise<void> {
    await this.#ask('session.join', { session: this.session });
    await this.#look('standard');
  }

  /** Resolves with the first picture of the card. */
  async lookAtWall(): Promise<void> {
    await this.#ask('wall.watch', {});
    await this.#look('thumbnail');
  }

  async takeLease(): Promise<void> {
    const { control } = await this.#ask('control', { session: this.session, tab: 'active', do: 'take' });
    this.#epoch = control.epoch;
  }

  /** Moves the pointer until the end of the connection. */
  point(): void {
    let step = 0;
    this.#pointing = setInterval(() => {
      step += 1;
      const at = { x: 100 + ((step * 13) % 1_000), y: 100 + ((step * 7) % 500) };
      this.client.emit('cursor', { session: this.session, tab: 'active', at }, () => undefined);
    }, POINTER_MS);
  }

  /** Presses and releases in the picture. */
  press(): void {
    const aim = { session: this.session, tab: 'active', epoch: this.#epoch, geometry: this.#geometry };
    const at = { x: 600, y: 300, button: 'left', clickCount: 1, modifiers: 0 } as const;
    this.client.emit('input', { ...aim, event: { type: 'down', ...at, buttons: 1 } }, ({ ok }) => {
      if (!ok) throw new Error('A press was refused.');
    });
    this.client.emit('input', { ...aim, event: { type: 'up', ...at, buttons: 0 } }, () => undefined);
  }

  close(): void {
    clearInterval(this.#pointing);
    this.client.disconnect();
  }

  async #look(tier: 'standard' | 'thumbnail'): Promise<void> {
    const first = new Promise<void>((resolve) => this.client.once('frame', () => resolve()));
    await this.#ask('stream.open', { session: this.session, tab: 'active', tier });
    await first;
  }

  async #ask<E extends ClientEvent>(event: E, payload: ClientPayload<E>): Promise<ClientAnswers[E]> {
    const answer = await ask(this.client, event, payload);
    if (answer.ok) return answer.data;
    throw new Error(`${event} was refused: ${answer.error.message}`);
  }
}

let people: Person[] = [];
let seen: Promise<number[]> = Promise.resolve([]);

async function watch({ origin, session, people: cookies, pointing }: Extract<PeopleOrder, { do: 'watch' }>) {
  people = await Promise.all(cookies.map((cookie) => Person.connect(origin, session, cookie)));
  await Promise.all(people.map((person) => person.watch()));
  await people[0]?.takeLease();
  for (const person of people.slice(1, 1 + pointing)) person.point();
  return [];
}

async function wall({ origin, session, people: cookies }: Extract<PeopleOrder, { do: 'wall' }>) {
  people = await Promise.all(cookies.map((cookie) => Person.connect(origin, session, cookie)));
  await Promise.all(people.map((person) => person.lookAtWall()));
  return [];
}

async function count({ ms }: Extract<PeopleOrder, { do: 'count' }>): Promise<number[]> {
  const before = people.map((person) => person.count);
  const startedAt = performance.now();
  await forMs(ms);
  const seconds = (performance.now() - startedAt) / 1_000;
  return people.map((person, index) => (person.count - (before[index] ?? 0)) / seconds);
}

/** An even number of presses leaves the look as it was: crowded. */
async function press({ times, pauseMs }: Extract<PeopleOrder, { do: 'press' }>): Promise<number[]> {
  const [driver] = people;
  const samples: number[] = [];
  for (let index = 0; driver && index < times; index += 1) {
    await forMs(pauseMs * (0.8 + Math.random() * 0.4));
    const crowded = index % 2 === 1;
    const startedAt = performance.now();
    const shown = new Promise<void>((resolve) => {
      driver.onPicture = (bytes) => {
        if (bytes > CROWDED_BYTES === crowded) resolve();
      };
    });
    driver.press();
    await shown;
    samples.push(performance.now() - startedAt);
  }
  return samples;
}

function expect(arm: (person: Person, done: (at: number) => void) => void): number[] {
  seen = Promise.all(people.map((person) => new Promise<number>((resolve) => arm(person, resolve))));
  return [];
}

function expectName({ name }: Extract<PeopleOrder, { do: 'expect' }>): number[] {
  return expect((person, done) => {
    person.onCard = (shown) => {
      if (shown === name) done(sharedNow());
    };
  });
}

function expectLook(look: Extract<PeopleOrder, { do: 'expect look' }>): number[] {
  const { largerThan = 0, smallerThan = Number.POSITIVE_INFINITY } = look;
  return expect((person, done) => {
    person.onPicture = (bytes) => {
      if (bytes > largerThan && bytes < smallerThan) done(sharedNow());
    };
  });
}

async function obey(order: PeopleOrder): Promise<number[]> {
  switch (order.do) {
    case 'watch':
      return watch(order);
    case 'wall':
      return wall(order);
    case 'count':
      return count(order);
    case 'press':
      return press(order);
    case 'expect':
      return expectName(order);
    case 'expect look':
      return expectLook(order);
    case 'seen':
      return seen;
    case 'leave':
      for (const person of people) person.close();
      people = [];
      return [];
  }
}

process.on('message', (message) => {
  void obey(peopleOrderSchema.parse(message)).then((figures) => process.send?.({ figures }));
});
