import { createStore, type StoreApi } from 'zustand/vanilla';
import { EMPTY_ROOM, type RoomState } from './room-state';

export type RoomStore = StoreApi<RoomState>;

export function createRoomStore(): RoomStore {
  return createStore<RoomState>(() => EMPTY_ROOM);
}
