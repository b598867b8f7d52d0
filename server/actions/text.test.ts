import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { ActionBench } from '@/server/testing/action-bench';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const LOGGED = `<script>window.log = []; for (const type of ['keydown', 'beforeinput', 'input']) addEventListener(type, (e) => log.push(type === 'keydown' ? 'key ' + e.key + ' ' + e.code + ' ' + e.keyCode + (e.shiftKey ? ' shift' : '') : type + ' ' + e.data), true)</script>`;

describe('type', () => {
  it('[AC4] types by real keys, shifted ones with Shift set', async () => {
    await bench.show(`<input aria-label="Name">${LOGGED}`);
    const { outcome } = await bench.run({ kind: 'type', role: 'textbox', name: 'Name', text: 'aB!' });
    expect(outcome).toEqual({ via: 'role', typed: 'keys', warnings: [] });
    expect(await bench.read('document.querySelector("input").value')).toBe('aB!');
    expect(await bench.read('log.filter((line) => line.startsWith("key"))')).toEqual([
      'key a KeyA 65',
      'key B KeyB 66 shift',
      'key ! Digit1 49 shift',
    ]);
  });

  it('[AC4] types characters without a key: CJK, accents, emoji of several code units', async () => {
    await bench.show('<textarea></textarea>');
    const text = 'héllo 日本語 한국어 😀 👨‍👩‍👧‍👦 ok';
    const { error } = await bench.run({ kind: 'type', selector: 'textarea', text });
    expect(error).toBeUndefined();
    expect(await bench.read('document.querySelector("textarea").value')).toBe(text);
  });

  it('[AC4] types the first and last 20 characters of a long text by keys, pieces between, and says so', async () => {
    await bench.show(`<textarea></textarea><p contenteditable></p>${LOGGED}`);
    const text = `${'The long text, 中. '.repeat(50)}\nEnd of it`;
    const { outcome } = await bench.run({ kind: 'type', selector: 'textarea', text });
    expect(outcome).toMatchObject({ typed: 'mixed', warnings: [] });
    expect(await bench.read('document.querySelector("textarea").value')).toBe(text);
    const keys = 'log.filter((line) => line.startsWith("key")).length';
    expect(await bench.read(keys)).toBeLessThan(50);

    await bench.run({ kind: 'type', selector: '[contenteditable]', text });
    const written = String(await bench.read('document.querySelector("[contenteditable]").innerText'));
    expect(written.replace(/\u00a0/g, ' ').replace(/\n+/g, '\n')).toBe(text);
  });

  it('[AC4][I3] a takeover stops a long text between two pieces', async () => {
    await bench.show('<textarea></textarea>');
    let pieces = 0;
    bench.fence = (method) => {
      if (method !== 'Input.insertText') return;
      pieces += 1;
      if (pieces > 1) throw new WheelhouseError('CONTROL_LOST', 'Taken.');
    };
    onTestFinished(() => void (bench.fence = () => undefined));
    const { error } = await bench.run({ kind: 'type', selector: 'textarea', text: 'a'.repeat(2_000) });
    expect(error?.code).toBe('CONTROL_LOST');
    expect(await bench.read('document.querySelector("textarea").value.length')).toBe(520);
  });

  it('[ST3] replaces the content by default, appends when asked, and clears with an empty text', async () => {
    await bench.show('<textarea>old text</textarea>');
    const value = () => bench.read('document.querySelector("textarea").value');
    await bench.run({ kind: 'type', selector: 'textarea', text: 'new' });
    expect(await value()).toBe('new');
    await bench.run({ kind: 'type', selector: 'textarea', text: '\nmore', mode: 'append' });
    expect(await value()).toBe('new\nmore');
    await bench.run({ kind: 'type', selector: 'textarea', text: '' });
    expect(await value()).toBe('');
  });

  it('[ST3] replaces in a contenteditable, and types into the focused element without a target', async () => {
    await bench.show('<div contenteditable role="textbox" aria-label="Note"><p>one</p><p>two</p></div>');
    await bench.run({ kind: 'type', selector: '[contenteditable]', text: 'three' });
    await bench.run({ kind: 'type', text: '!', mode: 'append' });
    expect(await bench.read('document.querySelector("[contenteditable]").innerText.trim()')).toBe('three!');
  });

  it('[AC3][F2] a document without a root element, as right after a crash, has nothing to type into; a key does nothing', async () => {
    await bench.show('<p>Going</p>');
    await bench.read('document.documentElement.remove()');
    const typed = await bench.run({ kind: 'type', text: 'a' });
    const pressed = await bench.run({ kind: 'press', key: 'a' });

    expect([typed.error?.code, pressed.error?.code]).toEqual(['NODE_GONE', undefined]);
  });

  it('[AC1] submit presses Enter after the text; a line end in a one-line field is typed as a space, and the reply says so', async () => {
    await bench.show(`<form onsubmit="window.sent = this.q.value; return false"><input name="q"></form>`);
    const { outcome } = await bench.run({ kind: 'type', selector: 'input', text: 'two\nlines', submit: true });
    expect(outcome?.warnings).toEqual(['This field has one line: line ends were typed as spaces.']);
    expect(await bench.read('sent')).toBe('two lines');
  });

  it('[AC3] refuses elements that take no text with WRONG_ELEMENT, and read-only fields with DISABLED', async () => {
    await bench.show('<button>B</button><input readonly value="x">');
    const button = await bench.run({ kind: 'type', selector: 'button', text: 'a' });
    expect([button.error?.code, button.error?.details?.['is']]).toEqual([
      'WRONG_ELEMENT',
      expect.objectContaining({ tag: 'button' }),
    ]);
    expect((await bench.run({ kind: 'type', selector: 'input', text: 'a' }, { timeoutMs: 3_000 })).error?.code).toBe(
      'DISABLED',
    );
  });

  it('[AC4] sets dates, times, colours and ranges as values with their events, and the reply says so', async () => {
    await bench.show(`<input type="date"><input type="time"><input type="color"><input type="range" min="0" max="10">
      <script>window.log = []; for (const type of ['input', 'change']) addEventListener(type, (e) => log.push(e.target.type + ' ' + type))</script>`);
    const texts = { date: '2026-05-04', time: '13:45', color: '#ff0080', range: '7' };
    for (const [type, text] of Object.entries(texts)) {
      const { outcome } = await bench.run({ kind: 'type', selector: `[type=${type}]`, text });
      expect(outcome?.warnings?.[0]).toContain('Set as a value');
    }
    expect(await bench.read('Array.from(document.querySelectorAll("input"), (input) => input.value)')).toEqual(
      Object.values(texts),
    );
    expect(await bench.read('log.length')).toBe(8);
    const { error } = await bench.run({ kind: 'type', selector: '[type=date]', text: 'tomorrow' });
    expect(error?.message).toBe('A date field does not take "tomorrow". Write it like 2026-01-31.');
    expect(await bench.read('document.querySelector("[type=date]").value')).toBe('2026-05-04');
  });

  it('[AC5] reports when the field refused a part of the text, without repeating the text', async () => {
    await bench.show('<input maxlength="3">');
    const { outcome } = await bench.run({ kind: 'type', selector: 'input', text: 'secret' });
    expect(outcome?.warnings).toEqual([
      'The field holds 3 characters now, not the 6 that were typed: the page changed or refused some.',
    ]);
  });

  it('[CO2] every keystroke is fenced: a takeover in the middle of a text stops it there', async () => {
    await bench.show('<input>');
    await bench.run({ kind: 'focus', selector: 'input' });
    let keys = 0;
    bench.fence = (method) => {
      if (method !== 'Input.dispatchKeyEvent') return;
      keys += 1;
      if (keys > 6) throw new Error('gone');
    };
    const { error } = await bench.run({ kind: 'type', selector: 'input', text: 'abcdefgh' });
    bench.fence = () => undefined;
    expect(error).toBeDefined();
    expect(await bench.read('document.querySelector("input").value')).toBe('abc');
    await bench.tab.input.releaseAll(bench.write);
  });
});

describe('press', () => {
  it('[AC4] chords have the same effect as for a person: select all, undo, tab, enter', async () => {
    await bench.show('<input value="abc"><button onclick="window.hits = 1">Go</button>');
    const caret = () =>
      bench.read(
        '[document.activeElement.localName, document.activeElement.selectionStart ?? null, document.activeElement.selectionEnd ?? null]',
      );
    await bench.run({ kind: 'press', selector: 'input', key: 'Control+A' });
    expect(await caret()).toEqual(['input', 0, 3]);
    await bench.run({ kind: 'press', keys: ['del', 'ctrl+z'] });
    expect(await bench.read('document.querySelector("input").value')).toBe('abc');
    await bench.run({ kind: 'press', keys: ['Tab', 'return'] });
    expect(await bench.read('[document.activeElement.localName, hits]')).toEqual(['button', 1]);
  });

  it('[AC4] a printable chord types its character; repeat repeats it', async () => {
    await bench.show('<input>');
    await bench.run({ kind: 'press', selector: 'input', key: 'A' });
    await bench.run({ kind: 'press', key: 'x', repeat: 3 });
    await bench.run({ kind: 'press', key: 'Shift+2' });
    expect(await bench.read('document.querySelector("input").value')).toBe('Axxx@');
  });

  it('[AC8] refuses an unknown key before anything is pressed, and suggests near names', async () => {
    await bench.show('<input>');
    const { error } = await bench.run({ kind: 'press', selector: 'input', keys: ['a', 'Entr'] });
    expect([error?.code, error?.message]).toEqual([
      'BAD_REQUEST',
      '"Entr" in "Entr" is not a key. Did you mean "Enter" or "End"?',
    ]);
    expect(await bench.read('document.querySelector("input").value')).toBe('');
  });

  it('[SE6] copy, cut and paste use the clipboard of the session, and the page gets its events', async () => {
    await bench.show(
      `<input id="from" value="apple"><input id="to"><script>window.log = []; for (const type of ['copy', 'cut', 'paste']) addEventListener(type, (e) => log.push(type + ' ' + e.clipboardData.getData('text/plain')))</script>`,
    );
    await bench.run({ kind: 'press', selector: '#from', keys: ['Control+A', 'Control+C'] });
    await bench.run({ kind: 'press', selector: '#to', keys: ['Control+V', 'Control+V'] });
    await bench.run({ kind: 'press', selector: '#from', keys: ['Control+A', 'Control+X'] });
    expect(await bench.read('[from.value, to.value, log]')).toEqual([
      '',
      'appleapple',
      ['copy ', 'paste apple', 'paste apple', 'cut '],
    ]);
    expect(bench.tab.input.clipboard.paste()).toBe('apple');
  });

  it('[SE6] the page gets the true keys of copy, cut and paste, and its clipboard events between them', async () => {
    await bench.show(`<input id="from" value="apple"><script>window.log = []; for (const type of ['keydown', 'keyup', 'copy', 'cut', 'paste', 'input'])
      addEventListener(type, (e) => log.push([type, e.code, e.keyCode, e.ctrlKey, e.isTrusted && type.startsWith('key')].filter((part) => part).join(' ')))</script>`);
    await bench.run({ kind: 'press', selector: '#from', keys: ['Control+A'] });
    await bench.read('log.length = 0');
    await bench.run({ kind: 'press', selector: '#from', keys: ['Control+C', 'Control+X', 'Control+V'] });
    const [down, up] = ['keydown ControlLeft 17 true true', 'keyup ControlLeft 17 true'];
    const around = (code: string, keyCode: number, ...between: string[]): string[] => [
      down,
      `keydown ${code} ${keyCode} true true`,
      ...between,
      `keyup ${code} ${keyCode} true true`,
      up,
    ];

    expect(await bench.read('log')).toEqual([
      ...around('KeyC', 67, 'copy'),
      ...around('KeyX', 88, 'cut', 'input'),
      ...around('KeyV', 86, 'paste', 'input'),
    ]);
    expect(await bench.read('from.value')).toBe('apple');
  });

  it('[SE6] a page that handles keys itself, such as a terminal, gets them alone: nothing is copied, deleted or pasted', async () => {
    await bench.show(`<input id="a" value="apple"><script>window.log = []; for (const type of ['copy', 'cut', 'paste', 'input']) addEventListener(type, () => log.push(type));
      addEventListener('keydown', (e) => { if (!e.ctrlKey || !'cxv'.includes(e.key)) return; e.preventDefault(); e.stopImmediatePropagation(); log.push('took ' + e.key) }, true)</script>`);
    bench.tab.input.clipboard.copy('kept');
    await bench.run({ kind: 'press', selector: '#a', keys: ['Control+A', 'Control+C', 'Control+X', 'Control+V'] });

    expect(await bench.read('[a.value, log]')).toEqual(['apple', ['took c', 'took x', 'took v']]);
    expect(bench.tab.input.clipboard.paste()).toBe('kept');
  });

  it("[SE6] Chrome's own clipboard stays as it is: it is shared by all its sessions", async () => {
    await bench.show(
      `<button onclick="const t = document.createElement('textarea'); t.value = 'of Chrome'; document.body.append(t); t.select(); document.execCommand('copy'); t.remove()">Copy</button><input id="from" value="apple"><input id="to">`,
    );
    await bench.run({ kind: 'click', role: 'button', name: 'Copy' });
    await bench.run({ kind: 'press', selector: '#from', keys: ['Control+A', 'Control+C'] });
    await bench.run({ kind: 'focus', selector: '#to' });
    await bench.write('Input.dispatchKeyEvent', {
      type: 'rawKeyDown',
      key: 'F20',
      code: 'F20',
      windowsVirtualKeyCode: 131,
      commands: ['paste'],
    });

    expect(await bench.read('to.value')).toBe('of Chrome');
  });

  it('[SE6] a page that fills or takes the clipboard by itself is heard', async () => {
    await bench.show(`<input><script>
      addEventListener('copy', (e) => { e.clipboardData.setData('text/plain', 'mine'); e.preventDefault() });
      addEventListener('paste', (e) => { window.got = e.clipboardData.getData('text/plain'); e.preventDefault() })</script>`);
    await bench.run({ kind: 'press', selector: 'input', keys: ['Control+C', 'Control+V'] });
    expect(await bench.read('[got, document.querySelector("input").value]')).toEqual(['mine', '']);
  });

  it('[SN6] nothing is copied out of a password field', async () => {
    await bench.show('<input type="password" value="hunter2">');
    bench.tab.input.clipboard.copy('');
    await bench.run({ kind: 'press', selector: 'input', keys: ['Control+A', 'Control+C'] });
    expect(bench.tab.input.clipboard.paste()).toBe('');
  });
});
