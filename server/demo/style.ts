/** Styles of single pages. The sway of the home page is the only animation in the shop. */
const PAGES = `
.hero { background: var(--mint); margin-top: -32px; margin-bottom: 40px; overflow: hidden; }
.hero .inner { display: grid; grid-template-columns: 5fr 7fr; gap: 32px; align-items: end; padding-top: 40px; }
.hero-words { align-self: center; padding-bottom: 40px; } .hero h1 { font-size: 46px; } .hero-words > p { font-size: 18px; max-width: 34ch; }
.shelf { position: relative; } .shelf svg { width: 100%; height: auto; }
.still { position: absolute; right: 0; top: 0; background: #ffffffcc; border: 1px solid #cfdccf; color: var(--deep); border-radius: 20px; font: inherit; font-size: 13px; padding: 4px 12px; cursor: pointer; }
.sway { transform-box: fill-box; transform-origin: 50% 100%; animation: sway 4.5s ease-in-out infinite alternate; } .sway-1 { animation-duration: 5.5s; animation-delay: -2s; }
.resting .sway { animation: none; }
@keyframes sway { from { transform: rotate(-1.8deg); } to { transform: rotate(1.8deg); } }
@media (prefers-reduced-motion: reduce) { .sway { animation: none; } .still { display: none; } }

.grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 28px 22px; }
.card img { width: 100%; border-radius: var(--radius); }
.card a { color: var(--text); text-decoration: none; } .card a:hover .card-name { text-decoration: underline; }
.card-name { display: block; font-weight: 600; margin-top: 10px; } .card-line { display: flex; justify-content: space-between; gap: 8px; margin: 2px 0 0; font-size: 15px; } .card-line span { color: var(--soft); }
.promises { display: grid; grid-template-columns: repeat(3, 1fr); gap: 24px; margin-top: 48px; padding-top: 28px; border-top: 1px solid var(--line); }
.promises strong, .promises span { display: block; } .promises span { color: var(--soft); font-size: 15px; }

.title-row { display: flex; align-items: baseline; justify-content: space-between; gap: 16px; }
.filters { display: flex; flex-wrap: wrap; gap: 14px 16px; align-items: end; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); padding: 16px; margin-bottom: 28px; }
.filters .field { min-width: 150px; } .filters .tick { min-height: 44px; align-items: center; margin-right: auto; }
.empty { background: var(--card); border: 1px dashed #cfc9ba; border-radius: var(--radius); padding: 48px 24px; text-align: center; } .empty p:last-child { margin: 0; }
.notice { background: var(--mint); border: 1px solid #c6dbc8; border-radius: var(--radius); padding: 10px 16px; }

.crumbs { display: flex; gap: 8px; font-size: 14px; margin-bottom: 20px; color: var(--soft); }
.product { display: grid; grid-template-columns: 5fr 6fr; gap: 48px; margin-bottom: 40px; align-items: start; } .product-picture { width: 100%; border-radius: 14px; }
.price { font-size: 20px; color: var(--clay); font-weight: 600; } .in-cart { margin: 16px 0 0; }
.facts { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 22px; } .facts li { background: #f2efe6; border-radius: 20px; padding: 5px 14px; font-size: 14px; }
.reviews iframe { width: 100%; background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); }
.voices { display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px; margin-bottom: 12px; } .voices p { margin: 0 0 4px; font-size: 15px; } .stars { color: var(--clay); letter-spacing: 2px; }

.lines { background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); margin-bottom: 24px; }
.lines li { display: grid; grid-template-columns: 88px 1fr auto 72px auto; gap: 18px; align-items: center; padding: 14px 18px; } .lines li + li { border-top: 1px solid var(--line); }
.lines img { border-radius: 8px; } .line-words a, .line-words span { display: block; } .line-words a { color: var(--text); font-weight: 600; } .line-price { text-align: right; }
.total { text-align: right; } .total .row { justify-content: flex-end; } .total strong { font-size: 22px; margin-left: 12px; }
.sheet { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 26px; margin-bottom: 24px; }
.receipt li { display: flex; justify-content: space-between; gap: 16px; padding: 6px 0; } .receipt .sum { border-top: 1px solid var(--line); margin-top: 6px; padding-top: 12px; }
.thanks { text-align: center; padding: 8px 0 24px; } .thanks img { margin: 0 auto 14px; } .thanks p { margin: 0; } .number { font-size: 20px; letter-spacing: .04em; color: var(--green); }
.details { display: grid; grid-template-columns: repeat(3, 1fr); gap: 18px; margin: 20px 0 0; padding-top: 20px; border-top: 1px solid var(--line); } .details dt { color: var(--soft); font-size: 14px; } .details dd { margin: 0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); margin: 12px 0; } th, td { text-align: left; padding: 10px 14px; border-bottom: 1px solid var(--line); } thead th { font-size: 14px; color: var(--soft); } tbody th { font-weight: 500; }
.map p { margin: 6px 0 0; text-align: center; } .bare .map { margin: -16px; } .map svg { width: 100%; height: auto; }
.sheet li { padding: 4px 0; } .sheet > :last-child { margin-bottom: 0; } .sheet .row + p { margin-top: 12px; } output { font-weight: 600; } .narrow-page h1 { overflow-wrap: anywhere; }

@media (max-width: 860px) {
  .hero { margin-top: -22px; margin-bottom: 28px; } .hero .inner { grid-template-columns: 1fr; gap: 8px; padding-top: 26px; } .hero h1 { font-size: 34px; } .hero-words { padding-bottom: 12px; }
  .grid { grid-template-columns: repeat(2, 1fr); gap: 20px 14px; } .card-line { flex-direction: column; gap: 0; } .promises, .details { grid-template-columns: 1fr; gap: 14px; }
  .product { grid-template-columns: 1fr; gap: 20px; } .voices { grid-template-columns: repeat(3, 240px); overflow-x: auto; }
  .lines li { grid-template-columns: 64px 1fr auto; gap: 8px 14px; padding: 14px; } .lines img { width: 64px; } .lines form { grid-column: 2; } .lines .row { flex-wrap: nowrap; gap: 4px; } .lines form:last-child { grid-column: 3; justify-self: end; } .line-price { grid-column: 3; grid-row: 1; }
  .sheet { padding: 18px; } .total .row { justify-content: stretch; } .total .button { flex: 1; padding: 8px; white-space: nowrap; text-align: center; }
}
`;
/** Buttons and form fields. */
const FORMS = `
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 20px; border: 1px solid var(--green); border-radius: 8px; background: var(--green); color: #fff; font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.button:hover { background: var(--deep); border-color: var(--deep); color: #fff; }
.button.second { background: var(--card); color: var(--deep); border-color: #bcc9bd; } .button.second:hover { background: var(--mint); color: var(--deep); }
.button.plain { background: none; border-color: transparent; color: var(--green); padding: 8px 12px; text-decoration: underline; text-underline-offset: 3px; } .button.plain:hover { background: var(--mint); }
.button.wide { width: 100%; }
.field { display: flex; flex-direction: column; gap: 5px; } .field label:not(.tick), legend { font-weight: 600; font-size: 15px; }
input, select { font: inherit; color: inherit; background: #fff; border: 1px solid #b9bfb2; border-radius: 8px; min-height: 44px; padding: 8px 12px; width: 100%; }
input:hover, select:hover { border-color: #8d978c; } ::placeholder { color: #6d7a72; opacity: 1; }
input[type="radio"], input[type="checkbox"] { width: 18px; height: 18px; min-height: 0; margin: 0; accent-color: var(--green); flex: none; }
input[type="file"] { padding: 7px 8px; font-size: 14px; } input[type="file"]::file-selector-button { font: inherit; border: 0; border-radius: 6px; background: var(--mint); color: var(--deep); padding: 5px 12px; margin-right: 10px; cursor: pointer; }
input[type="search"]::-webkit-search-cancel-button { -webkit-appearance: none; }
select { appearance: none; padding-right: 34px; background: #fff linear-gradient(45deg, transparent 50%, #5a6a61 50%) calc(100% - 18px) 55% / 6px 6px no-repeat; background-image: linear-gradient(45deg, transparent 50%, #5a6a61 50%), linear-gradient(-45deg, transparent 50%, #5a6a61 50%); background-position: calc(100% - 18px) 52%, calc(100% - 12px) 52%; background-size: 6px 6px; }
.tick { display: flex; gap: 10px; align-items: flex-start; font-weight: 400; cursor: pointer; } .tick input { margin-top: 3px; } .filters .tick input { margin-top: 0; }
fieldset { border: 0; padding: 0; margin: 0 0 26px; min-width: 0; } legend { padding: 0; margin-bottom: 10px; }
.chips { display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px; }
.chip { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; border: 1px solid #c9cdc0; border-radius: 8px; background: #fff; padding: 10px 12px; cursor: pointer; } .chip .quiet { width: 100%; padding-left: 26px; }
.chip:has(:checked) { border-color: var(--green); background: #f3f8f2; box-shadow: inset 0 0 0 1px var(--green); }
.narrow { width: 96px; } .amount { width: 68px; }
.buy { margin-top: 22px; } .buy fieldset { margin-bottom: 18px; }
.checkout { display: grid; grid-template-columns: 1fr 320px; gap: 28px; align-items: start; }
.checkout .sheet { margin: 0; } .checkout legend { font-family: Georgia, "Times New Roman", "Liberation Serif", serif; font-size: 20px; margin-bottom: 12px; } .checkout .two + fieldset { margin-top: 26px; } .checkout .sheet > fieldset:last-child { margin-bottom: 0; }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; align-items: start; } .three { display: grid; grid-template-columns: 2fr 1fr 1fr; gap: 16px; align-items: start; } .tick + .two, .field + .two { margin-top: 14px; }
.summary { background: #f2efe6; border: 1px solid var(--line); border-radius: 14px; padding: 24px; position: sticky; top: 16px; } .summary iframe { width: 100%; margin: 18px 0; } .summary .button { margin-top: 16px; }
.problems { background: #fdf3ee; border: 1px solid #e2b7a3; border-radius: var(--radius); padding: 16px 20px; margin-bottom: 22px; } .problems h2 { font-size: 19px; margin-bottom: 6px; } .problems a { color: #8c3a1e; }
.problem { color: #9c3717; font-size: 14px; margin: 2px 0 0; } [aria-invalid="true"] { border-color: #b4481f; }
@media (max-width: 860px) { .checkout, .two { grid-template-columns: 1fr; } .three { grid-template-columns: 1fr 1fr; } .three > :first-child { grid-column: 1 / -1; } .summary { position: static; } .chips { grid-template-columns: 1fr; } .buy .button { flex: 1; padding: 8px; white-space: nowrap; } .filters { display: grid; grid-template-columns: 1fr 1fr; } .filters .field { min-width: 0; } }
`;

/** Colours, type, banner and footer. Always light, whatever the visitor's system prefers. */
const BASE = `
:root { color-scheme: light; --ground: #fbfaf6; --card: #fff; --line: #e5e1d6; --text: #21302a; --soft: #5a6a61; --green: #1f6b4a; --deep: #17523a; --mint: #e8f0e6; --clay: #a34a2b; --radius: 10px; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.55 Inter, "Segoe UI", -apple-system, "Helvetica Neue", Roboto, "Liberation Sans", Arial, system-ui, sans-serif; display: flex; flex-direction: column; min-height: 100vh; }
h1, h2, .brand { font-family: Georgia, "Times New Roman", "Liberation Serif", serif; font-weight: 600; letter-spacing: -0.01em; line-height: 1.2; }
h1 { font-size: 34px; margin: 0 0 12px; } h2 { font-size: 23px; margin: 0 0 14px; } p { margin: 0 0 12px; }
a { color: var(--green); text-underline-offset: 3px; } a:hover { color: var(--deep); }
img, svg, iframe { display: block; max-width: 100%; } img { height: auto; } iframe { border: 0; }
:focus-visible { outline: 3px solid #2b8a5f; outline-offset: 2px; } main:focus { outline: none; }
ul { padding: 0; margin: 0; list-style: none; }
.inner { width: 100%; max-width: 1120px; margin: 0 auto; padding: 0 24px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 16px; top: -60px; background: var(--deep); color: #fff; padding: 8px 14px; border-radius: 0 0 8px 8px; z-index: 2; } .skip:focus { top: 0; }
.quiet { color: var(--soft); font-size: 14px; }
.row { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; } .row.end { align-items: flex-end; } .row.middle { justify-content: center; } p.row { margin-bottom: 0; }
main { flex: 1; padding: 32px 0 64px; }
.narrow-page { max-width: 860px; }

.banner { background: var(--card); border-bottom: 1px solid var(--line); }
.banner .inner { display: flex; align-items: center; gap: 12px 28px; min-height: 68px; }
.brand { display: flex; align-items: center; gap: 10px; font-size: 22px; color: var(--text); text-decoration: none; white-space: nowrap; }
.banner nav { display: flex; gap: 6px; margin-right: auto; }
.banner nav a, .cart-link { color: var(--text); text-decoration: none; padding: 8px 10px; border-radius: 8px; white-space: nowrap; }
.banner nav a:hover, .cart-link:hover { background: var(--mint); }
.banner [aria-current="page"] { color: var(--deep); background: var(--mint); }
.search { display: flex; width: 320px; }
.search input { flex: 1; min-width: 0; border-radius: 8px 0 0 8px; border-right: 0; }
.search button { border: 1px solid var(--green); background: var(--green); color: #fff; border-radius: 0 8px 8px 0; padding: 0 14px; font: inherit; font-size: 15px; cursor: pointer; }
.search button:hover { background: var(--deep); }

.footer { background: #f2efe6; border-top: 1px solid var(--line); padding: 28px 0; font-size: 15px; }
.footer .inner { display: grid; grid-template-columns: 1fr auto; gap: 12px 32px; }
.footer nav { display: flex; gap: 20px; align-items: start; } .footer p { margin: 0; } .footer .quiet { grid-column: 1 / -1; }

.bare { display: block; min-height: 0; background: transparent; } .bare main { padding: 16px; } .bare h1 { font-size: 26px; }

@media (max-width: 860px) {
  .inner { padding: 0 16px; }
  h1 { font-size: 28px; } main { padding: 22px 0 48px; }
  .banner .inner { flex-wrap: wrap; padding-top: 10px; padding-bottom: 12px; gap: 8px 12px; }
  .brand { margin-right: auto; font-size: 20px; }
  .banner nav { order: 3; width: 100%; margin: 0 -10px; } .search { order: 4; width: 100%; }
  .footer .inner { grid-template-columns: 1fr; }
}
`;

/** The whole style sheet of the shop. */
export const STYLES = BASE + PAGES + FORMS;
