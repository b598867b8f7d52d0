import type { ActionKind } from './kinds';

export interface ActionAbout {
  /**
   * `write` needs the wheel; `read` needs only the right to watch; `remedy` needs that no other person has the wheel
   * (CO9).
   */
  readonly access: 'read' | 'write' | 'remedy';
  /** Budget when the caller names none, milliseconds (BU5). */
  readonly timeoutMs: number;
  /** One line for agents and documents. */
  readonly about: string;
}

/** What each kind is, for every door (AC1). */
export const ACTION_ABOUT = {
  click: {
    access: 'write',
    timeoutMs: 15_000,
    about: 'Click an element or a point, with button, count and modifiers.',
  },
  hover: { access: 'write', timeoutMs: 15_000, about: 'Move the pointer over an element or a point.' },
  focus: { access: 'write', timeoutMs: 10_000, about: 'Give an element the keyboard focus.' },
  highlight: {
    access: 'write',
    timeoutMs: 10_000,
    about: 'Draw a frame around an element for a moment, without touching the page.',
  },
  scrollIntoView: { access: 'write', timeoutMs: 10_000, about: 'Scroll until an element can be seen.' },
  drag: {
    access: 'write',
    timeoutMs: 15_000,
    about: 'Drag from one element or point to another, by pointer events or as drag and drop.',
  },
  type: { access: 'write', timeoutMs: 20_000, about: 'Type text into an element or into what has the focus.' },
  press: { access: 'write', timeoutMs: 15_000, about: 'Press a key or a chord such as Control+A.' },
  check: { access: 'write', timeoutMs: 15_000, about: 'Set a checkbox, radio button or switch.' },
  select: { access: 'write', timeoutMs: 15_000, about: 'Choose options of a select by value, label or index.' },
  fill: {
    access: 'write',
    timeoutMs: 30_000,
    about: 'Fill the fields of a form: text, boxes and lists, all or none when asked.',
  },
  navigate: { access: 'write', timeoutMs: 30_000, about: 'Open an address in this tab, or in a new one.' },
  history: { access: 'write', timeoutMs: 30_000, about: 'Go back or forward, or reload.' },
  scroll: { access: 'write', timeoutMs: 10_000, about: 'Scroll by pixels, by pages, or to an end.' },
  wait: {
    access: 'read',
    timeoutMs: 20_000,
    about: 'Wait for text, an element, an address, a load state or a quiet page.',
  },
  evaluate: { access: 'write', timeoutMs: 20_000, about: 'Run JavaScript in the page, ended at its deadline.' },
  extract: {
    access: 'read',
    timeoutMs: 20_000,
    about: 'Read the page or a part of it as text, Markdown, HTML, links, tables or attributes.',
  },
  search: { access: 'write', timeoutMs: 30_000, about: 'Search the web by the address that the operator has set up.' },
  snapshot: { access: 'read', timeoutMs: 20_000, about: 'Read the page as text lines with refs.' },
  screenshot: { access: 'read', timeoutMs: 20_000, about: 'Take a picture of the tab, the whole page or an element.' },
  pdf: { access: 'read', timeoutMs: 30_000, about: 'Print the page to a PDF.' },
  tab: { access: 'write', timeoutMs: 15_000, about: 'Open, focus, close, label or list tabs.' },
  dialog: { access: 'write', timeoutMs: 10_000, about: 'Answer the open dialog, or arm an answer for the next one.' },
  upload: {
    access: 'write',
    timeoutMs: 30_000,
    about:
      'Give files of the session to a file field, or to the file chooser that is open or opens next; at a point, drop them there.',
  },
  download: {
    access: 'write',
    timeoutMs: 60_000,
    about: 'Wait for a download to be complete, after a click that begins it when asked.',
  },
  resize: { access: 'write', timeoutMs: 10_000, about: 'Set the size of the page for the whole session.' },
  cookies: { access: 'write', timeoutMs: 10_000, about: 'Read, set or clear cookies of the session.' },
  storage: { access: 'write', timeoutMs: 10_000, about: 'Read, set or clear local or session storage of the page.' },
  clipboard: {
    access: 'write',
    timeoutMs: 5_000,
    about: "Read, set or clear the session's clipboard, which copy and paste keys use.",
  },
  emulate: {
    access: 'write',
    timeoutMs: 10_000,
    about:
      'Offline, headers, sign-in, place, media, time zone, locale, device, throttling: for this tab or the session.',
  },
  trace: {
    access: 'write',
    timeoutMs: 60_000,
    about: 'Record what the page does, and keep it as a file for the performance panel of Chrome.',
  },
  remedy: {
    access: 'remedy',
    timeoutMs: 15_000,
    about:
      'Free a tab that is stuck: stop its script, resume it, stop loading, reload, blank page, restart it, or answer its dialog.',
  },
  batch: { access: 'write', timeoutMs: 60_000, about: 'Do several actions in turn, up to the first that fails.' },
  composite: {
    access: 'write',
    timeoutMs: 60_000,
    about: 'Do named actions with variables, undone again when one fails and it is atomic.',
  },
  none: { access: 'read', timeoutMs: 5_000, about: 'Do nothing.' },
  stop: { access: 'read', timeoutMs: 5_000, about: 'End the task, with an answer.' },
} as const satisfies Record<ActionKind, ActionAbout>;

export const ACTION_KINDS: readonly string[] = Object.keys(ACTION_ABOUT);
