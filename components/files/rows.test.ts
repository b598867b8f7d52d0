import { describe, expect, it } from 'vitest';
import type { FilesNews } from '@/lib/files/views';
import { fileRows, fitsAccept, nameParts } from './rows';

const at = '2026-01-01T00:00:00.000Z';
const news: FilesNews = {
  files: [
    { name: 'a.txt', size: 1, from: 'upload', createdAt: at },
    { name: 'b.txt', size: 2, from: 'download', createdAt: at },
  ],
  downloads: [{ id: 'dl3', name: 'c.zip', url: '', state: 'running', received: 1, total: 9, startedAt: at }],
  used: 3,
  limit: 100,
};

describe('the list of files', () => {
  it('[DI2] shows what is on its way first, then files, the newest of each first', () => {
    const upload = {
      id: 'u',
      session: 's',
      name: 'd.png',
      size: 1,
      sent: 0,
      problem: undefined,
      stop: () => undefined,
    };
    expect(fileRows(news, [upload]).map(({ sort, name }) => `${sort} ${name}`)).toEqual([
      'upload d.png',
      'download c.zip',
      'file b.txt',
      'file a.txt',
    ]);
  });

  it.each([
    ['report.pdf', 're', 'port.pdf'],
    ['a long name of a report.pdf', 'a long name of a re', 'port.pdf'],
    ['made in 26.pdf', 'made in ', '26.pdf'],
    ['no ending', 'no ending', ''],
    ['.', '.', ''],
  ])('[ui] %j keeps its ending when it is cut', (name, stem, ending) => {
    expect(nameParts(name)).toEqual({ stem, ending });
  });

  it.each([
    ['a.png', '', true],
    ['a.PNG', 'image/*', true],
    ['a.pdf', 'image/*', false],
    ['a.pdf', 'image/*, .pdf', true],
    ['a.txt', 'application/pdf', false],
    ['a.xyz', 'application/x-strange', true],
    ['a.gif', 'image/png', false],
  ])('[DI2] %j for a field that takes %j: %s', (name, accept, fits) => {
    expect(fitsAccept(name, accept)).toBe(fits);
  });
});
