'use client';

import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useCockpit } from '@/components/cockpit/cockpit-context';
import { useLink } from '@/components/session-client/use-session-client';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { ProblemNote } from '@/components/ui/problem-note';
import { COMMENT_LIMITS } from '@/lib/comments/comment';
import type { ParticipantView } from '@/lib/protocol/views';
import { fitting, mentionBefore, withMention } from './mention';
import { changeDraft, sendDraft, useDraft } from './talk-state';

export interface CommentFormProps {
  /** The draft that it shows. */
  draft: string;
  label: string;
  word: string;
  autoFocus?: boolean;
  /** On a phone it is one line until somebody writes. */
  quiet?: boolean;
  /** What the comment is about, above the text. */
  about?: ReactNode;
  /** Why it was not sent and what to do, where this form knows it better than the error. */
  why?: (thrown: unknown) => string | undefined;
  onSend: (text: string) => Promise<unknown>;
  /** It was sent, and nothing more was typed. */
  onSent?: () => void;
  /** Escape closes the form; what is typed stays. */
  onClose?: () => void;
  onDiscard?: () => void;
}

/** A text with completion of names after `@`. Enter sends it where there is a keyboard, Shift+Enter begins a line. */
export function CommentForm(props: CommentFormProps) {
  const {
    draft,
    label,
    word,
    autoFocus = false,
    quiet = false,
    about,
    why,
    onSend,
    onSent,
    onClose,
    onDiscard,
  } = props;
  const t = useTranslations('talk');
  const { mayDrive, online } = useCockpit();
  const guest = useLink() !== undefined;
  const { text, sending, error } = useDraft(draft);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // Its button can be below the edge of the panel.
  useEffect(() => {
    if (autoFocus) form.current?.scrollIntoView({ block: 'nearest' });
  }, [autoFocus]);
  const send = () => {
    if (online) void sendDraft(draft, onSend).then((done) => done && onSent?.());
  };
  return (
    <form
      ref={form}
      className="group/form flex flex-col gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event) || !onClose) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {about}
      <MentionText
        id={id}
        label={label}
        autoFocus={autoFocus}
        describedBy={`${id}-who`}
        className={cn(quiet && 'max-sm:min-h-10')}
        value={text}
        onChange={(value) => changeDraft(draft, { text: value })}
        onSend={send}
      />
      <div
        className={cn(
          'flex flex-wrap items-center justify-end gap-1.5',
          quiet && text === '' && 'max-sm:hidden max-sm:group-focus-within/form:flex',
        )}
      >
        <p id={`${id}-who`} className="min-w-0 flex-1 basis-40 text-2xs text-balance text-ink-3">
          {t(mayDrive ? 'forAgents' : guest ? 'forPeopleGuest' : 'forPeople')}
        </p>
        {onDiscard && (
          <Button size="sm" onClick={onDiscard}>
            {t('discard')}
          </Button>
        )}
        <Button type="submit" size="sm" variant="primary" busy={sending} disabled={text.trim() === '' || !online}>
          {word}
        </Button>
      </div>
      {error !== undefined && <ProblemNote title={t('failed')} thrown={error} say={why?.(error)} />}
    </form>
  );
}

/** A key of an input method: the Enter that ends a composition comes after its end in Safari, with the code 229. */
function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229;
}

interface MentionTextProps {
  id: string;
  label: string;
  autoFocus: boolean;
  describedBy: string;
  className: string;
  value: string;
  onChange: (text: string) => void;
  onSend: () => void;
}

function MentionText({ id, label, autoFocus, describedBy, className, value, onChange, onSend }: MentionTextProps) {
  const { session, you } = useCockpit();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(0);
  /** The `@` whose names were closed by Escape. */
  const [closed, setClosed] = useState<number>();
  const draft = mentionBefore(value, caret);
  if (closed !== undefined && closed !== draft?.at) setClosed(undefined);
  const others = session.participants
    .filter((person) => person.id !== you?.id)
    .toSorted((a, b) => Number(b.online) - Number(a.online));
  const names = draft && draft.at !== closed ? fitting(others, draft.query) : [];
  const chosen = Math.min(at, names.length - 1);
  const moved = () => {
    setCaret(field.current?.selectionStart ?? 0);
    setAt(0);
  };
  const choose = (person: ParticipantView | undefined) => {
    if (!draft || !person) return;
    const next = withMention(value, draft, person.name);
    onChange(next.text);
    setCaret(next.caret);
    field.current?.focus();
    requestAnimationFrame(() => field.current?.setSelectionRange(next.caret, next.caret));
  };
  const onKeys = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const run = keyOf(event, names.length > 0, {
      move: (by) => setAt((chosen + by + names.length) % names.length),
      choose: () => choose(names[chosen]),
      close: () => setClosed(draft?.at),
      send: onSend,
    });
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  return (
    <div className="relative">
      <textarea
        ref={field}
        rows={2}
        autoFocus={autoFocus}
        aria-label={label}
        aria-describedby={describedBy}
        aria-autocomplete="list"
        aria-controls={names.length > 0 ? `${id}-names` : undefined}
        aria-activedescendant={names.length > 0 ? `${id}-${chosen}` : undefined}
        placeholder={label}
        maxLength={COMMENT_LIMITS.text}
        value={value}
        className={cn(
          'field-sizing-content block max-h-40 min-h-14 w-full resize-none rounded-sm border border-edge bg-panel px-2.5 py-1.5 text-base text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 max-sm:text-lg',
          className,
        )}
        onChange={(event) => {
          onChange(event.target.value);
          moved();
        }}
        onSelect={moved}
        // Names are offered to who types.
        onBlur={() => setCaret(0)}
        onKeyDown={onKeys}
      />
      {names.length > 0 && <Names id={id} names={names} chosen={chosen} onChoose={choose} />}
    </div>
  );
}

interface FormKeys {
  move: (by: number) => void;
  choose: () => void;
  close: () => void;
  send: () => void;
}

/** What a key does in the text, if it is not for the text itself. */
function keyOf(
  { key, shiftKey, ctrlKey, metaKey }: KeyboardEvent,
  naming: boolean,
  keys: FormKeys,
): (() => void) | undefined {
  if (key === 'Enter' && (ctrlKey || metaKey)) return keys.send;
  if (naming && (key === 'ArrowDown' || key === 'ArrowUp')) return () => keys.move(key === 'ArrowDown' ? 1 : -1);
  if (naming && (key === 'Enter' || key === 'Tab')) return keys.choose;
  if (naming && key === 'Escape') return keys.close;
  // The keyboard of a phone has no Shift+Enter: there a button sends.
  const sends = !shiftKey && window.matchMedia('(pointer: fine)').matches;
  return key === 'Enter' && sends ? keys.send : undefined;
}

interface NamesProps {
  id: string;
  names: readonly ParticipantView[];
  chosen: number;
  onChoose: (person: ParticipantView) => void;
}

/** The names that fit what stands behind the `@`. */
function Names({ id, names, chosen, onChoose }: NamesProps) {
  const t = useTranslations('talk');
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [names.length]);
  return (
    <>
      <p role="status" className="sr-only">
        {t('names', { n: names.length, name: names[chosen]?.name ?? '' })}
      </p>
      <div
        ref={list}
        id={`${id}-names`}
        role="listbox"
        tabIndex={-1}
        aria-label={t('mention')}
        className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-md border border-line-strong bg-raised py-1 shadow-pop"
      >
        {names.map((person, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={person.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={cn(
              'flex w-full items-center gap-2 px-2.5 py-1 pointer-coarse:py-2',
              index === chosen && 'bg-sel',
            )}
            // A press would take the focus from the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(person)}
          >
            <Avatar person={person} size={18} />
            <bdi className="truncate">{person.name}</bdi>
          </button>
        ))}
      </div>
    </>
  );
}
