const INK = { light: '#18181d', dark: '#ededf0' } as const;
const DOT = { help: '#d6246e', stuck: '#d92d20' } as const;

/** The steering wheel with a coloured dot, as SVG text for the favicon. Colours follow the browser's own scheme, not the page's theme. */
export function badgedIcon(kind: 'help' | 'stuck', dark: boolean): string {
  const ink = dark ? INK.dark : INK.light;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${ink}" stroke-linecap="round">`,
    '<circle cx="12" cy="12" r="9.5" stroke-width="2.5"/><circle cx="12" cy="12" r="2.25" stroke-width="2.5"/>',
    '<path stroke-width="2.5" d="M3.5 10.5 9.75 12M20.5 10.5 14.25 12M12 14.5V21"/>',
    `<circle cx="18" cy="6" r="6" fill="${DOT[kind]}" stroke="none"/>`,
    '</svg>',
  ].join('');
}
