import { createStore, type StoreApi } from 'zustand/vanilla';
import { EMPTY_CLIENT_STATE, type ClientState } from './client-state';

export type ClientStore = StoreApi<ClientState>;

export function createClientStore(): ClientStore {
  return createStore<ClientState>(() => EMPTY_CLIENT_STATE);
}
