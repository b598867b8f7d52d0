import { availableParallelism } from 'node:os';
import { constants, deflateRawSync } from 'node:zlib';
import { COUNTED, floodLimits, type FloodLimits } from '@/lib/flood/limits';
import type { RequestListener } from 'node:http';
import type { WebPage } from './web';

const worker = (script: string): string => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])))`;

/** Scripts of pages that flood their Chrome, each in one way. */
export const FLOODS = {
  pushState:
    'let n = 0; const go = () => { for (let i = 0; i < 2000; i += 1) history.pushState({}, "", "#" + n++); setTimeout(go, 0); }; go();',
  console:
    'let n = 0; const go = () => { for (let i = 0; i < 2000; i += 1) console.log("line " + n++); setTimeout(go, 0); }; go();',
  workers: `for (let i = 0; i < 60; i += 1) ${worker('for (;;);')};`,
  loop: 'for (;;);',
  memory:
    'const kept = window.kept = []; const go = () => { if (kept.length < 16) { kept.push(new Uint8Array(256 * 1048576).fill(7)); setTimeout(go, 50); } }; go();',
  downloads:
    'let n = 0; const go = () => { for (let i = 0; i < 20; i += 1) { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["x".repeat(1000)])); a.download = "f" + n++ + ".txt"; a.click(); } setTimeout(go, 50); }; go();',
  fetches:
    'let n = 0; setInterval(() => { for (let i = 0; i < 20; i += 1) fetch("/small?" + n++).then((r) => r.text()).catch(() => 0); }, 100);',
  frames:
    'for (let i = 0; i < 300; i += 1) { const frame = document.createElement("iframe"); frame.src = "/frame?" + i; document.body.append(frame); }',
  nodes:
    'const box = document.createElement("div"); for (let i = 0; i < 1000000; i += 1) { const p = document.createElement("p"); p.textContent = "n" + i; box.append(p); } document.body.append(box); document.body.offsetHeight;',
  popups:
    'let n = 0; const go = () => { for (let i = 0; i < 25 && n < 500; i += 1) window.open("/small?" + n++, "_blank"); if (n < 500) setTimeout(go, 50); }; go();',
  alerts: 'let n = 0; for (;;) alert("n" + n++);',
  bomb: 'fetch("/zeros").then(async (r) => { const reader = r.body.getReader(); const kept = window.kept = []; for (;;) { const { done, value } = await reader.read(); if (done) break; kept.push(value); } });',
} as const;

export type FloodName = keyof typeof FLOODS;

/** The product's limits with shorter times, for tests that cannot wait as long. */
export function quickLimits(): FloodLimits {
  const limits = floodLimits(availableParallelism(), { slowMb: 500, parkMb: 1_000 });
  const kinds = { ...limits.kinds };
  for (const kind of COUNTED)
    kinds[kind] = { ...kinds[kind], over: kinds[kind].over / 16, slowAfterMs: 0, parkAfterMs: 250 };
  kinds.processor = { ...kinds.processor, slowAfterMs: 250, parkAfterMs: 1_000 };
  kinds.script = { ...kinds.script, slowAfterMs: 500, parkAfterMs: 1_000 };
  kinds.memory = { ...kinds.memory, parkAfterMs: 250 };
  kinds.frames = { ...kinds.frames, slowAfterMs: 0, parkAfterMs: 250 };
  return { ...limits, everyMs: 125, windowMs: 1_000, calmMs: 1_500, noticeMs: 500, kinds };
}

/** A part of a stream that can be repeated, since it refers to nothing before it. */
const ZEROS = deflateRawSync(Buffer.alloc(64 * 1_048_576), { finishFlush: constants.Z_FULL_FLUSH });
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
const PARTS = 160;

/** Ten gigabytes of zeros in ten megabytes. */
const bomb: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' });
  response.write(GZIP_HEAD);
  for (let part = 0; part < PARTS; part += 1) response.write(ZEROS);
  response.end();
};

/** Honest but busy pages; `window.times` counts their rounds. */
const LIVELY = {
  'draws, writes and asks':
    'let n = 0; window.times = 0; setInterval(() => { console.log("built " + n++); }, 20); setInterval(() => fetch("/small?" + n).then((r) => r.text()).catch(() => 0), 50); const c = document.createElement("canvas").getContext("2d"); document.body.append(c.canvas); const draw = () => { c.fillRect(n % 300, 0, 9, 9); window.times += 1; requestAnimationFrame(draw); }; draw();',
  'computes and goes from address to address':
    'let n = 0; window.times = 0; setInterval(() => history.pushState({}, "", "#" + n++), 200); const go = () => { for (const end = performance.now() + 200; performance.now() < end; ); window.times += 1; setTimeout(go, 0); }; go();',
} as const;
export const LIVELY_PAGES = Object.entries(LIVELY).map(([what, script], at) => ({
  what,
  path: `/lively${at}`,
  script,
}));

const CALM =
  '<title>Calm</title><button id="b" onclick="this.textContent = Number(this.textContent) + 1">0</button><input id="f">';

/** A page that runs its script a moment after it has loaded. */
export function floodPage(name: string, script: string): string {
  return `<title>Flood of ${name}</title><body><p>flood<script>addEventListener("load", () => setTimeout(() => { ${script} }, 300));</script>`;
}

/** The pages of a flood server: `/calm`, and one for each flood by its name. */
export const FLOOD_PAGES: Readonly<Record<string, WebPage>> = {
  '/calm': CALM,
  '/small': '<p>small',
  '/frame': '<p>frame<script>setInterval(() => { document.body.append(document.createElement("i")); }, 20)</script>',
  '/zeros': bomb,
  ...Object.fromEntries(
    LIVELY_PAGES.map(({ path, script }) => [path, `<title>Lively</title><body><script>${script}</script>`]),
  ),
  ...Object.fromEntries(Object.entries(FLOODS).map(([name, script]) => [`/${name}`, floodPage(name, script)])),
};
