/**
 * A page with everything that a snapshot looks at. Its function `mutate` does one of MUTATIONS at a place that `n`
 * selects.
 */
export const MUTABLE_PAGE = `<!doctype html><title>Mutable</title><style>
  .gone{display:none} .unseen{visibility:hidden} .hand{cursor:pointer} .up{text-transform:uppercase} .block{display:block} .after::after{content:" after"}
  .flag .flagged{display:none} .on + .next{cursor:pointer} .box:has(.marked){cursor:pointer} input:checked + label::after{content:" chosen"} .tall{height:2000px}
</style>
<header><nav aria-label=Main><a href=/a>Home</a><a href=/b class=hand>Shop <b>now</b></a></nav></header>
<div id=veil style="position:fixed;left:0;top:0;width:max-content;max-width:700px;background:#fff">Veil</div><main id=main><h1 id=title>Title <em>with</em> parts</h1>
  <section class=box aria-labelledby=title><p>One <span>two</span> three</p><div class=card><span>Card</span> text</div><button id=b1>Press</button><button aria-describedby=note>Go</button></section>
  <ul id=list><li>First <a href=#1>one</a></li><li>Second <button>two</button></li><li class=next>Third</li></ul>
  <form aria-label=Form><label for=name>Name</label><input id=name value=Ada><label>Mail <input type=email value=a@b.c required></label>
    <label class=hand><input type=checkbox> Agree</label><input type=checkbox id=c2><label for=c2>Second</label><label class=hand><input type=radio name=r class=gone>Small</label><label class=hand><input type=radio name=r class=gone checked>Large</label>
    <select aria-label=Size><option>S<option selected>M<option>L</select><select multiple aria-label=Many><option>A<option>B</select><textarea aria-label=Text>words</textarea>
    <input type=password aria-label=Secret value=hunter2hunter2><fieldset><legend>Set</legend><input aria-label=Inside><button>In set</button></fieldset></form>
  <table><caption>Table</caption><tr><th>Head<th>Two</tr><tr><td>Cell<td><a href=#t>link</a></tr></table>
  <div contenteditable aria-label=Editor>Edit <b>me</b></div><details><summary>More</summary><p>Hidden words</p><button>Deep</button></details>
  <div id=host></div><div id=card role=group aria-label=Group><span class=flagged>Flagged</span><img alt=Picture src=data:,><i tabindex=0>Stop</i></div>
  <p id=note>Note</p><div class=tall></div><div id=below><button>Below</button><p>Far below</p></div></main><iframe id=frame title=Inner></iframe>
<script>
  host.attachShadow({ mode: 'open' }).innerHTML = '<p>In shadow</p><button>Shadow button</button><slot></slot>';
  const inner = '<body><h2>Inside</h2><button>Inner</button><p>words</p>';
  frame.srcdoc = inner;
  let made = 0;
  const everywhere = () => [...document.querySelectorAll('body *:not(script):not(style):not(option):not(iframe):not(#veil)'), ...host.shadowRoot.querySelectorAll('*'), ...(frame.contentDocument?.querySelectorAll('body *') ?? [])];
  const pick = (n, all = everywhere()) => all[n % all.length];
  const boxes = () => everywhere().filter((e) => /^(?:div|section|p|li|ul|main|form|h1|td|span|label|slot)$/.test(e.localName));
  const fields = () => [...document.querySelectorAll('input,textarea,select')];
  const mutations = {
    text: (n) => { const e = pick(n, boxes()); (e.firstChild ?? e.appendChild(new Text(''))).textContent = 'text ' + (made += 1); },
    data: (n) => { const all = everywhere().flatMap((e) => [...e.childNodes]).filter((c) => c.nodeType === 3 && c.data.trim()); pick(n, all).data = 'data ' + (made += 1); },
    add: (n) => { pick(n, boxes()).insertAdjacentHTML('afterbegin', '<div><button>New ' + (made += 1) + '</button> and <a href=#n>more</a></div>'); },
    wrap: (n) => { const e = pick(n, boxes()); const w = document.createElement(n % 2 ? 'span' : 'div'); if (e.parentNode && e.id !== 'main') { e.replaceWith(w); w.append(e); } },
    remove: (n) => { const e = pick(n); if (!['main', 'host', 'frame'].includes(e.id) && !e.querySelector('#host,#frame')) e.remove(); },
    move: (n, m) => { const e = pick(n); const to = pick(m, boxes()); if (!e.contains(to) && !['main', 'host', 'frame'].includes(e.id)) to.append(e); },
    label: (n) => pick(n).setAttribute('aria-label', 'label ' + (made += 1)),
    unlabel: (n) => pick(n).removeAttribute('aria-label'),
    labelledby: (n, m) => pick(n).setAttribute('aria-labelledby', ['title', 'note', 'b1', 'gone'][m % 4]),
    owns: (n, m) => pick(n, boxes()).setAttribute('aria-owns', ['note', 'b1', ''][m % 3]),
    role: (n, m) => pick(n).setAttribute('role', ['button', 'presentation', 'heading', 'list', 'group', 'link', 'none', 'checkbox'][m % 8]),
    popup: (n, m) => pick(n).setAttribute('aria-haspopup', ['menu', 'dialog', 'false', 'true', 'listbox'][m % 5]),
    property: (n, m) => pick(n).setAttribute(['aria-live', 'aria-valuemax', 'aria-roledescription', 'aria-keyshortcuts', 'aria-busy', 'aria-orientation', 'aria-modal', 'aria-sort', 'aria-posinset', 'aria-setsize', 'aria-valuetext'][m % 11], ['polite', '9', 'true'][m % 3]),
    password: (n) => { document.querySelector('[type=password]')?.setRangeText?.(n % 2 ? '' : 'secret ' + (made += 1), 0, 99, 'end'); },
    state: (n, m) => pick(n).setAttribute(['aria-checked', 'aria-expanded', 'aria-pressed', 'aria-selected', 'aria-disabled', 'aria-required', 'aria-invalid'][m % 7], ['true', 'false'][m % 2]),
    hide: (n, m) => pick(n).classList.toggle(['gone', 'unseen'][m % 2]),
    ariaHide: (n) => { const e = pick(n); if (e.hasAttribute('aria-hidden')) e.removeAttribute('aria-hidden'); else e.setAttribute('aria-hidden', 'true'); },
    attribute: (n) => pick(n).toggleAttribute('hidden'),
    inert: (n) => pick(n).toggleAttribute('inert'),
    look: (n, m) => pick(n).classList.toggle(['hand', 'up', 'block', 'after', 'on', 'marked'][m % 6]),
    flag: () => { document.body.classList.toggle('flag'); },
    style: (n, m) => { pick(n).style.cssText = ['display:none', 'display:inline', 'display:block', 'cursor:pointer', 'visibility:hidden', 'margin-top:700px', 'position:fixed;top:0', 'position:absolute;left:-900px', ''][m % 9]; },
    type: (n) => { const f = pick(n, fields()); if (f.localName === 'select') f.selectedIndex = made % f.options.length; else if (f.type === 'checkbox' || f.type === 'radio') f.checked = !f.checked; else f.value = 'typed ' + (made += 1) + (f.type === 'email' ? '' : '@x.y'); },
    indeterminate: (n) => { const f = pick(n, fields()); if (f.type === 'checkbox') f.indeterminate = !f.indeterminate; },
    disable: (n) => { pick(n, [...fields(), ...document.querySelectorAll('button,fieldset')]).toggleAttribute('disabled'); },
    option: (n) => { const s = pick(n, [...document.querySelectorAll('select')]); s.add(new Option('Option ' + (made += 1))); },
    focus: (n) => { const e = pick(n); e.focus?.(); },
    scroll: (n) => { scrollTo(0, [0, 300, 5000][n % 3]); },
    listen: (n) => { pick(n).addEventListener('click', () => {}); },
    tabindex: (n) => { pick(n).setAttribute('tabindex', '0'); },
    editable: (n) => { pick(n, boxes()).toggleAttribute('contenteditable'); },
    open: () => { document.querySelector('details')?.toggleAttribute('open'); },
    href: (n) => { pick(n, [...document.querySelectorAll('a')])?.setAttribute('href', '/h' + (made += 1)); },
    shadow: (n) => { const e = pick(n, [...document.querySelectorAll('div,section,p')]); if (!e.shadowRoot) { try { e.attachShadow({ mode: 'open' }).innerHTML = '<button>Late shadow</button><slot></slot>'; } catch {} } },
    rule: () => { document.styleSheets[0].insertRule('.card { cursor: pointer }'); },
    innerHTML: (n) => { const e = pick(n, boxes().filter((b) => !b.querySelector('#host,#frame') && b.id !== 'main' && b.id !== 'host')); e.innerHTML = '<p>Replaced ' + (made += 1) + '</p><label>L <input value=v></label>'; },
    dialog: () => { const d = document.createElement('dialog'); d.innerHTML = '<button>In dialog</button>'; document.body.append(d); if (made % 2) d.showModal(); else d.show(); made += 1; },
    frameText: (n) => { const d = frame.contentDocument; if (d?.body) d.body.append(Object.assign(d.createElement('button'), { textContent: 'frame ' + (made += 1) })); },
    grow: (n) => { document.getElementById('veil')?.replaceChildren('Veil ' + 'of words '.repeat(n)); },
    edit: (n, m) => { document.styleSheets[0].cssRules[n % 4].style.cssText = ['display:none', 'cursor:pointer', 'z-index:3', 'pointer-events:none', 'text-transform:uppercase', 'position:fixed;inset:0'][m % 6]; },
    nothing: () => {},
  };
  const mutate = (kind, n, m) => { try { mutations[kind](n, m); } catch (error) { return String(error); } };
</script>`;

export const MUTATIONS = [
  'text',
  'data',
  'add',
  'wrap',
  'remove',
  'move',
  'label',
  'unlabel',
  'labelledby',
  'owns',
  'role',
  'state',
  'popup',
  'property',
  'password',
  'hide',
  'ariaHide',
  'attribute',
  'inert',
  'look',
  'flag',
  'style',
  'type',
  'indeterminate',
  'disable',
  'option',
  'focus',
  'scroll',
  'listen',
  'tabindex',
  'editable',
  'open',
  'href',
  'shadow',
  'rule',
  'innerHTML',
  'dialog',
  'frameText',
  'grow',
  'edit',
  'nothing',
] as const;
