'use client';

import { useTranslations } from 'use-intl';
import { placeOf } from '@/components/address';
import type { TimelineEvent } from '@/lib/protocol/views';
import { closeSeams } from './gap';
import { eventWords, type WordedEvent } from './event-words';
import { useSaid } from './use-said';

/**
 * Says an event in one line: "buyer-bot clicked button Sign in". The line may hold page-made text: put it in a `<bdi>`.
 * @param you participant id of the reader, who is called "You"
 */
export function useEventLine(): (event: TimelineEvent, you: string | undefined) => string {
  const t = useTranslations('event');
  const common = useTranslations('common');
  const target = useTarget();
  const say = useSaid();
  const line = (who: string, what: string): string => closeSeams(t('line', { who, what }));
  return (event, you) => {
    const words = eventWords(event);
    const who = event.actor.id === you ? common('you') : event.actor.name;
    if (words.sort === 'stored') return event.actor.kind === 'system' || words.text.startsWith(event.actor.name) ? words.text : t('stored', { who, what: words.text });
    if (words.sort === 'said') return event.actor.kind === 'system' ? say(words.said) : line(who, say(words.said));
    const place = placeOf(words.url ?? '') ?? t('blank');
    const what = t(words.word, { way: words.way, target: target(words), place, value: words.value ?? '', self: event.actor.id === you ? 'yes' : 'no' });
    return line(who, what);
  };
}

/** "button Sign in"; where it is clear what it is, the name alone: "typed into City". */
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
