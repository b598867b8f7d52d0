/** A page as complex as a news site, with an animation: about 60 KB per picture at 1280 x 720. */
export const MOVING_PAGE = `<body style="margin:0;font:15px/1.5 sans-serif;background:#fff"><div id="box" style="position:absolute;width:160px;height:160px;background:#7c5cff"></div>
<div style="columns:3;padding:24px">${'<p>The quick brown fox jumps over the lazy dog while the band plays on.</p>'.repeat(14)}</div>
<script>let step = 0; const move = () => { box.style.left = (step++ * 7) % 1100 + 'px'; box.style.top = (step * 3) % 540 + 'px'; requestAnimationFrame(move); }; move();</script></body>`;

/** A page that each press switches between a plain and a crowded look, told apart by the size of the picture. */
export const PRESS_PAGE = `<body style="margin:0;font:15px/1.5 sans-serif;background:#fff"><h1>Press</h1><div id="crowd" style="columns:4" hidden>${'<p>The quick brown fox jumps over the lazy dog while the band plays on.</p>'.repeat(20)}</div>
<script>addEventListener('mousedown', () => { crowd.hidden = !crowd.hidden; });</script></body>`;

/** `MOVING_PAGE` that each press switches between its look and one without the text, told apart like those. */
export const MOVING_PRESS_PAGE = MOVING_PAGE.replace('<div style="columns', '<div id="crowd" style="columns').replace(
  '</body>',
  `<script>addEventListener('mousedown', () => { crowd.hidden = !crowd.hidden; });</script></body>`,
);

/** A picture of the crowded look is larger than this, of the plain one smaller. Bytes at quality 60, 1280 x 720. */
export const CROWDED_BYTES = 30_000;

/**
 * Cards with a heading, a link, a button, a labelled field, a checkbox and a sentence: four of nine elements are
 * interactive.
 */
export function plantsPage(elements: number): string {
  const card = (number: number): string =>
    `<li><h3>Plant ${number}</h3><a href="/plants/${number}">Read about plant ${number}</a><button>Add plant ${number}</button><label>Amount of ${number}<input type="number" value="1"></label>` +
    `<label><input type="checkbox">Wrap ${number} as a gift</label><p>Likes half shade, moist soil and a quiet place near the window.</p></li>`;
  const cards = Array.from({ length: elements / 4 }, (_, index) => card(index + 1)).join('');
  return `<!doctype html><meta charset="utf-8"><title>Plants</title><body style="font:15px/1.5 sans-serif"><h1>Plants</h1><ul>${cards}</ul>`;
}
