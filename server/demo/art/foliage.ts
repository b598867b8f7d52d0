import { bend, fixed, leaf, placed, stem, type LeafLook } from '@/server/demo/art/paths';

/** The plants, each growing out of a pot whose rim is at (200, 262). */

const DEEP: LeafLook = { fill: '#2f6f4e', shade: '#285f43', rib: '#5b9a78' };
const MID: LeafLook = { fill: '#3f8a5f', shade: '#377a54', rib: '#74b491' };
const LIGHT: LeafLook = { fill: '#67a97c', shade: '#5b9b70', rib: '#97cba7' };
const STEM = '#4c7f5c';

/** A heart-shaped leaf with slits at regular places. */
function slitLeaf(x: number, y: number, angle: number, length: number, look: LeafLook): string {
  const steps = 48;
  const slits = [0.3, 0.47, 0.63, 0.78];
  const right: string[] = [];
  const left: string[] = [];
  for (let i = 0; i <= steps; i += 1) {
    const t = i / steps;
    const round = Math.sin(Math.PI * Math.min(1, t * 0.94 + 0.06)) ** 0.62 * (1.12 - 0.42 * t);
    const cut = slits.reduce((least, at) => Math.min(least, 1 - 0.62 * Math.exp(-(((t - at) / 0.022) ** 2))), 1);
    const half = length * 0.43 * round * cut;
    const up =
      -length * t + (t < 0.16 ? length * 0.1 * (1 - t / 0.16) * Math.min(1, half / (length * 0.2)) : 0) - half * 0.18;
    right.push(`${fixed(half)} ${fixed(up + half * 0.34)}`);
    left.unshift(`${fixed(-half)} ${fixed(up + half * 0.34)}`);
  }
  const rib = `<path d="M0 0V${fixed(-length * 0.86)}" stroke="${look.rib ?? STEM}" stroke-width="2.5" stroke-linecap="round"/>`;
  return placed(
    x,
    y,
    angle,
    `<path d="M${right.join('L')}L${left.join('L')}Z" fill="${look.fill}" stroke="${look.fill}" stroke-width="3" stroke-linejoin="round"/>${rib}`,
  );
}

export function monstera(): string {
  const arms = [
    { to: [126, 206], over: [160, 226], lean: -66, length: 100, look: DEEP },
    { to: [276, 208], over: [240, 226], lean: 66, length: 98, look: DEEP },
    { to: [150, 150], over: [176, 200], lean: -34, length: 112, look: MID },
    { to: [254, 148], over: [226, 200], lean: 34, length: 112, look: MID },
    { to: [202, 156], over: [198, 210], lean: 1, length: 120, look: LIGHT },
  ] as const;
  return arms
    .map(
      (arm) =>
        stem([200, 264], arm.over, arm.to, STEM, 5) + slitLeaf(arm.to[0], arm.to[1], arm.lean, arm.length, arm.look),
    )
    .join('');
}

export function snakePlant(): string {
  const blades = [
    [-34, -15, 150],
    [34, 14, 160],
    [-18, -7, 196],
    [20, 7, 186],
    [0, 0, 222],
    [-46, -24, 104],
    [46, 24, 110],
  ] as const;
  return blades
    .map(([dx, lean, length], index) => {
      const edge = leaf(200 + dx * 0.7, 272, lean, length, 21, { fill: '#c9cf8a' }, 0.9);
      const core = leaf(200 + dx * 0.7, 272, lean, length - 7, 15, index % 2 === 0 ? DEEP : MID, 0.9);
      return edge + core;
    })
    .join('');
}

/** One arching frond: a bent stem with leaflets that get smaller towards the tip. */
function frond(over: readonly [number, number], to: readonly [number, number], look: LeafLook, size: number): string {
  const leaflets: string[] = [];
  for (let i = 2; i <= 17; i += 1) {
    const at = bend([200, 266], over, to, i / 17);
    const length = size * Math.sin((Math.PI * (i + 3)) / 22) + 5;
    leaflets.push(
      leaf(at.x, at.y, at.angle - 68, length, 6.5, { fill: look.fill }, 0.4),
      leaf(at.x, at.y, at.angle + 68, length, 6.5, { fill: look.shade ?? look.fill }, 0.4),
    );
  }
  return stem([200, 266], over, to, look.shade ?? STEM, 3) + leaflets.join('');
}

export function fern(): string {
  return [
    frond([120, 140], [48, 238], DEEP, 30),
    frond([280, 140], [352, 238], DEEP, 30),
    frond([146, 90], [84, 150], MID, 32),
    frond([254, 90], [316, 150], MID, 32),
    frond([176, 90], [146, 74], LIGHT, 32),
    frond([226, 90], [256, 74], LIGHT, 32),
    frond([198, 150], [202, 62], MID, 30),
  ].join('');
}

export function fig(): string {
  const leaves = [
    [200, 232, -62, 84, DEEP],
    [200, 222, 60, 86, DEEP],
    [200, 190, -52, 92, MID],
    [201, 178, 50, 92, MID],
    [200, 146, -40, 90, DEEP],
    [200, 136, 38, 90, MID],
    [200, 118, -8, 84, LIGHT],
  ] as const;
  return (
    stem([200, 268], [196, 190], [200, 112], '#8a6a4d', 7) +
    leaves.map(([x, y, lean, length, look]) => leaf(x, y, lean, length, 42, look, 0.95)).join('')
  );
}

export function rubberPlant(): string {
  const dark: LeafLook = { fill: '#2c4a40', shade: '#243e36', rib: '#a2564a' };
  const fresh: LeafLook = { fill: '#3b6152', shade: '#325446', rib: '#b8685a' };
  const leaves = [
    [199, 240, -66, 92, dark],
    [201, 232, 64, 94, dark],
    [199, 200, -48, 98, fresh],
    [201, 190, 50, 98, dark],
    [199, 156, -34, 92, dark],
    [201, 148, 34, 92, fresh],
    [200, 128, 4, 64, { fill: '#b8685a', shade: '#a2564a' }],
  ] as const;
  return (
    stem([200, 268], [203, 190], [200, 120], '#5d4638', 6) +
    leaves.map(([x, y, lean, length, look]) => leaf(x, y, lean, length, 34, look, 0.6)).join('')
  );
}

export function peaceLily(): string {
  const leaves = [
    [-74, 128, DEEP],
    [72, 130, DEEP],
    [-50, 150, MID],
    [50, 152, MID],
    [-26, 158, DEEP],
    [28, 160, DEEP],
    [-6, 140, LIGHT],
    [12, 132, LIGHT],
  ] as const;
  const flowers = [
    [150, 86, -16],
    [246, 72, 14],
    [204, 112, 4],
  ] as const;
  return (
    flowers.map(([x, y]) => stem([200, 266], [(200 + x) / 2, 180], [x, y], '#7fae85', 3.5)).join('') +
    leaves.map(([lean, length, look]) => leaf(200 + lean * 0.12, 268, lean, length, 27, look, 0.55)).join('') +
    flowers
      .map(
        ([x, y, lean]) =>
          leaf(x, y + 12, lean, 62, 27, { fill: '#fffdf6', shade: '#efeadb' }, 0.35) +
          placed(x, y + 6, lean, '<rect x="-3.5" y="-30" width="7" height="30" rx="3.5" fill="#e9c86a"/>'),
      )
      .join('')
  );
}

export function aloe(): string {
  const spikes = [
    [-70, 112, MID],
    [70, 114, MID],
    [-50, 138, DEEP],
    [50, 140, DEEP],
    [-30, 156, MID],
    [31, 158, MID],
    [-11, 172, LIGHT],
    [13, 168, LIGHT],
  ] as const;
  return spikes
    .map(([lean, length, look]) => {
      const dots = [0.3, 0.45, 0.6]
        .map((t) => `<ellipse cx="${fixed(-4 + t * 6)}" cy="${fixed(-length * t)}" rx="1.8" ry="4" fill="#cfe5cd"/>`)
        .join('');
      return (
        leaf(200 + lean * 0.2, 272, lean, length, 22, { fill: look.fill, shade: look.shade ?? look.fill }, 0.12) +
        placed(200 + lean * 0.2, 272, lean, dots)
      );
    })
    .join('');
}

export function pearls(): string {
  const strings = [
    [134, 336],
    [150, 304],
    [170, 372],
    [190, 330],
    [212, 386],
    [232, 318],
    [250, 360],
    [268, 300],
  ] as const;
  return strings
    .map(([x, end], column) => {
      const beads: string[] = [];
      for (let y = 218; y <= end; y += 15) {
        const sway = Math.sin(y / 24 + column) * 3.5;
        beads.push(
          `<circle cx="${fixed(x + sway)}" cy="${y}" r="7" fill="${(y + column) % 2 === 0 ? '#67a97c' : '#7fbd8f'}"/>`,
        );
      }
      return `<path d="M${x} 208V${end}" stroke="#5b9b70" stroke-width="1.5"/>${beads.join('')}`;
    })
    .join('');
}
