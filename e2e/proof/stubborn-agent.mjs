/**
 * An agent in a process of its own that sends all its actions, whatever the answers: so many at once, the next when one
 * is answered. Sends an action again with the same id when its connection was closed before the answer. Prints a line
 * of JSON for each answer; ends with the last one.
 */
import { setTimeout } from 'node:timers/promises';
import { io } from 'socket.io-client';

const { ORIGIN, KEY, AGENT, SESSION, DOOR, LANES, ACTIONS } = process.env;
const AGAIN_MS = 100;
const PATIENCE_MS = 60_000;
const actions = JSON.parse(ACTIONS);

async function byHttp(action) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-agent': AGENT };
  const response = await fetch(`${ORIGIN}/api/v1/sessions/${SESSION}/tabs/t1/act`, {
    method: 'POST',
    headers,
    body: JSON.stringify(action),
  });
  return response.json();
}

function bySocket() {
  const client = io(ORIGIN, {
    transports: ['websocket'],
    auth: { key: KEY, agent: AGENT },
    reconnectionDelay: AGAIN_MS,
  });
  client.on('disconnect', (reason) => reason === 'io server disconnect' && client.connect());
  return async (action) => {
    for (;;) {
      try {
        const { data, error } = await client
          .timeout(PATIENCE_MS)
          .emitWithAck('act', { session: SESSION, tab: 't1', action });
        return data ?? { error };
      } catch {
        await setTimeout(AGAIN_MS);
      }
    }
  };
}

const send = DOOR === 'http' ? byHttp : bySocket();
let next = 0;
async function lane() {
  while (next < actions.length) {
    const action = actions[next++];
    process.stdout.write(`${JSON.stringify({ id: action.id, answer: await send(action) })}\n`);
  }
}
await Promise.all(Array.from({ length: Number(LANES) }, lane));
process.exit();
