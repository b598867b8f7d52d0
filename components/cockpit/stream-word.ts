import type { ConnectionState } from '@/components/session-client/connection-state';
import type { StreamStatus } from '@/lib/protocol/views';

/** States of the stream that the chip shows (FR5): keys of the `cockpit.stream` messages. */
export type StreamWord = 'live' | 'still' | 'behind' | 'paused' | 'lost' | 'waiting' | 'reconnecting' | 'offline';

export interface StreamSaid {
  readonly word: StreamWord;
  /** How far the picture is behind; only for `behind`. */
  readonly seconds: number;
  /** The picture no longer shows the page as it is: it is dimmed. */
  readonly stale: boolean;
  readonly tone: 'ok' | 'quiet' | 'warn';
}

/**
 * State to show. A lost connection wins over the last status of the stream. `status` is undefined until the stream sent
 * one.
 */
export function streamWord(connection: ConnectionState['state'], status: StreamStatus | undefined): StreamSaid {
  if (connection === 'reconnecting') return said('reconnecting', 'warn', true);
  if (connection === 'signed-out' || connection === 'no-workspace' || connection === 'outdated')
    return said('offline', 'warn', true);
  if (connection === 'connecting' || !status) return said('waiting', 'quiet', false);
  if (status.state === 'behind')
    return { ...said('behind', 'warn', false), seconds: Math.max(1, Math.round((status.behindMs ?? 0) / 1_000)) };
  if (status.state === 'live') return said('live', 'ok', false);
  if (status.state === 'still') return said('still', 'ok', false);
  return status.state === 'paused' ? said('paused', 'quiet', false) : said('lost', 'warn', true);
}

function said(word: StreamWord, tone: StreamSaid['tone'], stale: boolean): StreamSaid {
  return { word, tone, stale, seconds: 0 };
}
