import { createServer } from 'node:http';

/** Longest time between two moments at which the loop can be stopped. Milliseconds. */
const PAUSE_MS = 100;

let address: Promise<string> | undefined;

/** The address of a server that answers everything after a pause; it runs until the worker ends. */
function pausing(): Promise<string> {
  address ??= new Promise((resolve) => {
    const server = createServer((_, response) => {
      setTimeout(() => response.setHeader('access-control-allow-origin', '*').end(), PAUSE_MS);
    });
    server.listen(0, '127.0.0.1', () => {
      const at = server.address();
      resolve(`http://127.0.0.1:${at === null || typeof at === 'string' ? 0 : at.port}/`);
    });
    server.unref();
  });
  return address;
}

/**
 * The statement of an endless loop, or of one for so many milliseconds, for tests whose subject is not the load on the
 * processor: like `for (;;);` it blocks its page until the script is stopped, but it spends most of its time in
 * synchronous requests. Chrome stops a script only while that computes, so each round computes for a moment, too.
 */
export async function lightLoop(ms = Number.POSITIVE_INFINITY): Promise<string> {
  const url = await pausing();
  return `for (const over = performance.now() + ${ms}; performance.now() < over; ) { const pause = new XMLHttpRequest(); pause.open('GET', '${url}', false); pause.send(); for (const end = performance.now() + 2; performance.now() < end; ); }`;
}
