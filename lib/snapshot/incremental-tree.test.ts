import { describe, expect, it } from 'vitest';
import { axDocument, factsOf, named, page, printed, text, treeOf } from './testing/fixture';
import { eachNode } from './tree';

describe('lines', () => {
  it('[SN2] writes role, name, states, ref and value in this order, two spaces a level', () => {
    const form = {
      role: 'form',
      name: 'Sign up',
      children: [
        {
          role: 'textbox',
          name: 'Email',
          value: 'a@b.c',
          properties: { required: true, invalid: 'true', focused: true },
        },
        { role: 'checkbox', name: 'Agree', properties: { checked: 'mixed', disabled: true } },
        named('heading', 'Almost done', { properties: { level: 2 } }),
      ],
    };
    expect(printed([form])).toBe(
      [
        '- form "Sign up" [ref=e1]',
        '  - textbox "Email" [active] [required] [invalid] [ref=e2] [value="a@b.c"]',
        '  - checkbox "Agree" [checked=mixed] [disabled] [ref=e3]',
        '  - heading "Almost done" [level=2]',
      ].join('\n'),
    );
  });

  it('[SN2] shows states only when they are set', () => {
    expect(
      printed([
        named('tab', 'One', { properties: { selected: false, pressed: 'false', disabled: false, hasPopup: 'false' } }),
      ]),
    ).toBe('- tab "One" [ref=e1]');
  });

  it('[SN2] shows which elements are closed, and which popup a press opens', () => {
    const parts = [
      named('button', 'Menu', { properties: { expanded: false, hasPopup: 'menu' } }),
      named('button', 'Filter', { properties: { hasPopup: 'dialog', expanded: true } }),
      { role: 'combobox', name: 'Size', value: 'M', properties: { hasPopup: 'menu', expanded: false } },
      named('button', 'Odd', { properties: { hasPopup: '] [ref=e9' } }),
    ];
    expect(printed(parts)).toBe(
      [
        '- button "Menu" [collapsed] [haspopup=menu] [ref=e1]',
        '- button "Filter" [expanded] [haspopup=dialog] [ref=e2]',
        '- combobox "Size" [collapsed] [ref=e3] [value="M"]',
        '- button "Odd" [ref=e4]',
      ].join('\n'),
    );
  });

  it.each(['ai', 'role'] as const)(
    '[SN6] the view %s distinguishes an empty from a filled password, and hides its length',
    (view) => {
      const fields = ['', '•', '••••••••'].map((value) => ({ role: 'textbox', name: 'Password', value, id: 50 }));
      expect(fields.map((field) => printed([field], { view }, factsOf({ 50: { secret: true } })))).toEqual([
        '- textbox "Password" [ref=e1] [value=""]',
        '- textbox "Password" [ref=e1] [value=masked]',
        '- textbox "Password" [ref=e1] [value=masked]',
      ]);
    },
  );

  it('[SN2] uses ARIA names for the roles of Chrome', () => {
    const parts = [
      { role: 'image', name: 'Logo' },
      named('DisclosureTriangle', 'More', { properties: { expanded: true } }),
      { role: 'Date', name: 'Day', value: '2024-01-02', children: [{ role: 'spinbutton', name: 'Month' }] },
    ];
    expect(printed(parts)).toBe(
      '- img "Logo" [ref=e1]\n- button "More" [expanded] [ref=e2]\n- textbox "Day" [ref=e3] [value="2024-01-02"]',
    );
  });

  it('[SN3] flattens wrappers, joins the text of one block, and keeps blocks apart', () => {
    const inline = { role: 'strong', children: [text('bold')] };
    const facts = factsOf({ 4: { inline: true } });
    const parts = [
      {
        role: 'generic',
        children: [text('One '), inline, text(' line'), { role: 'LineBreak', name: '\n' }, text('more')],
      },
      { role: 'generic', children: [text('Two')] },
    ];
    expect(printed(parts, {}, facts)).toBe('- text "One bold line more"\n- text "Two"');
  });

  it('[SN3] does not repeat a name as text', () => {
    expect(printed([named('button', 'Save'), named('link', 'Home'), named('cell', 'Pot')])).toBe(
      '- button "Save" [ref=e1]\n- link "Home" [ref=e2]\n- cell "Pot"',
    );
  });

  it('[SN3] keeps visible text that the given name does not contain', () => {
    expect(printed([{ role: 'button', name: 'Close', children: [text('X')] }])).toBe(
      '- button "Close" [ref=e1]\n  - text "X"',
    );
  });

  it('[SN3] puts the text of a paragraph on its own line', () => {
    expect(
      printed([
        { role: 'paragraph', children: [text('Hello')] },
        { role: 'listitem', children: [text('Milk')] },
      ]),
    ).toBe('- paragraph "Hello"\n- listitem "Milk"');
  });

  it('[SN3] names a heading by the link in it only once', () => {
    expect(
      printed([
        { role: 'heading', name: 'News', content: true, properties: { level: 2 }, children: [named('link', 'News')] },
      ]),
    ).toBe('- heading [level=2]\n  - link "News" [ref=e1]');
  });

  it('[SN3] does not repeat a label next to its field', () => {
    const label = { role: 'LabelText', children: [text('Email ')] };
    expect(printed([label, { role: 'textbox', name: 'Email' }])).toBe('- textbox "Email" [ref=e1]');
  });

  it('[SN3] keeps a label whose text appears nowhere else', () => {
    expect(
      printed([
        { role: 'LabelText', children: [text('Loose')] },
        { role: 'textbox', name: 'Email' },
      ]),
    ).toBe('- text "Loose"\n- textbox "Email" [ref=e1]');
  });

  it('[SN2] drops bullets and line boxes', () => {
    const item = {
      role: 'listitem',
      children: [
        { role: 'ListMarker', name: '• ' },
        { ...text('Milk'), children: [{ role: 'InlineTextBox', name: 'Milk', id: -5 }] },
      ],
    };
    expect(printed([item])).toBe('- listitem "Milk"');
  });

  it('[SN2] counts the options of a long native list instead of listing them all', () => {
    const options = Array.from({ length: 50 }, (_, index) => named('option', `Land ${index}`));
    const lines = printed([
      { role: 'combobox', name: 'Country', value: 'Land 7', children: [{ role: 'MenuListPopup', children: options }] },
    ]).split('\n');
    expect([lines[0], lines.length]).toEqual(['- combobox "Country" [+10 options] [ref=e1] [value="Land 7"]', 41]);
  });
});

describe('elements that only react to clicks', () => {
  const card = (id: number) => ({ role: 'generic', id, children: [text('Card')] });

  it('[SN1] get a line and a ref for a pointer cursor, a click listener or a tab stop', () => {
    const facts = factsOf({ 50: { clickable: 'pointer' }, 51: { clickable: 'listener' }, 52: { clickable: 'focus' } });
    expect(printed([card(50), card(51), card(52), card(53)], {}, facts)).toBe(
      '- generic "Card" [cursor=pointer] [ref=e1]\n- generic "Card" [ref=e2]\n- generic "Card" [ref=e3]\n- text "Card"',
    );
  });

  it('[SN1] does not take a box that listens for the clicks of its buttons for a button', () => {
    expect(
      printed(
        [{ role: 'generic', id: 50, children: [named('button', 'Buy')] }],
        {},
        factsOf({ 50: { clickable: 'listener' } }),
      ),
    ).toBe('- button "Buy" [ref=e1]');
  });

  it('[SN1] shows a label in place of the hidden radio button it belongs to', () => {
    const facts = factsOf({ 50: { choice: { role: 'radio', checked: true, disabled: false }, clickable: 'pointer' } });
    expect(printed([{ role: 'LabelText', id: 50, children: [text('Small')] }], {}, facts)).toBe(
      '- radio "Small" [checked] [ref=e1]',
    );
  });

  it('[SN1] takes the root of an editable region for a text field', () => {
    const region = {
      role: 'generic',
      value: 'Edit me',
      properties: { editable: 'richtext' },
      children: [{ role: 'paragraph', properties: { editable: 'richtext' }, children: [text('Edit me')] }],
    };
    expect(printed([region])).toBe('- textbox [ref=e1] [value="Edit me"]');
  });
});

it('[SN2] an address without a printable part is left out', () => {
  expect(printed([{ role: 'link', name: 'Go', id: 50, properties: { url: '\u0000' } }], { urls: true })).toBe(
    '- link "Go" [ref=e1]',
  );
});

describe('secrets', () => {
  const field = {
    role: 'textbox',
    name: 'Code',
    value: '123456',
    id: 50,
    children: [{ role: 'generic', children: [text('123456')] }],
  };

  it('[SN6] masks fields that the DOM pass calls secret', () => {
    expect(printed([field], {}, factsOf({ 50: { secret: true } }))).toBe('- textbox "Code" [ref=e1] [value=masked]');
  });

  it('[SN6] masks fields whose name says that they are secret, whatever gave them that name', () => {
    const named = (role: string, name: string): string => printed([{ ...field, role, name }]);
    expect([named('textbox', 'Secret key'), named('searchbox', 'API key'), named('spinbutton', 'CVC')]).toEqual([
      '- textbox "Secret key" [ref=e1] [value=masked]',
      '- searchbox "API key" [ref=e1] [value=masked]',
      '- spinbutton "CVC" [ref=e1] [value=masked]',
    ]);
  });

  it('[SN6] masks every text field when the DOM pass failed, and any field it did not see', () => {
    const unseen = new Map([...factsOf()].filter(([id]) => id !== 50));
    expect(
      [treeOf([axDocument(page(field))], 'failed'), treeOf([axDocument(page(field))], unseen)].map((tree) =>
        [...eachNode(tree.roots)].map((node) => [node.masked, node.children.length]),
      ),
    ).toEqual([[[true, 0]], [[true, 0]]]);
  });

  it('[CO8] names no element from content that contains a masked field', () => {
    const heading = {
      role: 'heading',
      name: 'Code 123456 end',
      content: true,
      children: [text('Code'), field, text('end')],
    };
    const lines = (secret: boolean): string =>
      printed([{ ...heading, properties: { level: 1 } }], {}, factsOf({ 50: { secret } }));
    expect([lines(false).includes('123456'), lines(true).includes('123456'), lines(true).includes('end')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('[SN6] prints a value that imitates the mask and a ref inside its quotes', () => {
    expect(printed([{ role: 'textbox', name: 'Note', value: 'masked] [ref=e9', id: 50 }])).toBe(
      '- textbox "Note" [ref=e1] [value="masked] [ref=e9"]',
    );
  });

  it('[SN6] hides which option of a secret list is chosen', () => {
    const select = {
      role: 'combobox',
      name: 'Expires',
      value: '07',
      id: 50,
      children: [{ role: 'MenuListPopup', children: [named('option', '07', { properties: { selected: true } })] }],
    };
    expect(printed([select], {}, factsOf({ 50: { secret: true } }))).toBe(
      '- combobox "Expires" [ref=e1] [value=masked]\n  - option "07"',
    );
  });
});

describe('subframes', () => {
  const outer = page({ role: 'Iframe', name: 'Pay', id: 90 }, named('button', 'Outside'));
  const inner = page(named('button', 'Inside'));

  it('[SN5] stand at their place, with labelled refs', () => {
    const tree = treeOf(
      [axDocument(outer), axDocument(inner, 'child', 'f1', 40)],
      factsOf({ 90: { frameId: 'child' } }),
    );
    expect(
      [...eachNode(tree.roots)].map((node) => `${tree.documents[node.document]?.label}${node.ref} ${node.role}`),
    ).toEqual(['e1 iframe', 'f1e2 button', 'e3 button']);
  });

  it('[SN5] that contain each other are entered once', () => {
    const documents = [
      axDocument(page({ role: 'Iframe', id: 90 })),
      axDocument(page({ role: 'Iframe', id: 91 }, { role: 'Iframe', id: 92 }), 'child', 'f1', 40),
    ];
    const tree = treeOf(
      documents,
      factsOf({ 90: { frameId: 'child' }, 91: { frameId: 'main' }, 92: { frameId: 'child' } }),
    );
    expect([...eachNode(tree.roots)].map((node) => node.role)).toEqual(['iframe', 'iframe', 'iframe']);
  });
});

describe('positions', () => {
  it('[SN4] counts those of the same role and name', () => {
    const tree = treeOf([axDocument(page(named('button', 'Buy'), named('button', 'Buy'), named('link', 'Buy')))]);
    expect([...eachNode(tree.roots)].map((node) => [node.role, node.nth])).toEqual([
      ['button', 0],
      ['button', 1],
      ['link', 0],
    ]);
  });
});
