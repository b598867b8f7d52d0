import { networkInterfaces } from 'node:os';

const lan = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** Host names and addresses that all lead to this machine (GU1). */
export const SPELLINGS: readonly string[] = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '127.1',
  '0.0.0.0',
  'x.localhost',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.0.1',
  '017700000001',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:0:0:1]',
  'localhost.',
  'LOCALHOST',
  'a.b.localhost',
  '127.0.0.2',
  '127.255.255.254',
  '0',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  ...(lan === undefined ? [] : [lan, `[::ffff:${lan}]`]),
];
