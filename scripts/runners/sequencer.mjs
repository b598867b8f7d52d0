/** In which order vitest takes the files: projects one after the other, the longest files first. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Those that a worker begins with, so that none of them runs alone at the end. By name, the longest first. */
const LONGEST = [
  'proof.test.ts',
  'flood-watch.test.ts',
  'neighbours.test.ts',
  'deadlines.test.ts',
  'stuck.test.ts',
  'drain.test.ts',
  'drain-elsewhere.test.ts',
  'flood.test.ts',
  'sick-chrome.test.ts',
  'pages.test.ts',
  'error-situations.test.ts',
];

/** Smaller is earlier. */
function rank({ moduleId }) {
  const place = LONGEST.indexOf(basename(moduleId));
  return place === -1 ? LONGEST.length : place;
}

/** A worker is only used again for the next file when that is of the same project, so projects are not mixed. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sizes = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return [...files].sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b) || sizes.get(b) - sizes.get(a),
    );
  }
}
