'use client';

import { useStoredChoice } from '@/components/use-stored-choice';
import { playChime } from './chime';

const OFF_ON = ['off', 'on'] as const;

export interface CallSetting {
  readonly on: boolean;
  readonly set: (on: boolean) => void;
}

/**
 * Whether a sound is played when an agent asks for a person: off by default, stored in this browser. Switching it on
 * plays the sound once, so that the person knows it.
 */
export function useCallSound(): CallSetting {
  const [choice, choose] = useStoredChoice('wh-call-sound', OFF_ON);
  const set = (on: boolean) => {
    choose(on ? 'on' : 'off');
    if (on) playChime();
  };
  return { on: choice === 'on', set };
}

/**
 * Whether the browser shows notifications: off by default, stored in this browser. Switching them on asks the browser
 * for its permission.
 */
export function useCallNotices(): CallSetting {
  const [choice, choose] = useStoredChoice('wh-call-notices', OFF_ON);
  const set = (on: boolean) => {
    if (!on) return choose('off');
    void Notification.requestPermission().then((permission) => choose(permission === 'granted' ? 'on' : 'off'));
  };
  return { on: choice === 'on' && noticesAllowed() === 'granted', set };
}

/** The browser's permission for notifications; undefined where it has none. */
export function noticesAllowed(): NotificationPermission | undefined {
  return typeof Notification === 'undefined' ? undefined : Notification.permission;
}
