import { z } from 'zod';
import { ENCODINGS, tracesOf } from '@/lib/secrets/testing/encodings';
import { CANARY_PAGE } from '@/server/testing/canary-page';
import { startWeb } from '@/server/testing/web';
import type { Campaign } from './campaign';
import type { Random } from './random';

/** Characters that encodings and expressions treat differently. */
const UNITS = [...'aZk09', ...'%&"\\+ </>.*()[]$^', 'é', 'ü', '密', '😀'];
/** Characters that one key types. */
const KEYS = [...'aZk09%&"\\<>.*()[]$^ '];
const FIELDS = ['password', 'toggled', 'shown', 'key', 'code', 'card', 'labelled'];
const WAYS = ['type', 'fill', 'press', 'variable'] as const;
const LOOKS = [
  '',
  '/tabs',
  '/timeline?limit=500',
  '/timeline?limit=500&format=jsonl',
  ...[
    'console',
    'errors',
    'requests?details=1',
    'har',
    'snapshot?refs=1&urls=1',
    'snapshot?view=aria',
    'snapshot?view=webarena',
    'cookies',
    'storage/local',
    'storage/session',
  ].map((what) => `/tabs/t1/${what}`),
  '/files',
];
const PAGE_TOLD =
  '() => new Promise((tell) => setTimeout(() => tell([document.documentElement.outerHTML, location.href, document.title, document.cookie, window.name, { ...localStorage }, { ...sessionStorage }]), 0))';

/**
 * T14: types a random secret in a random way into a random field; the page repeats it in every encoding in every place,
 * and no reading shows it.
 */
export const typedSecrets: Campaign = {
  id: 'T14',
  about: 'a typed secret: in no reading, however the page repeats it',
  full: 200,
  round: async (fixture, random) => {
    const web = await startWeb({ '/': CANARY_PAGE, '/said': 'ok', '/pop': '<title>Popup</title>' });
    try {
      const { id } = await fixture.server.session(`${web.origin}/`);
      const way = random.pick(WAYS);
      fixture.count(`by ${way}`);
      const secret = secretBy(random, way === 'press' ? KEYS : UNITS);
      const entered = await fixture.act(id, entering(way, `#${random.pick(FIELDS)}`, secret));
      if (!entered.ok) return `${way} failed: ${JSON.stringify(entered.error)}`;
      const actions = [
        { kind: 'click', role: 'button', name: 'Echo' },
        { kind: 'wait', fn: 'window.told > 0' },
        { kind: 'click', role: 'button', name: 'Ask' },
        { kind: 'dialog', do: 'answer', accept: true },
        { kind: 'extract', what: 'html' },
        { kind: 'extract', what: 'text' },
        { kind: 'evaluate', fn: PAGE_TOLD },
      ];
      const answers: [what: string, answer: unknown][] = [];
      for (const action of actions) answers.push([JSON.stringify(action), await fixture.act(id, action)]);
      for (const look of LOOKS)
        answers.push([look, (await fixture.server.api('GET', `/api/v1/sessions/${id}${look}`)).body]);
      fixture.count('readings', answers.length);
      fixture.count('encodings', Object.keys(ENCODINGS).length);
      await fixture.server.api('DELETE', `/api/v1/sessions/${id}`);
      const failed = answers.find(([, answer]) => z.looseObject({ ok: z.literal(false) }).safeParse(answer).success);
      if (failed) return `${failed[0]}: ${JSON.stringify(failed[1])}`;
      if (!JSON.stringify(answers).includes('•••')) return 'the page repeated nothing';
      const leaks = answers.flatMap(([what, answer]) =>
        tracesOf(secret)
          .filter((trace) => holds(answer, trace))
          .map((trace) => `${what} has ${trace}`),
      );
      return leaks.length === 0 ? undefined : `${JSON.stringify(secret)}: ${leaks.join('; ')}`;
    } finally {
      web.close();
    }
  },
};

function secretBy(random: Random, from: readonly string[]): string {
  const units = Array.from({ length: random.between(8, 40) }, () => random.pick(from)).join('');
  return `Q${units.replace(/ {2,}/g, ' ')}q`;
}

function entering(way: (typeof WAYS)[number], selector: string, secret: string): object {
  switch (way) {
    case 'type':
      return { kind: 'type', selector, text: secret };
    case 'fill':
      return { kind: 'fill', fields: [{ selector, value: secret }] };
    case 'variable':
      return {
        kind: 'composite',
        label: 'in',
        variables: { word: secret },
        actions: [{ kind: 'type', selector, text: '${word}' }],
      };
    case 'press':
      return { kind: 'press', selector, keys: [...secret].map((key) => (key === ' ' ? 'Space' : key)) };
  }
}

/** Whether an answer contains the text, as it stands or JSON-escaped. */
function holds(answer: unknown, trace: string): boolean {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return text.includes(trace) || text.includes(JSON.stringify(trace).slice(1, -1));
}
