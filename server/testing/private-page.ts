import { vi } from 'vitest';
import type { ControlView } from '@/lib/protocol/views';
import { ask, type Client } from './socket-client';
import type { ServerFixture } from './server-fixture';

/**
 * Shows typed text in every way that a page has: its colour, title, address, console, requests, storage. Escape clears
 * it.
 */
export const PRIVATE_PAGE = `<title>Calm</title><body style="margin:0;background:#fff;height:600px"><input id="f" aria-label="Word" autofocus style="position:absolute;top:200px"><button>Go</button>
<div id="m" style="position:absolute;left:0;bottom:0;width:60px;height:60px;background:#00f"></div><script>
  let step = 0; const move = () => { m.style.left = (step++ * 7) % 600 + 'px'; setTimeout(move, 33); }; move();
  const show = () => {
    document.body.style.background = f.value ? '#f00' : '#fff';
    document.title = f.value ? 'Now ' + f.value : 'Calm';
    history.replaceState(null, '', f.value ? '?q=' + f.value : '?');
    if (!f.value) return;
    console.log('typed ' + f.value); fetch('/said?' + f.value); setTimeout(() => { throw new Error('no ' + f.value); });
    localStorage.setItem('q', f.value); document.cookie = 'q=' + f.value;
  };
  f.addEventListener('input', show);
  f.addEventListener('keydown', (event) => { if (event.key !== 'Escape') return; f.value = ''; localStorage.clear(); document.cookie = 'q=; max-age=0'; show(); });
  f.focus();
</script>`;
/** A form with two fields whose names do not look secret, and that repeats nothing elsewhere. */
export const PRIVATE_FORM = `<title>Form</title><label>First <input id="a" autofocus></label><label>Second <input id="b"></label><div><input maxlength="1" aria-label="Box 1" id="c" oninput="d.focus()"><input maxlength="1" aria-label="Box 2" id="d"></div>
<script>a.focus(); addEventListener('input', ({ target }) => target.setAttribute('value', target.value));</script>`;

export interface Driver {
  readonly id: string;
  readonly person: Client;
  type(text: string): Promise<void>;
  key(key: string): Promise<void>;
  hold(options?: { private?: boolean; reason?: string; until?: 'field' | 'ended' }): Promise<ControlView>;
}

/** A session with a person who holds the lease. */
export async function driving(fixture: ServerFixture, page = '/', person = fixture.person()): Promise<Driver> {
  const { id } = await fixture.server.session(`${fixture.site}${page}`, 'driver');
  await ask(person, 'session.join', { session: id });
  const control = async (options: object): Promise<ControlView> => {
    const answer = await ask(person, 'control', { session: id, tab: 't1', do: 'take', ...options });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.data.control;
  };
  const { epoch } = await control({});
  const send = async (event: Parameters<typeof ask<'input'>>[2]['event']): Promise<void> => {
    const answer = await ask(person, 'input', { session: id, tab: 't1', epoch, geometry: 0, event });
    if (!answer.ok) throw new Error(answer.error.message);
  };
  const press = { code: '', location: 0, repeat: false, modifiers: 0 } as const;
  return {
    id,
    person,
    type: (text) => send({ type: 'text', text }),
    key: async (key) => {
      await send({ type: 'keydown', ...press, key, code: key });
      await send({ type: 'keyup', ...press, key, code: key });
    },
    hold: (options) => control({ private: true, ...options }),
  };
}

/** Collects all pictures of one session that a connection receives. */
export async function watchPictures(
  client: Client,
  id: string,
  tier: 'thumbnail' | 'standard' = 'thumbnail',
): Promise<{ pictures: Uint8Array[]; paused: () => boolean }> {
  const pictures: Uint8Array[] = [];
  let state = '';
  client.on('frame', (_meta, picture, painted) => {
    pictures.push(new Uint8Array(picture));
    painted();
  });
  client.on('stream.status', (status) => (state = status.state));
  await ask(client, 'session.join', { session: id });
  await ask(client, 'stream.open', { session: id, tab: 't1', tier });
  return { pictures, paused: () => state === 'paused' };
}

/** Settles when the list has grown by so many. */
export const grows = (list: readonly unknown[], by: number): Promise<void> => {
  const from = list.length;
  return soon(() => list.length >= from + by);
};

/** Settles when the condition holds; polls, for conditions without an event. */
export async function soon(holds: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { timeout: 20_000, interval: 20 });
}

/** Settles when the page has shown the typed text. */
export async function typed(fixture: ServerFixture, id: string, text: string): Promise<void> {
  await soon(() => fixture.inside(id).registry.all()[0]?.tab.url.includes(text) ?? false);
}
