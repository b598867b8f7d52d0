import { ENGLISH_MESSAGES } from '@/lib/messages/english';
import { en } from './en';
import { accountEn } from './en-account';
import { cockpitEn } from './en-cockpit';
import { egressEn } from './en-egress';
import { eventEn } from './en-event';
import { problemEn } from './en-problem';
import { filesEn } from './en-files';
import { questionEn } from './en-question';
import { receiptEn } from './en-receipt';
import { rightsEn } from './en-rights';
import { buffersEn } from './en-buffers';
import { settingsEn } from './en-settings';
import { shareEn } from './en-share';
import { guestEn } from './en-guest';
import { talkEn } from './en-talk';
import { markValueGaps } from './gap';
import type { Locale } from './locale';
import type { Shape } from './shape';
import { zh } from './zh';
import { accountZh } from './zh-account';
import { cockpitZh } from './zh-cockpit';
import { egressZh } from './zh-egress';
import { eventZh } from './zh-event';
import { problemZh } from './zh-problem';
import { filesZh } from './zh-files';
import { questionZh } from './zh-question';
import { receiptZh } from './zh-receipt';
import { rightsZh } from './zh-rights';
import { buffersZh } from './zh-buffers';
import { settingsZh } from './zh-settings';
import { shareZh } from './zh-share';
import { guestZh } from './zh-guest';
import { talkZh } from './zh-talk';
import { serverMessagesZh } from './zh-server-messages';

const english = {
  ...en,
  event: eventEn,
  problem: problemEn,
  said: ENGLISH_MESSAGES,
  cockpit: cockpitEn,
  buffers: buffersEn,
  files: filesEn,
  question: questionEn,
  receipt: receiptEn,
  rights: rightsEn,
  account: accountEn,
  egress: egressEn,
  settings: settingsEn,
  share: shareEn,
  guest: guestEn,
  talk: talkEn,
} as const;
export type Messages = Shape<typeof english>;

/** All texts of the interface, by language. */
export const MESSAGES: Readonly<Record<Locale, Messages>> = {
  en: english,
  zh: {
    ...zh,
    event: markValueGaps(eventZh),
    problem: problemZh,
    said: markValueGaps(serverMessagesZh),
    cockpit: cockpitZh,
    buffers: buffersZh,
    files: filesZh,
    question: questionZh,
    receipt: receiptZh,
    rights: rightsZh,
    account: accountZh,
    egress: egressZh,
    settings: settingsZh,
    share: shareZh,
    guest: guestZh,
    talk: talkZh,
  },
};

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale;
    /**
     * The compiler checks keys, messages.test.ts checks arguments: literal text types here would forbid all
     * translations.
     */
    Messages: Messages;
  }
}
