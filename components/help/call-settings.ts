'use client';

import { useStoredChoice } from '@/components/use-stored-choice';
import { playChime } from './chime';

const OFF_ON = ['off', 'on'] as const;

export interface CallSetting {
  readonly on: boolean;
  readonly set: (on: boolean) => void;
}

/**
 * A sound when an agent asks for a person: off until it is chosen in this browser, and heard then, so that one knows
 * what to listen for.
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
 * Notifications of the browser: off until they are chosen here and the browser allows them. Asks the browser only when
 * they are switched on.
 */
export function useCallNotices(): CallSetting {
  const [choice, choose] = useStoredChoice('wh-call-notices', OFF_ON);
  const set = (on: boolean) => {
    if (!on) return choose('off');
    void Notification.requestPermission().then((permission) => choose(permission === 'granted' ? 'on' : 'off'));
  };
  return { on: choice === 'on' && noticesAllowed() === 'granted', set };
}

/** What the browser allows; undefined where it has no notifications. */
export function noticesAllowed(): NotificationPermission | undefined {
  return typeof Notification === 'undefined' ? undefined : Notification.permission;
}
