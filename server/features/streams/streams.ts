import { driven } from '@/lib/control/rules';
import { painted } from '@/server/browser/painted';
import { secretsShown } from '@/server/browser/target/secrets-shown';
import type { Feature } from '@/server/session/feature';
import type { SessionKernel } from '@/server/session/kernel';
import { PICTURES } from '@/server/session/feature-slots';
import type { SessionTab } from '@/server/session/session-tab';
import { Slot } from '@/server/session/slot';
import { SnapshotFeed } from './snapshot-feed';
import { TabStreams } from './tab-streams';

/** The picture streams of a session tab. */
export const TAB_STREAMS = new Slot<TabStreams>('streams of a tab');

/** The snapshots of a session tab for its watchers. */
export const SNAPSHOT_FEED = new Slot<SnapshotFeed>('snapshots of a tab for its watchers');

/** Makes the streams and the snapshot feed of a tab, and passes them what changes its picture (FR4, FR5). */
function follow({ visibility, services }: SessionKernel, sessionTab: SessionTab): void {
  const { tab } = sessionTab;
  const { clock, logger, metrics } = services;
  const streams = new TabStreams({
    tabId: tab.id,
    clock,
    logger,
    counters: metrics,
    hides: (viewer) => visibility.hides(tab.id, viewer),
    attach: () => tab.attachPictures(),
    detach: (session) => tab.detachPictures(session),
    secrets: {
      look: (budget, holder) => {
        const dialog = tab.dialogs.blocking();
        return dialog ? Promise.reject(dialog) : secretsShown(budget, tab, holder);
      },
      painted: (budget) => painted(budget, tab.sessions.bulk),
    },
  });
  const feed = new SnapshotFeed(tab, clock, logger, () => visibility.visibilityEpoch(tab.id));
  TAB_STREAMS.fill(sessionTab, streams);
  PICTURES.fill(sessionTab, streams);
  SNAPSHOT_FEED.fill(sessionTab, feed);
  tab.page.onDocument.on((_, main) => {
    if (main) streams.documentChanged();
  });
  tab.frames.onDocument.on(() => streams.frameChanged());
  tab.frames.onGone.on(() => streams.frameChanged());
  tab.sessions.commands.on('Page.frameResized', () => streams.resized());
  tab.onChange.on(() => streams.healthChanged(tab.health));
  sessionTab.onDispose(() => {
    feed.dispose();
    streams.dispose();
  });
}

/** Sends watchers the pictures (FR1) and the snapshots (SN8) of the session's tabs. */
export const streams: Feature = {
  name: 'streams',
  start: (kernel) => {
    const { registry } = kernel;
    // A person who holds the lease gets pictures as fast as Chrome sends them (FR1).
    const driverChanged = (sessionTab: SessionTab): void =>
      TAB_STREAMS.of(sessionTab).setHolder(driven(kernel.leases.lease(sessionTab.tab.id))?.holder);
    kernel.tabFactory.onMade.on((sessionTab) => follow(kernel, sessionTab));
    registry.onAdded.on(driverChanged);
    kernel.leases.onEffect.on(({ type }) => {
      if (type === 'changed') registry.all().forEach(driverChanged);
    });
    kernel.onVisibility.on((sessionTab, visible) => {
      const [pictures, feed] = [TAB_STREAMS.of(sessionTab), SNAPSHOT_FEED.of(sessionTab)];
      if (visible) {
        pictures.startAfresh();
        feed.refresh();
      } else {
        feed.abortPrivate();
        pictures.refresh();
      }
    });
    kernel.onInput.on((sessionTab, { type }) => {
      if (type === 'up' || type === 'keyup') SNAPSHOT_FEED.of(sessionTab).refresh();
    });
    kernel.onPagesLost.on(() => {
      const reason = kernel.status.why?.text ?? '';
      for (const sessionTab of registry.all()) TAB_STREAMS.of(sessionTab).end(reason);
    });
    return { afterAction: ({ sessionTab }) => SNAPSHOT_FEED.of(sessionTab).refresh() };
  },
};
