import type { ChildTargets } from '../frames/child-targets';
import type { PageWatch } from '../page-watch';
import type { TabInit } from '../tab-init';
import type { PageSessions } from '../tab-sessions';
import { SharedEmulation, TabEmulator } from './emulator';

/** Makes the emulator of one tab. Source: Browser.setPermission. */
export function emulatorOf(
  { id, lanes, targetId, contextId, viewport, clock, emulation = new SharedEmulation() }: TabInit,
  { commands, events }: PageSessions,
  page: PageWatch,
  childTargets: ChildTargets,
): TabEmulator {
  const ports = {
    commands,
    events,
    childTargets,
    clock,
    attach: () => lanes.bulk.attach(targetId),
    detach: (session: Parameters<typeof lanes.bulk.detach>[0]) => lanes.bulk.detach(session),
    allowGeolocation: async (allowed: boolean) => {
      const context = contextId === undefined ? {} : { browserContextId: contextId };
      await lanes.commands.browser.sendMayFail('Browser.setPermission', {
        permission: { name: 'geolocation' },
        setting: allowed ? 'granted' : 'prompt',
        ...context,
      });
    },
  };
  const emulator = new TabEmulator(id, ports, emulation, viewport);
  page.onDocument.on((_, main) => {
    if (main) void emulator.documentReplaced();
  });
  return emulator;
}
