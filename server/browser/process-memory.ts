import { readdir, readFile } from 'node:fs/promises';

/**
 * The size of a memory page in bytes. It is 4 KiB on almost every Linux that runs Chrome; elsewhere the results are too
 * small.
 */
const PAGE = 4_096;

/**
 * The memory of process groups, bytes by the leader's pid: the private memory of all processes plus the shared memory
 * once. Undefined when the system has no /proc (only Linux has).
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

/** Field 5 of /proc/<pid>/stat; undefined when the process has ended. */
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
    // The process ended a moment ago.
    return '';
  }
}
