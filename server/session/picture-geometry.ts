import { WheelhouseError } from '@/lib/errors/error';
import { PICTURES } from './feature-slots';
import type { SessionTab } from './session-tab';

/** Throws CONFLICT when the page's geometry has changed since the picture that somebody aimed at (FR4). */
export function demandGeometry(sessionTab: SessionTab, geometry: number): void {
  if (PICTURES.of(sessionTab).geometry === geometry) return;
  throw new WheelhouseError('CONFLICT', { code: 'pictureStale' }, { hint: { code: 'pictureStaleCure' } });
}
