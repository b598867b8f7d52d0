/** Does `text` match a glob in which `*` stands for anything but `/`, `**` for anything, `?` for one character? A glob without wildcards matches as a whole. */
export function matchesGlob(text: string, glob: string): boolean {
  return globToRegExp(glob).test(text);
}

function globToRegExp(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*|\?)/).map((part) => WILDCARDS[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('')}$`, 'u');
}

const WILDCARDS: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '.' };
