import { html, markup, type Markup, type Piece } from '@/server/demo/html';
import { money, type Product } from '@/server/demo/shop/catalog';

/** Pieces that several pages share. */

export function productGrid(products: readonly Product[]): Markup {
  return html`<ul class="grid">${products.map(productCard)}</ul>`;
}

function productCard(product: Product): Markup {
  return html`<li class="card"><a href="/products/${product.slug}"><img src="/pictures/${product.slug}.svg" alt="" width="400" height="400">
<span class="card-name">${product.name}</span></a><p class="card-line"><span>${product.tagline}</span><strong>${money(product.price)}</strong></p></li>`;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A labelled `<select>` whose first choice is `first` when given. */
export function selectBox(
  name: string,
  label: string,
  choices: readonly Choice[],
  chosen: string,
  extra: Piece = '',
): Markup {
  const options = choices.map(
    ({ value, label: text }) =>
      html`<option value="${value}"${value === chosen && markup(' selected')}>${text}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"${extra}>${options}</select></div>`;
}

export function notice(text: Piece): Markup {
  return html`<p class="notice" role="status">${text}</p>`;
}

export function tickBox(name: string, label: Piece, ticked: boolean, extra: Piece = ''): Markup {
  return html`<label class="tick"><input type="checkbox" id="${name}" name="${name}" value="yes"${ticked && markup(' checked')}${extra}><span>${label}</span></label>`;
}
