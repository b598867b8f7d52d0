import type { EventWord } from './event-words';

/**
 * What somebody did, after their name. `way` says whether it still runs, failed or is done; `self` whether it is the
 * reader.
 */
export const eventEn = {
  line: '{who} {what}',
  stored: '{who}: {what}',
  /** Between several things that were done. */
  between: ', ',
  target: '{role} {name}',
  somewhere: 'the page',
  blank: 'an empty page',
  click:
    '{way, select, doing {{self, select, yes {are} other {is}} clicking} failed {could not click} other {clicked}} {target}',
  doubleClick:
    '{way, select, doing {{self, select, yes {are} other {is}} double-clicking} failed {could not double-click} other {double-clicked}} {target}',
  hover:
    '{way, select, doing {{self, select, yes {are} other {is}} pointing} failed {could not point} other {pointed}} at {target}',
  focus:
    '{way, select, doing {{self, select, yes {are} other {is}} focusing} failed {could not focus} other {focused}} {target}',
  type: '{way, select, doing {{self, select, yes {are} other {is}} typing} failed {could not type} other {typed}} into {target}',
  typeText:
    '{way, select, doing {{self, select, yes {are} other {is}} typing} failed {could not type} other {typed}} “{value}” into {target}',
  press:
    '{way, select, doing {{self, select, yes {are} other {is}} pressing} failed {could not press} other {pressed}} a key',
  pressText:
    '{way, select, doing {{self, select, yes {are} other {is}} pressing} failed {could not press} other {pressed}} {value}',
  check:
    '{way, select, doing {{self, select, yes {are} other {is}} ticking} failed {could not tick} other {ticked}} {target}',
  uncheck:
    '{way, select, doing {{self, select, yes {are} other {is}} unticking} failed {could not untick} other {unticked}} {target}',
  select:
    '{way, select, doing {{self, select, yes {are} other {is}} choosing} failed {could not choose} other {chose}} from {target}',
  selectText:
    '{way, select, doing {{self, select, yes {are} other {is}} choosing} failed {could not choose} other {chose}} “{value}” in {target}',
  navigate:
    '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} {place}',
  newTab:
    '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} {place} in a new tab',
  back: '{way, select, doing {{self, select, yes {are} other {is}} going} failed {could not go} other {went}} back',
  forward:
    '{way, select, doing {{self, select, yes {are} other {is}} going} failed {could not go} other {went}} forward',
  reload:
    '{way, select, doing {{self, select, yes {are} other {is}} reloading} failed {could not reload} other {reloaded}} the page',
  scroll:
    '{way, select, doing {{self, select, yes {are} other {is}} scrolling} failed {could not scroll} other {scrolled}}',
  highlight:
    '{way, select, doing {{self, select, yes {are} other {is}} pointing out} failed {could not point out} other {pointed out}} {target}',
  drag: '{way, select, doing {{self, select, yes {are} other {is}} dragging} failed {could not drag} other {dragged}} {target}',
  fill: '{way, select, doing {{self, select, yes {are} other {is}} filling in a form} failed {could not fill in a form} other {filled in a form}}',
  batch:
    '{way, select, doing {{self, select, yes {are} other {is}} doing several things} failed {could not do several things} other {did several things}}',
  composite:
    '{way, select, doing {{self, select, yes {are} other {is}} doing} failed {could not do} other {did}} “{value}”',
  upload:
    '{way, select, doing {{self, select, yes {are} other {is}} uploading} failed {could not upload} other {uploaded}} {value}',
  download:
    '{way, select, doing {{self, select, yes {are} other {is}} waiting for a download} failed {got no download} other {got a download}}',
  extract:
    '{way, select, doing {{self, select, yes {are} other {is}} reading the page} failed {could not read the page} other {read the page}}',
  search:
    '{way, select, doing {{self, select, yes {are} other {is}} searching for} failed {could not search for} other {searched for}} “{value}”',
  pdf: '{way, select, doing {{self, select, yes {are} other {is}} printing the page} failed {could not print the page} other {printed the page}}',
  scrollIntoView:
    '{way, select, doing {{self, select, yes {are} other {is}} scrolling} failed {could not scroll} other {scrolled}} to {target}',
  wait: '{way, select, doing {{self, select, yes {are} other {is}} waiting} failed {waited in vain} other {finished waiting}}',
  waitText:
    '{way, select, doing {{self, select, yes {are} other {is}} waiting for} failed {waited in vain for} other {waited for}} “{value}”',
  evaluate:
    '{way, select, doing {{self, select, yes {are} other {is}} running a script} failed {ran a script that failed} other {ran a script}}',
  snapshot:
    '{way, select, doing {{self, select, yes {are} other {is}} reading the page} failed {could not read the page} other {read the page}}',
  screenshot:
    '{way, select, doing {{self, select, yes {are} other {is}} taking a picture} failed {could not take a picture} other {took a picture}}',
  resize:
    '{way, select, doing {{self, select, yes {are} other {is}} resizing} failed {could not resize} other {resized}} the page',
  tabOpen:
    '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} a tab',
  tabClose:
    '{way, select, doing {{self, select, yes {are} other {is}} closing} failed {could not close} other {closed}} the tab',
  tabFocus:
    '{way, select, doing {{self, select, yes {are} other {is}} going} failed {could not go} other {went}} to the tab',
  tabLabel:
    '{way, select, doing {{self, select, yes {are} other {is}} naming} failed {could not name} other {named}} the tab',
  tabLabelText:
    '{way, select, doing {{self, select, yes {are} other {is}} naming} failed {could not name} other {named}} the tab “{value}”',
  tabList:
    '{way, select, doing {{self, select, yes {are} other {is}} listing} failed {could not list} other {listed}} the tabs',
  dialogAccept:
    '{way, select, doing {{self, select, yes {are} other {is}} answering} failed {could not answer} other {answered}} the dialog with OK',
  dialogDismiss:
    '{way, select, doing {{self, select, yes {are} other {is}} answering} failed {could not answer} other {answered}} the dialog with Cancel',
  dialogArm:
    '{way, select, doing {{self, select, yes {are} other {is}} preparing} failed {could not prepare} other {prepared}} an answer for the next dialog',
  dialogDisarm:
    '{way, select, doing {{self, select, yes {are} other {is}} taking} failed {could not take} other {took}} back the answer for the next dialog',
  cookiesGet:
    '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} the cookies',
  cookiesSet:
    '{way, select, doing {{self, select, yes {are} other {is}} setting} failed {could not set} other {set}} cookies',
  cookiesClear:
    '{way, select, doing {{self, select, yes {are} other {is}} clearing} failed {could not clear} other {cleared}} cookies',
  storageGet:
    '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} the storage of the page',
  storageSet:
    '{way, select, doing {{self, select, yes {are} other {is}} writing} failed {could not write} other {wrote}} to the storage of the page',
  storageClear:
    '{way, select, doing {{self, select, yes {are} other {is}} clearing} failed {could not clear} other {cleared}} the storage of the page',
  clipboardGet:
    '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} the clipboard of the session',
  clipboardSet:
    '{way, select, doing {{self, select, yes {are} other {is}} filling} failed {could not fill} other {filled}} the clipboard of the session',
  clipboardClear:
    '{way, select, doing {{self, select, yes {are} other {is}} clearing} failed {could not clear} other {cleared}} the clipboard of the session',
  emulateGet:
    '{way, select, doing {{self, select, yes {are} other {is}} reading} failed {could not read} other {read}} what is emulated',
  emulateSet:
    '{way, select, doing {{self, select, yes {are} other {is}} changing} failed {could not change} other {changed}} what the page is told of its surroundings',
  traceStart:
    '{way, select, doing {{self, select, yes {are} other {is}} starting} failed {could not start} other {started}} a performance trace',
  traceStop:
    '{way, select, doing {{self, select, yes {are} other {is}} ending} failed {could not end} other {ended}} the performance trace',
  traceGet:
    '{way, select, doing {{self, select, yes {are} other {is}} looking} failed {could not look} other {looked}} for a performance trace',
  emulateReset:
    '{way, select, doing {{self, select, yes {are} other {is}} taking back} failed {could not take back} other {took back}} what was emulated',
  stopScript:
    '{way, select, doing {{self, select, yes {are} other {is}} stopping} failed {could not stop} other {stopped}} the script',
  resume:
    '{way, select, doing {{self, select, yes {are} other {is}} letting the page go on} failed {could not let the page go on} other {let the page go on}}',
  stopLoading:
    '{way, select, doing {{self, select, yes {are} other {is}} stopping} failed {could not stop} other {stopped}} the loading',
  blankPage:
    '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} a blank page',
  reopen:
    '{way, select, doing {{self, select, yes {are} other {is}} opening} failed {could not open} other {opened}} the page again that was put aside',
  restart:
    '{way, select, doing {{self, select, yes {are} other {is}} restarting} failed {could not restart} other {restarted}} the tab',
  none: '{way, select, doing {{self, select, yes {are} other {is}} doing} failed {did} other {did}} nothing',
  stop: '{way, select, doing {{self, select, yes {are} other {is}} ending} failed {could not end} other {ended}} the task',
  stopText:
    '{way, select, doing {{self, select, yes {are} other {is}} ending} failed {could not end} other {ended}} the task: “{value}”',
} as const satisfies Readonly<
  Record<EventWord | 'line' | 'stored' | 'between' | 'target' | 'somewhere' | 'blank', string>
>;
