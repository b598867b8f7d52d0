import type { IncomingMessage } from 'node:http';

/** Largest form with its file, bytes; a larger one is refused before it is read. */
const MAX_FORM_BYTES = 2 * 1024 * 1024;

interface SentFile {
  readonly name: string;
  readonly size: number;
}

export interface SentForm {
  /** Text fields; for a repeated name the last one. */
  readonly fields: Readonly<Record<string, string>>;
  /** The files that were chosen; an empty file field is left out. */
  readonly files: readonly SentFile[];
}

export const EMPTY_FORM: SentForm = { fields: {}, files: [] };

type FormResult = { readonly ok: true; readonly form: SentForm } | { readonly ok: false; readonly status: 400 | 413 };

/** Reads a urlencoded or multipart body (WHATWG form submission), bounded by {@link MAX_FORM_BYTES}. */
export async function readForm(request: IncomingMessage): Promise<FormResult> {
  const type = request.headers['content-type'];
  if (type === undefined) return { ok: true, form: EMPTY_FORM };
  const body = await readBytes(request);
  if (body === undefined) return { ok: false, status: 413 };
  try {
    return { ok: true, form: collect(await new Response(body, { headers: { 'content-type': type } }).formData()) };
  } catch (cause) {
    if (cause instanceof TypeError) return { ok: false, status: 400 };
    throw cause;
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_FORM_BYTES) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function collect(data: FormData): SentForm {
  const fields = new Map<string, string>();
  const files: SentFile[] = [];
  for (const [name, value] of data) {
    if (typeof value === 'string') fields.set(name, value);
    else if (value.size > 0) files.push({ name: value.name, size: value.size });
  }
  return { fields: Object.fromEntries(fields), files };
}
