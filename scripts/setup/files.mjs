import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const INSTALLED = `node_modules${sep}`;

/**
 * Every file under a folder of the project, as sorted paths from the root with `/`; empty when there is no such folder.
 */
export function filesUnder(root, dir) {
  try {
    const entries = readdirSync(join(root, dir), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath || entry.path, entry.name)));
    return files
      .filter((file) => !file.includes(INSTALLED))
      .map((file) => file.split(sep).join('/'))
      .sort();
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
