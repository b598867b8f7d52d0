import type { DownloadView, FilesNews, FileView } from '@/lib/files/views';
import type { Upload } from './uploads';

export type FileRow =
  | { readonly sort: 'upload'; readonly key: string; readonly name: string; readonly upload: Upload }
  | { readonly sort: 'download'; readonly key: string; readonly name: string; readonly download: DownloadView }
  | { readonly sort: 'file'; readonly key: string; readonly name: string; readonly file: FileView };

/** Rows of the file list: uploads and downloads that run or failed, then files, each newest first. */
export function fileRows({ files = [], downloads }: FilesNews, uploads: readonly Upload[]): FileRow[] {
  return [
    ...uploads
      .map((upload): FileRow => ({ sort: 'upload', key: `up ${upload.id}`, name: upload.name, upload }))
      .toReversed(),
    ...downloads
      .map((download): FileRow => ({ sort: 'download', key: `down ${download.id}`, name: download.name, download }))
      .toReversed(),
    ...files.map((file): FileRow => ({ sort: 'file', key: `file ${file.name}`, name: file.name, file })).toReversed(),
  ];
}

/** Splits a name, so that a long one is cut in its middle and keeps its extension. */
export function nameParts(name: string): { readonly stem: string; readonly ending: string } {
  const ending = /[^\s.]{0,4}\.[^.\s]{1,12}$/u.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - ending.length), ending };
}

/**
 * Whether a file name fits a field's `accept` (`image/*,.pdf`). Types that only the content could tell count as
 * fitting.
 */
export function fitsAccept(name: string, accept: string): boolean {
  const accepted = accept
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (accepted.length === 0) return true;
  const ending = /\.[^.]+$/u.exec(name.toLowerCase())?.[0] ?? '';
  return accepted.some((one) =>
    one.startsWith('.')
      ? one === ending
      : (ENDINGS[one.split('/')[0] ?? '']?.includes(ending) ?? true) && (!EXACT[one] || EXACT[one].includes(ending)),
  );
}

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  image: ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.svg', '.bmp', '.heic', '.ico', '.tif', '.tiff'],
  audio: ['.mp3', '.wav', '.ogg', '.m4a', '.flac', '.aac', '.opus'],
  video: ['.mp4', '.webm', '.mov', '.mkv', '.avi', '.m4v'],
};
const EXACT: Readonly<Record<string, readonly string[]>> = {
  'application/pdf': ['.pdf'],
  'application/json': ['.json'],
  'text/csv': ['.csv'],
  'text/plain': ['.txt', '.log', '.md'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
};
