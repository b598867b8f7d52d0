import { WheelhouseError } from '@/lib/errors/error';
import { fileSchema, type FileView } from '@/lib/files/views';
import { failureOf, fileUrl, headersOfPage } from './api';

export interface SendFileOptions {
  readonly session: string;
  readonly name: string;
  readonly content: Blob;
  readonly signal: AbortSignal;
  /** Bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Uploads a file to a session and reports its progress, which `fetch` cannot. Rejects with WheelhouseError; ABORTED
 * when `signal` ended it.
 */
export function sendFile({ session, name, content, signal, onSent }: SendFileOptions): Promise<FileView> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', fileUrl(session, name));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', 'application/octet-stream');
    for (const [name, id] of Object.entries(headersOfPage())) request.setRequestHeader(name, id);
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
    request.addEventListener('load', () => {
      const answer = jsonOf(request.responseText);
      const file = fileSchema.safeParse(answer);
      if (request.status < 300 && file.success) resolve(file.data);
      else reject(failureOf(request.status, answer));
    });
    request.addEventListener('error', () =>
      reject(new WheelhouseError('ABORTED', { code: 'serverUnreachable' }, { hint: { code: 'serverRunsCure' } })),
    );
    request.addEventListener('abort', () => reject(new WheelhouseError('ABORTED', 'The upload was cancelled.')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(content);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy may answer with something else than JSON; the status alone counts then.
    return {};
  }
}
