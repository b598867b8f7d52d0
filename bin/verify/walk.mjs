/** Verifies a timeline, or the log of a workspace, row by row; finds the first wrong row and says how it is wrong. */
import { digestBefore, digestOf, fingerprintOf, isPictureSigned, isSigned } from './proof.mjs';

/**
 * One line of an export: the row as it was stored, and what was said to prove it.
 * @param {string} line
 * @returns {{payload: string, seq: unknown, digest: unknown, end: object | undefined} | undefined} nothing when it is
 * no such line
 */
function readLine(line) {
  const at = line.lastIndexOf(',"proof":');
  if (at < 0) return undefined;
  try {
    const payload = `${line.slice(0, at)}}`;
    const { digest, picture, end } = JSON.parse(line.slice(at + ',"proof":'.length, -1));
    // The proof may have no other fields: an unchecked field must not look as if it were checked.
    return `${payload.slice(0, -1)},"proof":${JSON.stringify({ digest, picture: picture && plainPicture(picture), end: end && plainEnd(end) })}}` ===
      line
      ? { payload, seq: JSON.parse(payload).seq, digest, picture, end }
      : undefined;
  } catch {
    return undefined;
  }
}

const plainPicture = ({ sha256, at, signature }) => ({ sha256, at, signature });
const plainEnd = ({ workspace, session, seq, digest, at, signature, key }) =>
  workspace === undefined
    ? { session, seq, digest, at, signature, key }
    : { workspace, seq, digest, at, signature, key };

/**
 * @param {readonly string[]} lines of a file, without empty ones
 * @param {string} [fingerprint] the key that must have signed; without it any key will do
 * @returns {{ok: true, rows: number, end: object, fingerprint: string} | {ok: false, row: number, how: string, problem:
 * string}}
 */
export function verifyLines(lines, fingerprint) {
  const rows = lines.map(readLine);
  const last = rows.findLast((row) => row?.end);
  let digest = digestBefore(last?.end);
  for (const [index, row] of rows.entries()) {
    const seq = index + 1;
    const problem = rowProblem(rows, index);
    if (problem) return { ok: false, row: seq, ...problem };
    // Without an end the session is unknown: the first row is believed, and the rows after it are checked.
    digest = last || index > 0 ? digestOf(digest, row.payload) : row.digest;
    if (row.digest !== digest)
      return { ok: false, row: seq, how: 'altered', problem: `Row ${seq} is not as it was written.` };
    if (row.end && index < rows.length - 1)
      return {
        ok: false,
        row: seq + 1,
        how: 'unsigned',
        problem: `Only the rows up to ${seq} are signed, and ${rows.length - seq} more follow.`,
      };
  }
  return (
    endProblem(rows, digest, fingerprint) ??
    pictureProblem(rows, last.end) ?? {
      ok: true,
      rows: rows.length,
      pictures: rows.filter((row) => row.picture).length,
      end: last.end,
      fingerprint: fingerprintOf(last.end.key),
    }
  );
}

function rowProblem(rows, index) {
  const seq = index + 1;
  const row = rows[index];
  if (!row)
    return {
      how: 'unreadable',
      problem: `Line ${seq} is no row with a proof. Only a whole export has them: format=jsonl without filters.`,
    };
  if (row.seq === seq) return undefined;
  if (!Number.isSafeInteger(row.seq)) return { how: 'altered', problem: `Row ${seq} has no number.` };
  if (rows.slice(0, index).some((other) => other?.seq === row.seq))
    return { how: 'duplicated', problem: `Where row ${seq} should be, row ${row.seq} stands again.` };
  if (rows.slice(index + 1).some((other) => other?.seq === seq))
    return { how: 'reordered', problem: `Where row ${seq} should be, row ${row.seq} stands; row ${seq} comes later.` };
  return { how: 'missing', problem: `Row ${seq} is missing.` };
}

/** Finds the first picture that the key of the verified end has not signed for its row. */
function pictureProblem(rows, end) {
  const at = rows.findIndex(
    ({ seq, picture }) => picture && !isPictureSigned(picture, { seq, session: end.session, key: end.key }),
  );
  return at < 0
    ? undefined
    : {
        ok: false,
        row: at + 1,
        how: 'altered',
        problem: `The picture that row ${at + 1} names was not signed for it.`,
      };
}

function endProblem(rows, digest, fingerprint) {
  const { end } = rows.at(-1) ?? {};
  const row = rows.length;
  const found = (how, problem) => ({ ok: false, row, how, problem });
  if (row === 0)
    return {
      ...found(
        'empty',
        'The file has no row. A record without rows is exported like this, but nothing proves that it had none.',
      ),
      row: 1,
    };
  if (!end)
    return { ...found('cut', `The file ends at row ${row} without a signed end: rows were cut off.`), row: row + 1 };
  if (end.seq > row)
    return { ...found('cut', `The timeline was signed as ending at row ${end.seq}: rows were cut off.`), row: row + 1 };
  if (!isSigned(end))
    return found(
      'rewritten',
      `The signature does not fit: the end, or the whole timeline, was written anew by somebody without the key.`,
    );
  if (end.seq !== row || end.digest !== digest)
    return found('rewritten', `What was signed is another timeline: its row ${end.seq} is not the last one here.`);
  const signer = fingerprintOf(end.key);
  if (fingerprint !== undefined && signer !== fingerprint)
    return found('another key', `It was signed by the key ${signer}, not by ${fingerprint}.`);
  return undefined;
}
