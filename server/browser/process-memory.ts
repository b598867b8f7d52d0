import { readdir, readFile } from 'node:fs/promises';

/** Bytes of a page of memory: 4 KiB on every Linux that Chrome runs on but few; there the figures are too small. */
const PAGE = 4_096;

/**
 * What process groups take of the memory, bytes by the pid of their leader, as a Chrome of ours is one: what is its
 * processes' own, and once what they share. Undefined where the system does not tell (it is read from /proc, so on
 * Linux only).
 */
export async function memoryOfGroups(leaders: ReadonlySet<number>): Promise<ReadonlyMap<number, number> | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const own = new Map<number, number>();
  const shared = new Map<number, number>();
  await Promise.all(
    pids.map(async (pid) => {
      const group = await groupOf(pid);
      if (group === undefined || !leaders.has(group)) return;
      const [resident = 0, common = 0] = await pagesOf(pid);
      own.set(group, (own.get(group) ?? 0) + resident - common);
      shared.set(group, Math.max(shared.get(group) ?? 0, common));
    }),
  );
  return new Map([...own].map(([group, pages]) => [group, (pages + (shared.get(group) ?? 0)) * PAGE]));
}

/** Field 5 of /proc/<pid>/stat; undefined when it has ended meanwhile. */
async function groupOf(pid: string): Promise<number | undefined> {
  const stat = await textOf(`/proc/${pid}/stat`);
  const group = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2];
  return group === undefined ? undefined : Number(group);
}

/** Resident and shared pages of /proc/<pid>/statm. */
async function pagesOf(pid: string): Promise<number[]> {
  return (await textOf(`/proc/${pid}/statm`)).split(' ').slice(1, 3).map(Number);
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // It ended in this very moment.
    return '';
  }
}
