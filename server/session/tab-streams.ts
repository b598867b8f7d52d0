import type { Clock } from '@/lib/budget/clock';
import type { Tab } from '@/server/browser/tab';
import type { Logger } from '@/server/telemetry/logger';
import type { Metrics } from '@/server/telemetry/metrics';
import { Streams } from './streams';

/** Makes the captures of one tab and passes them every change that affects its picture (FR4, FR5). */
export function tabStreams(
  tab: Tab,
  services: { clock: Clock; logger: Logger; metrics: Metrics },
  hides: (viewer: string | undefined) => string | undefined,
): Streams {
  const { clock, logger, metrics } = services;
  const streams = new Streams({
    tabId: tab.id,
    clock,
    logger,
    counters: metrics,
    hides,
    attach: () => tab.attachPictures(),
    detach: (session) => tab.detachPictures(session),
  });
  tab.page.onDocument.on((_, main) => {
    if (main) streams.documentChanged();
  });
  tab.sessions.commands.on('Page.frameResized', () => streams.resized());
  tab.onChange.on(() => streams.healthChanged(tab.health));
  return streams;
}
