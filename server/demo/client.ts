import { STRANGE } from '@/server/demo/pages/playground';

/** The pages' scripts as text; they run in the visitor's browser and need only the DOM. */

const SHOP = `'use strict';
document.addEventListener('submit', (event) => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.popup) window.open(button.dataset.popup, 'guide', 'popup,width=520,height=560');
  if (button.dataset.close !== undefined) window.close();
  if (button.dataset.still) {
    const resting = document.getElementById(button.dataset.still).classList.toggle('resting');
    button.setAttribute('aria-pressed', String(resting));
  }
});
`;

const PLAYGROUND = `'use strict';
const show = (id, text) => { document.getElementById(id).textContent = text; };
const tries = {
  alert: () => { alert('The ferns need water.'); show('answer', 'alert closed'); },
  confirm: () => show('answer', confirm('Water the ferns now?') ? 'confirmed' : 'declined'),
  prompt: () => show('answer', prompt('What is your name?', 'Fern') ?? 'no name'),
  count: async () => { const answer = await fetch('/playground/count', { method: 'POST' }); show('clicks', (await answer.json()).clicks); },
};
for (const button of document.querySelectorAll('[data-try]')) button.addEventListener('click', () => tries[button.dataset.try]());
`;

const HANG = `'use strict';
let taps = 0;
const state = document.getElementById('state');
document.getElementById('tap').addEventListener('click', () => { taps += 1; document.getElementById('taps').textContent = String(taps); });
document.getElementById('start').addEventListener('click', () => {
  state.textContent = 'looping';
  requestAnimationFrame(() => setTimeout(() => { while (true) {} }, 0));
});
`;

const ENDLESS = 'while (true) {}\n';

/** A literal that is also safe where a script is embedded in markup. */
const literal = JSON.stringify(STRANGE).replaceAll('<', '\\u003c');
const STRANGE_TEXT = `'use strict';\nconst text = ${literal};\nconsole.log(text);\nconsole.warn('warning: ' + text);\nconsole.error({ text, nested: { list: [text] } });\n`;

/** The scripts by file name. */
export const SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['shop.js', SHOP],
  ['playground.js', PLAYGROUND],
  ['hang.js', HANG],
  ['endless.js', ENDLESS],
  ['strange.js', STRANGE_TEXT],
]);
