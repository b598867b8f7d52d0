import { createStore } from 'zustand/vanilla';
import { api } from '@/components/room/api';

export interface DemoState {
  /** The session that the demo agent drives; undefined while the demo does not run, or has not opened one yet. */
  readonly session: string | undefined;
}

/** Of the page: asked anew whenever it may have changed. Only effects and clicks write to it. */
export const demoStore = createStore<DemoState>(() => ({ session: undefined }));

let asking: Promise<void> | undefined;

/** Asks the server how the demo stands; those who ask at once share one question. A question that fails leaves nothing shown. */
export function refreshDemo(): Promise<void> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(): Promise<void> {
  const session = await api.demoStatus().then(
    (status) => (status.state === 'running' ? status.session : undefined),
    () => undefined,
  );
  demoStore.setState({ session });
}
