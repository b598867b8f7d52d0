import type { WallActions } from './use-wall-actions';
import type { WallEntry } from './wall-list';

export interface CardHandlers {
  actions: WallActions;
  onRename: (entry: WallEntry) => void;
  onEnd: (entry: WallEntry) => void;
}
