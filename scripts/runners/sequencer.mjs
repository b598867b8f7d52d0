/** The order in which vitest takes the files: one project after the other, the longest files first. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** The longest files by name, longest first: workers begin with them, so that none runs alone at the end. */
const LONGEST = [
  'leases.test.ts',
  'flood-watch.test.ts',
  'neighbours.test.ts',
  'servers.test.ts',
  'deadlines.test.ts',
  'stuck.test.ts',
  'hostile-scripts.test.ts',
  'older-payloads.test.ts',
  'openapi.test.ts',
  'server-restart.test.ts',
  'frames-told.test.ts',
  'step-result.test.ts',
  'tab-streams.test.ts',
  'agent-story.test.ts',
  'frames.test.ts',
  'pages.test.ts',
  'error-situations.test.ts',
  'drain-elsewhere.test.ts',
  'sick-chrome.test.ts',
];

/** Smaller is earlier. */
function rank({ moduleId }) {
  const place = LONGEST.indexOf(basename(moduleId));
  return place === -1 ? LONGEST.length : place;
}

/** vitest uses a worker again only for a file of the same project, so projects are not mixed. */
export class LongestFirst extends BaseSequencer {
  async sort(files) {
    const sizes = new Map(files.map((file) => [file, statSync(file.moduleId).size]));
    return [...files].sort(
      (a, b) => a.project.name.localeCompare(b.project.name) || rank(a) - rank(b) || sizes.get(b) - sizes.get(a),
    );
  }
}
