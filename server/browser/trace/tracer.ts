import type { Budget } from '@/lib/budget/budget';
import type { CdpConnection } from '@/server/cdp/connection';
import type { FencedSession } from '../write';
import { TraceRecording, type RecordingOptions } from './recording';

/** Begins traces of one tab. */
export class Tracer {
  constructor(
    private readonly lane: CdpConnection,
    private readonly targetId: string,
  ) {}

  start(budget: Budget, write: FencedSession, options: RecordingOptions): Promise<TraceRecording> {
    return TraceRecording.start(budget, this.lane, this.targetId, write, options);
  }
}
