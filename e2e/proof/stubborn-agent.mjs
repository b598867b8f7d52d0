/** An agent in a process of its own that types on and on, whatever it is told; a line for each answer. Ends with its last command. */
const { ORIGIN, KEY, SESSION, COMMANDS } = process.env;
const url = `${ORIGIN}/api/v1/sessions/${SESSION}/tabs/t1/act`;
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-agent': `stubborn ${SESSION}` };

async function type(index) {
  const action = { kind: 'type', selector: '#f', text: 'a', mode: 'append', id: `stubborn ${SESSION} ${index}` };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(action) });
  const { error } = await response.json();
  process.stdout.write(`${index} ${error?.code ?? 'ok'}\n`);
}

/** Several at once, so that some lie in sockets when the process is stopped. */
async function lane(first, step) {
  for (let index = first; index < Number(COMMANDS); index += step) await type(index);
}
await Promise.all([0, 1, 2, 3].map((first) => lane(first, 4)));
