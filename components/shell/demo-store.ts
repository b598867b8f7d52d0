import { createStore } from 'zustand/vanilla';
import { api } from '@/components/session-client/api';

export interface DemoState {
  readonly running: boolean;
  /** The session that the demo agent drives; undefined until it has opened one. */
  readonly session: string | undefined;
}

const STOPPED: DemoState = { running: false, session: undefined };

/** Of the page: asked anew whenever it may have changed. Only effects and clicks write to it. */
export const demoStore = createStore<DemoState>(() => STOPPED);

let asking: Promise<void> | undefined;
let askAgain = false;

/** Asks the server how the demo stands, once at a time; what is asked meanwhile is asked once more afterwards. */
export function refreshDemo(): Promise<void> {
  if (asking) {
    askAgain = true;
    return asking;
  }
  asking = ask().finally(() => {
    asking = undefined;
    if (!askAgain) return;
    askAgain = false;
    void refreshDemo();
  });
  return asking;
}

/** A question that fails leaves nothing shown: the connection banner says why. */
async function ask(): Promise<void> {
  const state = await api.demoStatus().then(
    (status) => (status.state === 'running' ? { running: true, session: status.session } : STOPPED),
    () => STOPPED,
  );
  demoStore.setState(state);
}
