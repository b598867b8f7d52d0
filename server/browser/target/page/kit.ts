import { PageBoxes } from './boxes';
import { PageClipboard } from './clipboard';
import { SECRET_PATTERNS } from '@/lib/snapshot/secret';
import { PageDrops } from './drops';
import { PageExtract } from './extract';
import { INPUT_TYPES, PageFacts } from './facts';
import { PageFocus } from './focus';
import { PageForms } from './forms';
import { PageFrames } from './frames';
import { PageHidden } from './hidden';
import { PageValueSnapshot } from './value-snapshot';
import { PageLists } from './lists';
import { PagePasswords } from './passwords';
import { PagePopups } from './popups';
import { PageProbe } from './probe';
import { PageQuiet } from './quiet';
import { PageReach } from './reach';
import { PageScroller } from './scroller';
import { PageSearch } from './search';
import { PageLabelProxies } from './label-proxies';
import { PageValidity } from './validity';
import { PageWaits } from './waits';
import { PageEventTarget, EVENT_TARGET_LIMITS } from './event-target';
import { PageTextSearch } from './text-search';

/**
 * What is put into each document's isolated world: our own helpers, which the page's scripts can neither see nor
 * change.
 */
export interface PageKit {
  readonly boxes: PageBoxes;
  readonly clipboard: PageClipboard;
  readonly drops: PageDrops;
  readonly extract: PageExtract;
  readonly facts: PageFacts;
  readonly focus: PageFocus;
  readonly forms: PageForms;
  readonly hidden: PageHidden;
  readonly valueSnapshot: PageValueSnapshot;
  readonly lists: PageLists;
  readonly popups: PagePopups;
  readonly probe: PageProbe;
  readonly quiet: PageQuiet;
  readonly reach: PageReach;
  readonly scroller: PageScroller;
  readonly search: PageSearch;
  readonly validity: PageValidity;
  readonly waits: PageWaits;
  readonly eventTargets: PageEventTarget;
}

/**
 * An expression that makes the kit. The classes travel as their own source text; each may use only its members and its
 * constructor's arguments. `__name` is what some TypeScript compilers wrap names with.
 */
export const KIT_SOURCE = `(() => {
  const __name = (value) => value;
  const frames = new (${PageFrames.toString()})();
  const focus = new (${PageFocus.toString()})();
  const labelProxies = new (${PageLabelProxies.toString()})();
  const passwords = new (${PagePasswords.toString()})();
  const hidden = new (${PageHidden.toString()})();
  const boxes = new (${PageBoxes.toString()})(labelProxies);
  const facts = new (${PageFacts.toString()})(boxes, hidden, ${JSON.stringify(INPUT_TYPES.untyped)}, ${JSON.stringify(INPUT_TYPES.whole)});
  const reach = new (${PageReach.toString()})(boxes);
  const forms = new (${PageForms.toString()})(boxes, facts, frames);
  const search = new (${PageSearch.toString()})(frames);
  return {
    boxes,
    facts,
    focus,
    reach,
    popups: new (${PagePopups.toString()})(reach),
    probe: new (${PageProbe.toString()})(boxes, facts, reach, frames),
    forms,
    hidden,
    drops: new (${PageDrops.toString()})(reach, forms),
    extract: new (${PageExtract.toString()})(boxes, hidden, passwords, ${JSON.stringify(SECRET_PATTERNS.token)}, ${JSON.stringify(SECRET_PATTERNS.name)}),
    valueSnapshot: new (${PageValueSnapshot.toString()})(facts, forms),
    lists: new (${PageLists.toString()})(boxes, frames),
    scroller: new (${PageScroller.toString()})(boxes, frames, reach),
    search,
    validity: new (${PageValidity.toString()})(),
    waits: new (${PageWaits.toString()})(boxes, facts, search, new (${PageTextSearch.toString()})(boxes, hidden)),
    clipboard: new (${PageClipboard.toString()})(focus, hidden),
    eventTargets: new (${PageEventTarget.toString()})(facts, focus, passwords, ${JSON.stringify(SECRET_PATTERNS.token)}, ${JSON.stringify(SECRET_PATTERNS.name)}, ${JSON.stringify(EVENT_TARGET_LIMITS)}),
    quiet: new (${PageQuiet.toString()})(frames),
  };
})()`;
