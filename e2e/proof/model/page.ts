import { createServer } from 'node:http';

interface Report {
  /** The page that reports, counted as they are served. */
  readonly page: number;
}

/** An effect in the page, reported before the page does anything else. */
export interface Effect extends Report {
  readonly kind: 'effect';
  /** Number of the button, or the key. */
  readonly tag: string;
  /** What is down in the page at that moment, by name: `left`, `Shift`. */
  readonly held: readonly string[];
}

/** A mouse button, or a key that types nothing, went down in the page. */
export interface PressEffect extends Report {
  readonly kind: 'press';
  /** What went down, by the names of `held`. */
  readonly what: string;
  /** Where: `b7` on that button, `h612` outside of all, at x 612; empty for a key. */
  readonly tag: string;
}

/** Number of buttons of the page; at most one action presses each. */
export const BUTTONS = 60;

/**
 * Each report is a request that blocks the page, so it arrives before Chrome acknowledges the input that caused it;
 * except when the page crashes meanwhile.
 */
const pageOf = (
  number: number,
): string => `<!doctype html><meta charset="utf-8"><title>Model</title><style>button { width: 44px; height: 24px; padding: 0; }</style>
<input id="f" aria-label="Field"><div>${Array.from({ length: BUTTONS }, (_, index) => `<button id="b${index}">${index}</button>`).join('')}</div>
<script>
const down = new Set();
const tell = (fields) => {
  const request = new XMLHttpRequest();
  request.open('POST', '/told?' + new URLSearchParams({ ...fields, page: '${number}', held: [...down].join(' ') }), false);
  request.send();
};
const press = (what, tag) => {
  down.add(what);
  tell({ kind: 'press', what, tag });
};
addEventListener('mousedown', ({ target, clientX }) => press('left', target.id.startsWith('b') ? target.id : 'h' + clientX), true);
addEventListener('mouseup', () => down.delete('left'), true);
addEventListener('click', ({ target }) => { if (target.id.startsWith('b')) tell({ kind: 'effect', tag: target.id }); }, true);
addEventListener('keydown', ({ key }) => { if (key.length === 1) tell({ kind: 'effect', tag: key }); else press(key, ''); }, true);
addEventListener('keyup', ({ key }) => down.delete(key), true);
</script>`;

export interface EffectSite {
  /** Address of the page for one run. */
  url(run: string): string;
  /** Number of the page that was served last. */
  readonly lastPage: number;
  close(): void;
}

/** Serves the page and passes its reports on at the moment they arrive. */
export async function serveEffects(seen: (told: Effect | PressEffect) => void): Promise<EffectSite> {
  let lastPage = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    const field = (name: string): string => searchParams.get(name) ?? '';
    response.setHeader('content-type', 'text/html');
    if (pathname !== '/told') return response.end(pageOf((lastPage += 1)));
    const [page, tag] = [Number(field('page')), field('tag')];
    if (field('kind') === 'press') seen({ kind: 'press', page, tag, what: field('what') });
    else seen({ kind: 'effect', page, tag, held: field('held').split(' ').filter(Boolean) });
    return response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    url: (run) => `http://127.0.0.1:${address.port}/?run=${run}`,
    get lastPage() {
      return lastPage;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
