'use client';

import { useTranslations } from 'use-intl';
import { placeOf } from '@/components/address';
import type { TimelineEvent } from '@/lib/protocol/views';
import type { Message } from '@/lib/messages/message';
import { closeValueGaps } from './gap';
import { doneWords, eventWords, type DoneBrief, type WordedEvent } from './event-words';
import { useMessageText } from './use-message-text';

/**
 * Puts an event into one line: "buyer-bot clicked button Sign in". The line may contain page-made text: put it in a
 * `<bdi>`.
 * @param you participant id of the reader, who is called "You"
 */
export function useEventLine(): (event: TimelineEvent, you: string | undefined) => string {
  const t = useTranslations('event');
  const common = useTranslations('common');
  const words = useActionText();
  const did = useDidLine();
  const say = useMessageText();
  const line = (who: string, what: string): string => closeValueGaps(t('line', { who, what }));
  return (event, you) => {
    const what = eventWords(event);
    const who = event.actor.id === you ? common('you') : event.actor.name;
    if (what.kind === 'stored')
      return event.actor.kind === 'system' || what.text.startsWith(event.actor.name)
        ? what.text
        : t('stored', { who, what: what.text });
    if (what.kind === 'worded') return line(who, words(what, event.actor.id === you));
    const said = say(withDid(what.said, event.did && did(event.did)));
    return event.actor.kind === 'system' ? said : line(who, said);
  };
}

/**
 * Puts an action into a line without its actor: "clicked button Sign in". May contain page-made text: put it in a
 * `<bdi>`.
 */
export function useDoneLine(): (done: DoneBrief) => string {
  const words = useActionText();
  return (done) => {
    const what = doneWords(done);
    return what.kind === 'stored' ? what.text : closeValueGaps(words(what, false));
  };
}

/** Puts several actions into one line. */
function useDidLine(): (did: readonly DoneBrief[]) => string {
  const t = useTranslations('event');
  const line = useDoneLine();
  return (did) => did.map(line).join(t('between'));
}

/** Replaces the English text of recorded input by the actions that the row has as data (CO11). */
function withDid(said: Message, what: string | undefined): Message {
  return what !== undefined && (said.code === 'inputDid' || said.code === 'inputDidMore') ? { ...said, what } : said;
}

function useActionText(): (words: WordedEvent, self: boolean) => string {
  const t = useTranslations('event');
  const target = useTarget();
  return (words, self) =>
    t(words.word, {
      way: words.way,
      target: target(words),
      place: placeOf(words.url ?? '') ?? t('blank'),
      value: words.value ?? '',
      self: self ? 'yes' : 'no',
    });
}

/** The target in words: "button Sign in"; the name alone where the action implies the role, as in "typed into City". */
function useTarget(): (words: WordedEvent) => string {
  const t = useTranslations('event');
  const roles = useTranslations('roles');
  return ({ word, role, name = '', target }) => {
    const clear = word === 'type' || word === 'typeText' || word === 'select' || word === 'selectText';
    if (name !== '' && (clear || !role)) return name;
    if (!role) return target ?? t('somewhere');
    return name === '' ? roles(role) : t('target', { role: roles(role), name });
  };
}
