/** A page as busy as a news site with something moving: about 60 KB a picture at 1280 x 720. */
export const MOVING_PAGE = `<body style="margin:0;font:15px/1.5 sans-serif;background:#fff"><div id="box" style="position:absolute;width:160px;height:160px;background:#7c5cff"></div>
<div style="columns:3;padding:24px">${'<p>The quick brown fox jumps over the lazy dog while the band plays on.</p>'.repeat(14)}</div>
<script>let step = 0; const move = () => { box.style.left = (step++ * 7) % 1100 + 'px'; box.style.top = (step * 3) % 540 + 'px'; requestAnimationFrame(move); }; move();</script></body>`;

/** A page that changes with every press between a plain and a crowded look, which the size of its picture tells apart. */
export const PRESS_PAGE = `<body style="margin:0;font:15px/1.5 sans-serif;background:#fff"><h1>Press</h1><div id="crowd" style="columns:4" hidden>${'<p>The quick brown fox jumps over the lazy dog while the band plays on.</p>'.repeat(20)}</div>
<script>addEventListener('mousedown', () => { crowd.hidden = !crowd.hidden; });</script></body>`;

/** A picture of the crowded look is larger than this, of the plain one smaller. Bytes at quality 60, 1280 x 720. */
export const CROWDED_BYTES = 30_000;
