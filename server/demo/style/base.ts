/** Colours, type, banner and footer. Light on purpose: one look, whatever the visitor's system prefers. */
export const BASE = `
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
