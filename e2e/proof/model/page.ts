import { createServer } from 'node:http';

/** What the page did for somebody: told to us before the page did anything else. */
export interface Effect {
  readonly run: string;
  /** Number of the button, or the key. */
  readonly tag: string;
  /** Whether Shift was down. */
  readonly shift: boolean;
}

/** Buttons of the page; each is pressed by one action at most. */
export const BUTTONS = 60;

/** Each effect is sent by a request that blocks the page: it is here before Chrome acknowledges the input that made it. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>Model</title><style>button { width: 44px; height: 24px; padding: 0; }</style>
<input id="f" aria-label="Field"><div>${Array.from({ length: BUTTONS }, (_, index) => `<button id="b${index}">${index}</button>`).join('')}</div>
<script>
const tell = (tag, shift) => {
  const request = new XMLHttpRequest();
  request.open('POST', '/effect' + location.search + '&tag=' + tag + '&shift=' + shift, false);
  request.send();
};
addEventListener('click', (event) => { if (event.target.id.startsWith('b')) tell(event.target.id, event.shiftKey); }, true);
addEventListener('keydown', (event) => { if (event.key.length === 1) tell(event.key, event.shiftKey); }, true);
</script>`;

export interface EffectSite {
  /** Address of the page for one run. */
  url(run: string): string;
  close(): void;
}

/** Serves the page and hands over each effect at the moment that it is told. */
export async function serveEffects(seen: (effect: Effect) => void): Promise<EffectSite> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
    if (pathname === '/effect') seen({ run: searchParams.get('run') ?? '', tag: searchParams.get('tag') ?? '', shift: searchParams.get('shift') === 'true' });
    response.setHeader('content-type', 'text/html').end(pathname === '/effect' ? '' : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    url: (run) => `http://127.0.0.1:${address.port}/?run=${run}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
