'use client';

import { useTranslations } from 'use-intl';
import type { TimelineEvent } from '@/lib/protocol/views';
import { eventWords } from './event-words';

/**
 * Says an event in one line: "buyer-bot clicked button Sign in". The line may hold page-made text: put it in a `<bdi>`.
 * @param you participant id of the reader, who is called "You"
 */
export function useEventLine(): (event: TimelineEvent, you: string | undefined) => string {
  const t = useTranslations('event');
  const roles = useTranslations('roles');
  const common = useTranslations('common');
  return (event, you) => {
    const words = eventWords(event);
    if (words.sort === 'plain') return words.text;
    const role = words.role && roles(words.role);
    const name = words.name === undefined || words.name === '' ? undefined : words.name;
    const target = role && name ? t('target', { role, name }) : (name ?? role ?? t('somewhere'));
    const what = t(words.kind, { way: words.way, target: short(words.kind, name) ?? target, host: words.host ?? t('somewhere') });
    return t('line', { who: event.actor.id === you ? common('you') : event.actor.name, what });
  };
}

/** "typed into City" reads better than "typed into field City". */
function short(kind: string, name: string | undefined): string | undefined {
  return kind === 'type' || kind === 'select' ? name : undefined;
}
