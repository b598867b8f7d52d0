import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { TEST_KEY } from '@/server/testing/server';
import type { Campaign } from './campaign';
import type { Ground } from './ground';
import { person } from './person';

const COMMANDS = 60;
const PROGRAM = path.join(import.meta.dirname, 'stubborn-agent.mjs');

/** The agent's own process, with the answers it has had so far. */
function start(ground: Ground, session: string) {
  const env = { PATH: process.env['PATH'] ?? '', ORIGIN: ground.server.origin, KEY: TEST_KEY, SESSION: session, COMMANDS: String(COMMANDS), NODE_ENV: 'production' as const };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const answers: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => answers.push(line.split(' ')[1] ?? ''));
  /** Until so many have been answered. */
  const answered = async (count: number): Promise<void> => {
    while (answers.length < count) await once(lines, 'line');
  };
  return { child, answers, answered, ended: once(child, 'exit') };
}

async function field(ground: Ground, session: string): Promise<string> {
  const { tab } = ground.inside(session).activeSeat();
  return String((await tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'document.querySelector("#f").value', returnByValue: true })).result.value);
}

/** F23: an agent that is stopped, loses the wheel meanwhile and wakes with its commands has no effect any more, and is refused. */
export const sleeper: Campaign = {
  id: 'F23',
  about: 'an agent stopped (SIGSTOP), its wheel taken, woken (SIGCONT): none of its later commands has an effect, each is refused',
  full: 50,
  round: async (ground, random) => {
    const session = await ground.session();
    const owner = await person(ground);
    const { child, answers, answered, ended } = start(ground, session);
    try {
      await answered(random.between(1, 8));
      child.kill('SIGSTOP');
      await owner.control(session, { do: 'take' });
      const atGrant = await field(ground, session);
      await owner.act(session, { kind: 'type', selector: '#f', text: 'P', mode: 'append' });
      child.kill('SIGCONT');
      await ended;
      const effects = answers.filter((code) => code === 'ok').length;
      const told = answers.filter((code) => code === 'CONTROL_HELD' || code === 'CONTROL_LOST').length;
      // One that hammers on meets its limit, too.
      const refused = told + answers.filter((code) => code === 'RATE_LIMITED').length;
      const after = await field(ground, session);
      if (after !== `${atGrant}P`) return `the field held ${atGrant} at the grant and holds ${after}`;
      if (effects > atGrant.length) return `${effects} were told that they typed, and ${atGrant.length} characters are there`;
      return effects + refused === COMMANDS && told > 0 ? undefined : `answered ${[...new Set(answers)].join(', ')}`;
    } finally {
      child.kill('SIGKILL');
      await ground.server.api('DELETE', `/api/v1/sessions/${session}`);
    }
  },
};
