import { describe, expect, it } from 'vitest';
import { KnownSecrets } from './known-secrets';

describe('the known secrets of a session', () => {
  it("[SN6] [T14] an agent cannot displace another's secrets, with any names or short secrets", () => {
    const secrets = new KnownSecrets();
    secrets.add('correct horse battery staple', 'p_owner');
    secrets.add('of-the-other-key', 'key_2/worker');
    for (let name = 0; name < 200; name += 1) secrets.add(`s${String(name).padStart(5, '0')}`, `key_1/agent-${name}`);
    expect(secrets.redactor.text('correct horse battery staple, of-the-other-key, s00199, s00000')).toBe(
      '•••, •••, •••, s00000',
    );
  });

  it('[SN6] [T14] keeps many short secrets of one participant beside a long one of another', () => {
    const secrets = new KnownSecrets();
    const long = Array.from({ length: 500 }, (_, at) => `part-${at}`).join('.');
    secrets.add(long, 'p_owner');
    for (let at = 0; at < 100; at += 1) secrets.add(`short${String(at).padStart(3, '0')}`, 'key_1');
    expect(secrets.reveal().map(({ text }) => text)).toEqual([
      long,
      ...Array.from({ length: 63 }, (_, at) => `short${String(at + 37).padStart(3, '0')}`),
    ]);
  });
});
