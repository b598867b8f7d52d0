/** Buttons and form fields. */
export const FORMS = `
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
