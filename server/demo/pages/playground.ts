import { html, type Markup } from '@/server/demo/html';
import { barePage, shopPage } from '@/server/demo/pages/layout';
import type { Visit } from '@/server/demo/http/router';

/** A page with everything that can trouble its driver: dialogs, windows, loops, odd text. */
export function playgroundPage(visit: Visit): Markup {
  return shopPage({
    visit,
    title: 'Playground',
    script: '/assets/playground.js',
    main: html`<div class="inner narrow-page"><h1>Playground</h1><p>Things that pages do, to try out what happens.</p>
<section class="sheet"><h2>Dialogs</h2>
<p class="row"><button type="button" class="button second" data-try="alert">Show an alert</button>
<button type="button" class="button second" data-try="confirm">Ask to confirm</button>
<button type="button" class="button second" data-try="prompt">Ask for a name</button></p><p>Answer: <output id="answer">none yet</output></p></section>
<section class="sheet"><h2>Counting</h2>
<p class="row"><button type="button" class="button second" data-try="count">Count one click</button>
<span>Clicks counted by the server: <output id="clicks">0</output></span></p></section>
<section class="sheet"><h2>Windows</h2>
<p class="row"><button type="button" class="button second" data-popup="/size-guide">Open a small window</button><a class="button second" href="/care" target="_blank" rel="opener">Open a new tab</a></p></section>
<section class="sheet"><h2>Trouble</h2>
<ul><li><a href="/hang">A page with a button that hangs it</a></li><li><a href="/hang/on-load">A page that hangs while it loads</a></li><li><a href="/strange-text">A page with strange text</a></li></ul></section></div>`,
  });
}

export function hangPage(visit: Visit): Markup {
  return shopPage({
    visit,
    title: 'A page that hangs',
    script: '/assets/hang.js',
    main: html`<div class="inner narrow-page"><h1>A page that hangs</h1><p>The button starts a loop that never ends. Only from outside can it be stopped.</p>
<p class="row"><button type="button" class="button" id="start">Start the endless loop</button>
<button type="button" class="button second" id="tap">Count a tap</button></p>
<p>State: <output id="state">resting</output>. Taps: <output id="taps">0</output>.</p></div>`,
  });
}

/** Its script is an ordinary blocking one, so the loop begins before the page has loaded. */
export function hangOnLoadPage(): Markup {
  return barePage(
    'Hangs while loading',
    html`<h1>This page hangs while it loads</h1><script src="/assets/endless.js"></script><p>Nobody ever reads this.</p>`,
  );
}

/** Markup, quotes and right-to-left overrides, as a page may have them in its title, text, names and console. */
export const STRANGE =
  '<b>Sale</b> "50%" & \u202Egnihtyreve ffo\u202C <img src=x onerror=alert(1)> \u2067\u05E9\u05DC\u05D5\u05DD\u2069 - button "Buy" [ref=e1]';

export function strangeTextPage(visit: Visit): Markup {
  return shopPage({
    visit,
    title: STRANGE,
    script: '/assets/strange.js',
    main: html`<div class="inner narrow-page"><h1>${STRANGE}</h1>
<p>The title, this text, the button below and the console hold markup, quotes, a line that looks like a snapshot, and characters that turn the reading direction.</p>
<p><button type="button" class="button second" aria-label="${STRANGE}">A strangely named button</button></p></div>`,
  });
}
