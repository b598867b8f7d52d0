import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html, markup } from '@/server/demo/html';

describe('html', () => {
  it('[GU3] escapes everything that is put in, in text and in attributes', () => {
    const text = `<b title='x'>"&</b>`;

    const made = html`<p title="${text}">${text}</p>`.toString();

    expect(made).toBe(
      '<p title="&lt;b title=&#39;x&#39;&gt;&quot;&amp;&lt;/b&gt;">&lt;b title=&#39;x&#39;&gt;&quot;&amp;&lt;/b&gt;</p>',
    );
  });

  it('[GU3] no text can open a tag or end an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(html`${text}`.toString()).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('[DM1] keeps markup, joins lists, and prints nothing for absent parts', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);

    const made = html`${markup('<hr>')}<ul>${items}</ul>${false}${undefined}${null}${3}`.toString();

    expect(made).toBe('<hr><ul><li>a</li><li>&lt;b&gt;</li></ul>3');
  });
});
