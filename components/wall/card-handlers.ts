import type { WallActions } from './use-wall-actions';
import type { WallEntry } from './wall-list';

export interface CardHandlers {
  actions: WallActions;
  onShare: (entry: WallEntry) => void;
  onRename: (entry: WallEntry) => void;
  onEnd: (entry: WallEntry) => void;
}
