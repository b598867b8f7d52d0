import { expect, it } from 'vitest';
import { driving, soon } from '@/server/testing/private-page';
import { useServerFixture } from '@/server/testing/server-fixture';

/**
 * A code of four characters, too short for the redactor of known secrets (SN6): only the masks of its fields keep it
 * from readings after a private hold (CO8).
 */

const CODE = 'zq7x';
const at = (top: number): string => `style="position:absolute;left:400px;top:${top}px;width:160px;height:24px"`;
const PAGE = `<title>Calm</title><input id="word" aria-label="Word" autofocus ${at(20)}><input id="free" aria-label="Free" ${at(80)}><div id="ed" aria-label="Note" contenteditable data-copy ${at(140)}></div>
<button id="named" aria-labelledby="word">One</button><button id="led" aria-labelledby="lead word">Two</button><span id="lead">Lead</span>
<button id="edited" aria-labelledby="ed">Three</button><button id="described" aria-describedby="word">Four</button>
<label id="around" for="near">Near <b contenteditable data-copy></b></label><input id="near"><label id="days">Days <input id="box" type="checkbox"> after <input class="mirror"></label>
<fieldset id="group"><legend>Group <b contenteditable data-copy></b></legend><input aria-label="Inner"></fieldset>
<table id="rows"><caption>Rows <b contenteditable data-copy></b></caption><tr><td>Cell</td></tr></table>
<h2 id="head">Head <input class="mirror" aria-label="Own"></h2><a id="link" href="/x">Go <b contenteditable data-copy></b></a>
<div contenteditable aria-label="Text"><a id="inside" href="/x" data-copy></a></div><div id="still" tabindex="0">Still</div><p id="mixed">From <b contenteditable data-copy></b> to</p>
<div style="position:relative"><button id="under">Under</button><div contenteditable data-copy style="position:absolute;inset:0"></div></div>
<script>
  word.focus();
  word.addEventListener('input', () => {
    word.setAttribute('value', word.value);
    for (const one of document.querySelectorAll('[data-copy]')) one.textContent = word.value;
    for (const one of document.querySelectorAll('.mirror')) one.value = word.value;
  });
</script>`;
const fixture = useServerFixture({ '/': PAGE, '/x': 'ok' });

/** A page into whose fields the code came privately, with an agent at the wheel. */
async function held(): Promise<{ id: string; read(action: object): Promise<string> }> {
  const { id, type, hold } = await driving(fixture);
  await hold();
  await type(CODE);
  await hold({ private: false });
  return {
    id,
    read: async (action) => JSON.stringify(await fixture.server.act(id, action, 'driver')),
  };
}

/** What takes its name, description or text from a masked field. */
const SELECTORS = [
  '#named',
  '#led',
  '#edited',
  '#near',
  '#around',
  '#days',
  '#box',
  '#group',
  '#rows',
  '#head',
  '#link',
  '#inside',
  '#ed',
  '#word',
];

it('[CO8] [SN6] a short code is in no name, description, text, row or error afterwards', async () => {
  const { id, read } = await held();
  await fixture.control(id, { do: 'hand-back' });
  await soon(async () => (await read({ kind: 'tab', do: 'list' })).includes('"ok":true'));
  const answers: string[] = [];
  const look = async (action: object): Promise<void> =>
    void answers.push(`${JSON.stringify(action)} ${await read(action)}`);
  // Before any snapshot: elements without a ref are named by the page.
  for (const selector of SELECTORS) await look({ kind: 'extract', what: 'attrs', selector });
  await look({ kind: 'click', selector: '#under', timeoutMs: 1_000 });
  for (const view of [undefined, 'role', 'aria', 'webarena']) await look({ kind: 'snapshot', view });
  for (const what of ['text', 'markdown', 'html', 'links', 'table']) await look({ kind: 'extract', what });
  const { body } = await fixture.server.api('GET', `/api/v1/sessions/${id}/timeline`);

  expect(answers.filter((answer) => answer.includes(CODE))).toEqual([]);
  expect(
    answers.filter((answer) => !answer.includes('"ok":true')).map((answer) => /"code":"(\w+)"/.exec(answer)?.[1]),
  ).toEqual(['COVERED']);
  expect(JSON.stringify(body)).not.toContain(CODE);
  // The field itself keeps its name, and what has nothing of it too.
  expect(JSON.stringify(body)).toMatch(/textbox “Word”/);
}, 60_000);

it('[CO8] [SE6] a selection with a short code in an editor is not copied, one without is', async () => {
  const { id, read } = await held();
  await fixture.control(id, { do: 'hand-back' });
  await soon(async () => (await read({ kind: 'focus', selector: '#still' })).includes('"ok":true'));
  const copied = async (selector: string): Promise<unknown> => {
    await read({ kind: 'evaluate', fn: `getSelection().selectAllChildren(document.querySelector('${selector}'))` });
    await read({ kind: 'press', key: 'Control+C' });
    return (await fixture.server.act(id, { kind: 'clipboard', do: 'get' }, 'driver')).value;
  };

  expect([await copied('#mixed'), await copied('#still')]).toEqual([
    { scope: 'session', text: '' },
    { scope: 'session', text: 'Still' },
  ]);
}, 60_000);
