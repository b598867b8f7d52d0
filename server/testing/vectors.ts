/**
 * The ways in which a page can request an address (GU1), each as a script that runs in a test page: it gets `url`, and
 * a path of ours that redirects to it.
 */
export const VECTORS = {
  fetch: 'fetch(url, { mode: "no-cors" }).catch(() => 0)',
  xhr: 'const x = new XMLHttpRequest(); x.open("GET", url); x.send()',
  image: 'new Image().src = url',
  script: 'add("script", { src: url })',
  style: 'add("link", { rel: "stylesheet", href: url })',
  font: 'new FontFace("f", `url(${url})`).load().catch(() => 0)',
  media: 'add("video", { src: url, preload: "auto" })',
  iframe: 'add("iframe", { src: url })',
  object: 'add("object", { data: url, type: "text/html" })',
  popup: 'open(url)',
  form: 'const f = add("form", { action: url, method: "post", target: "_blank" }); f.submit()',
  redirect: 'fetch(redirect, { mode: "no-cors" }).catch(() => 0)',
  redirectedFrame: 'add("iframe", { src: redirect })',
  beacon: 'navigator.sendBeacon(url, "x")',
  worker:
    'new Worker(URL.createObjectURL(new Blob([`fetch(${JSON.stringify(url)}, { mode: "no-cors" }).catch(() => 0)`])))',
  workerScript: 'new Worker(URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(url)})`])))',
  events: 'new EventSource(url)',
  socket: 'new WebSocket(url.replace("http", "ws"))',
  prefetch: 'add("link", { rel: "prefetch", href: url })',
  preload: 'add("link", { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: url })',
  rtc: 'const p = new RTCPeerConnection({ iceServers: [{ urls: `turn:${new URL(url).host}?transport=tcp`, username: "u", credential: "c" }] }); p.createDataChannel("d"); p.createOffer().then((o) => p.setLocalDescription(o))',
} as const;
export type Vector = keyof typeof VECTORS;
export const VECTOR_NAMES = Object.keys(VECTORS).filter((name): name is Vector => name in VECTORS);

/** The body of a function that makes the request; for a page at `site` that has `/redirect?to=`. */
export function asking(vector: Vector, url: string, site: string): string {
  const redirect = `${site}/redirect?to=${encodeURIComponent(url)}`;
  return `() => { const url = ${JSON.stringify(url)}, redirect = ${JSON.stringify(redirect)};
    const add = (tag, with_) => document.body.appendChild(Object.assign(document.createElement(tag), with_));
    ${VECTORS[vector]}; }`;
}
