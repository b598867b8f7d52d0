/** Pots with their rim at y = 262 and their foot at y = 352, seen from the front. */

interface Glaze {
  readonly body: string;
  readonly shade: string;
  readonly rim: string;
}

const GLAZES = {
  terracotta: { body: '#c9744f', shade: '#b66543', rim: '#d58763' },
  chalk: { body: '#f3eee3', shade: '#e2dacb', rim: '#fbf8f1' },
  sage: { body: '#a9bda6', shade: '#98ad95', rim: '#bccdb9' },
  slate: { body: '#5f6f73', shade: '#536266', rim: '#74858a' },
  ochre: { body: '#d9a75a', shade: '#c8964a', rim: '#e5bb78' },
  blush: { body: '#e0b3a2', shade: '#d1a18f', rim: '#eac7b9' },
} as const satisfies Record<string, Glaze>;

type GlazeName = keyof typeof GLAZES;

/** The classic flower pot: a collar over a tapering body. */
export function flowerPot(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<path d="M146 280H254L240 352H160Z" fill="${glaze.body}"/><path d="M214 280H254L240 352H208Z" fill="${glaze.shade}"/><rect x="138" y="260" width="124" height="24" rx="4" fill="${glaze.rim}"/><path d="M146 284H254V288H146.8Z" fill="#000" opacity=".1"/>`;
}

/** A straight cylinder, as glazed planters are. */
export function cylinderPot(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<path d="M144 262H256V338Q256 352 242 352H158Q144 352 144 338Z" fill="${glaze.body}"/><path d="M216 262H256V338Q256 352 242 352H216Z" fill="${glaze.shade}"/><rect x="140" y="258" width="120" height="12" rx="6" fill="${glaze.rim}"/>`;
}

/** A round belly on a small foot. */
export function roundPot(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<path d="M158 262H242C276 288 268 344 232 352H168C132 344 124 288 158 262Z" fill="${glaze.body}"/><path d="M226 262H242C276 288 268 344 232 352H216C244 334 246 286 226 262Z" fill="${glaze.shade}"/><rect x="152" y="256" width="96" height="12" rx="6" fill="${glaze.rim}"/>`;
}

/** A bowl on three cords, its rim at y = 210. */
export function hangingBowl(name: GlazeName): string {
  const glaze = GLAZES[name];
  return `<g stroke="#a58f72" stroke-width="2.5" fill="none"><path d="M200 20L126 206"/><path d="M200 20L274 206"/><path d="M200 20V200"/></g><circle cx="200" cy="20" r="7" fill="none" stroke="#a58f72" stroke-width="3"/><path d="M120 206H280C280 252 244 284 200 284S120 252 120 206Z" fill="${glaze.body}"/><path d="M224 206H280C280 252 244 284 200 284C226 264 232 236 224 206Z" fill="${glaze.shade}"/><rect x="114" y="198" width="172" height="14" rx="7" fill="${glaze.rim}"/>`;
}

/** Speckles of a stoneware glaze, always the same ones. */
export function speckles(): string {
  const spots: string[] = [];
  for (let i = 0; i < 34; i += 1) {
    const x = 150 + ((i * i * 29 + i * 61) % 100);
    const y = 276 + ((i * i * 17 + i * 43) % 70);
    spots.push(`<circle cx="${x}" cy="${y}" r="${i % 3 === 0 ? 1.8 : 1.1}" fill="#7d6f5c" opacity=".5"/>`);
  }
  return spots.join('');
}
