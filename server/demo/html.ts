/** Text that is ready to be sent as markup. Made by `html`, which escapes, or by `markup` from constants of ours. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Piece = Markup | string | number | boolean | null | undefined | readonly Piece[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes any text safe inside an element and inside a quoted attribute. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Template tag: escapes everything that is put into it, except the results of `html` and `markup`.
 * `false`, `true`, `null` and `undefined` render nothing, so that `${condition && html`…`}` works.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + render(pieces[index - 1]) + part));
}

/** Passes text of our own source code through unescaped. Never give it anything that came from a request. */
export function markup(ownText: string): Markup {
  return new Markup(ownText);
}

function render(piece: Piece): string {
  if (piece instanceof Markup) return piece.toString();
  if (typeof piece === 'string') return escapeText(piece);
  if (typeof piece === 'number') return String(piece);
  return isList(piece) ? piece.map(render).join('') : '';
}

function isList(piece: Piece): piece is readonly Piece[] {
  return Array.isArray(piece);
}
