import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { SealedFiles } from '@/server/store/sealed-files';
import { quietLogger, tempDir } from '@/server/testing/temp-store';
import { SealedSecrets } from './sealed-secrets';

it('[T14] a secret that is being written when its session ends leaves no file', async () => {
  const dir = tempDir();
  const secrets = await SealedSecrets.open(new SealedFiles(dir), 's_1', quietLogger);
  secrets.add('wombat31polka', 'p_1');
  const erased = secrets.erase();
  secrets.add('walrus77tango', 'p_1');
  await erased;

  expect(readdirSync(join(dir, 'saved'))).toEqual([]);
});

it('[T14] [SN6] the parts that an address had before are known to the next run of the server', async () => {
  const files = new SealedFiles(tempDir());
  const secrets = await SealedSecrets.open(files, 's_1', quietLogger);
  const written = new Promise<void>((resolve) => secrets.onChange.on(resolve));
  secrets.pages = () => ['https://a.test/account'];
  secrets.add('account', 'p_1');
  await written;
  await expect.poll(() => files.read('s_1.secrets')).toContain('account');

  const next = await SealedSecrets.open(files, 's_1', quietLogger);
  expect(next.redactor.address('https://a.test/account?q=account')).toBe('https://a.test/account?q=•••');
});
