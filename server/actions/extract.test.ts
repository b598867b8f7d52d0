import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionBench } from '@/server/testing/action-bench';
import { TEST_KEY } from '@/server/testing/server';
import { useServerFixture } from '@/server/testing/server-fixture';

let bench: ActionBench;
beforeAll(async () => {
  bench = await ActionBench.open();
});
afterAll(() => bench.close());

const PAGE = `<h1>Ferns</h1><p>They like <b>shade</b> and <a href="https://a.test/x">water</a>.</p>
<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul><table><tr><th>Name</th><th>Size</th></tr><tr><td>Maiden|hair</td><td>30 cm</td></tr></table>
<p style="display: none">hidden</p><script>var secretScript = 1</script><iframe srcdoc="inside"></iframe>
<input type="password" value="hunter2" id="p" title="x"><input name="cardNumber" value="4111" id="c">`;

const value = async (action: object) => (await bench.run({ kind: 'extract', ...action })).outcome?.value;

describe('extract', () => {
  it('[AC1] gives the page as Markdown, without invisible parts', async () => {
    await bench.show(PAGE);
    expect(await value({ what: 'markdown' })).toMatchObject({
      what: 'markdown',
      text: '# Ferns\n\nThey like **shade** and [water](https://a.test/x).\n\n- one\n  - inner\n- two\n\n| Name | Size |\n| --- | --- |\n| Maiden\\|hair | 30 cm |',
    });
  });

  it('[AC1] gives text, links and tables', async () => {
    await bench.show(PAGE);
    expect(await value({ what: 'text', selector: 'p', nth: 0 })).toMatchObject({
      text: 'They like shade and water.',
      chars: 26,
    });
    expect(await value({ what: 'links' })).toMatchObject({
      links: [{ text: 'water', url: 'https://a.test/x' }],
      count: 1,
    });
    expect(await value({ what: 'table' })).toMatchObject({
      tables: [{ headers: ['Name', 'Size'], rows: [['Maiden|hair', '30 cm']] }],
    });
  });

  it('[SN6] contains no secrets, with any options', async () => {
    await bench.show(PAGE);
    const html = await bench.run({ kind: 'extract', what: 'html' });
    expect([JSON.stringify(html.outcome).match(/hunter2|4111/), html.outcome?.value]).toEqual([
      null,
      expect.objectContaining({ masked: 2 }),
    ]);
    expect(await value({ what: 'attrs', selector: '#p' })).toMatchObject({
      attrs: { type: 'password', value: '•••', title: 'x' },
      masked: 1,
    });
  });

  it('[AC1] is bounded and reports what is missing', async () => {
    await bench.show(`${'<p>word word word</p>'.repeat(2_000)}<iframe srcdoc="a"></iframe>`);
    const { outcome } = await bench.run({ kind: 'extract', what: 'markdown', maxChars: 300 });
    expect([outcome?.value, outcome?.warnings]).toEqual([
      expect.objectContaining({
        chars: 300,
        truncated: true,
        frames: [expect.objectContaining({ text: '', truncated: true })],
      }),
      ['Only the first 300 characters are given: ask for more by maxChars, or name a part of the page.'],
    ]);
    const part = await bench.run({ kind: 'extract', what: 'text', selector: 'body', maxChars: 300 });
    expect(part.outcome?.warnings).toContain('The content of 1 frame is not included: name an element inside.');
  });

  it('[AC1] changes nothing, and the page does not notice it', async () => {
    await bench.show(
      `<p>a</p><script>window.seen = 0; new MutationObserver(() => { seen += 1 }).observe(document, { subtree: true, childList: true, attributes: true }); Object.defineProperty(HTMLElement.prototype, 'innerText', { get() { seen += 1; return 'forged' } })</script>`,
    );
    expect([await value({ what: 'text' }), await bench.read('seen')]).toEqual([
      expect.objectContaining({ text: 'a' }),
      0,
    ]);
  });
});

describe('search and pdf', () => {
  const fixture = useServerFixture('<title>Page</title><p>page');

  it('[AC1] opens the search that the operator set up', async () => {
    await bench.show('<h1>Before</h1>', { '/found?q=green%20ferns': '<h1>Found</h1>' });
    const { error } = await bench.run({ kind: 'search', query: 'green ferns' });

    expect([error, await bench.read('document.querySelector("h1").textContent')]).toEqual([undefined, 'Found']);
  });

  it('[PS5] prints the page: by act as base64, by POST …/pdf as the file', async () => {
    const { server } = fixture;
    const id = await fixture.open();
    const reply = await server.act(id, { kind: 'pdf', paper: 'a5' });
    expect([reply.ok, JSON.stringify(reply.value)]).toEqual([true, expect.stringContaining('"base64":"JVBERi0')]);
    const response = await fetch(`${server.origin}/api/v1/sessions/${id}/tabs/active/pdf`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}` },
    });
    expect([response.status, response.headers.get('content-type'), (await response.text()).slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
  });
});
