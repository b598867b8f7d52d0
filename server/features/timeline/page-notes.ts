import type { Feature } from '@/server/session/feature';

/** Writes to the timeline which page each tab shows (TL1). */
export const pageNotes: Feature = {
  name: 'page notes',
  start: ({ registry, timeline }) => {
    registry.onAdded.on(({ tab }) => {
      tab.page.onDocument.on(({ url }, main) => {
        if (main) void timeline.tell({ kind: 'navigation', said: { code: 'pageNow', url }, tab: tab.id });
      });
    });
    return {};
  },
};
