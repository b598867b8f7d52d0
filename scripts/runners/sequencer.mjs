/** The order in which vitest takes the files: one project after the other, the longest files first. */
import { statSync } from 'node:fs';
import { BaseSequencer } from 'vitest/node';

/** The longest files, longest first: workers begin with them, so that none runs alone at the end. */
const LONGEST = [
  'doors/deadlines',
  'doors/neighbours',
  'proof/small/servers',
  'proof/small/leases',
  'floods/flood-watch',
  'http/step-result',
  'http/openapi',
  'actions/frames',
  'doors/hostile-scripts',
  'demo/agent-story',
  'session/server-restart',
  'proof/small/pages',
  'proof/small/people',
  'session/attach-hostile',
  'input-recorder/frames-told',
  'streams/tab-streams',
  'target/actionability',
  'http/stuck',
  'demo/pages',
  'snapshot/hard-pages',
  'routes/trace',
  'actions/files',
  'doors/two-people',
  'http/expect',
  'http/error-situations',
  'http/older-payloads',
  'session/sick-by-itself',
  'session/sick-chrome',
  'doors/locked-store',
  'control/drain-elsewhere',
  'doors/secrets',
  // Short texts that take long: the others follow by their length.
  'real/node-red',
  'real/sb-admin',
  'real/ckeditor',
  'http/large-pdf',
  'floods/flood-restart',
  'session/ending-chrome',
  'session/secrets-restart',
].map((path) => `/${path}.test.ts`);

/** Smaller is earlier. */
function rank({ moduleId }) {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(path));
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
