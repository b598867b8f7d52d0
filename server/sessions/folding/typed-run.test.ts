import { expect, it } from 'vitest';
import { KnownSecrets } from '@/server/browser/known-secrets';
import { TypedRun } from './typed-run';

const key = (letter: string) => ({ type: 'keydown', key: letter, code: '', location: 0, repeat: false, modifiers: 0 }) as const;

it('[SN6] [T14] a long password that is typed drives out none that was known before, not even as it is typed', () => {
  const secrets = new KnownSecrets();
  secrets.add('the-first-one', 'p_owner');
  secrets.add('of-an-agent', 'key_1/worker');
  const run = new TypedRun(secrets, 'p_owner');
  run.isSecret();
  const long = Array.from({ length: 120 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
  for (const letter of long) run.takes(key(letter));
  const during = secrets.redactor.text(`the-first-one of-an-agent ${long.slice(0, -1)} ${long}`);
  run.end();
  expect([during, secrets.redactor.text(`the-first-one of-an-agent ${long}`), secrets.reveal().length]).toEqual(['••• ••• ••• •••', '••• ••• •••', 3]);
});
