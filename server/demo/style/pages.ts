/** What the single pages look like. The sway of the home page is the only movement in the shop. */
export const PAGES = `
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
