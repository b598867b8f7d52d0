/** A label and its box, in CSS pixels from the picture's corner. */
export interface DrawnLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Runs inside the page in a world of our own: draws boxes and labels on a picture, on a canvas that is never part of
 * the page's document. `cssWidth`: width of the picture in CSS pixels; 0 means the viewport's. Returns the picture as
 * base64.
 */
export async function drawLabels(
  base64: string,
  type: string,
  quality: number,
  cssWidth: number,
  labels: readonly DrawnLabel[],
): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = document.createElementNS('http://www.w3.org/1999/xhtml', 'canvas');
  if (!(canvas instanceof HTMLCanvasElement)) return '';
  canvas.width = picture.width;
  canvas.height = picture.height;
  const pen = canvas.getContext('2d');
  if (!pen) return '';
  pen.drawImage(picture, 0, 0);
  const scale = picture.width / (cssWidth > 0 ? cssWidth : window.innerWidth);
  pen.scale(scale, scale);
  pen.font = 'bold 11px monospace';
  pen.textBaseline = 'top';
  pen.lineWidth = 2;
  const colours = ['#b3261e', '#0b57d0', '#146c2e', '#8430ce', '#a04800', '#00639b'];
  for (const [index, { text, x, y, width, height }] of labels.entries()) {
    const colour = colours[index % colours.length] ?? '#b3261e';
    pen.strokeStyle = colour;
    pen.strokeRect(x, y, width, height);
    const wide = pen.measureText(text).width + 6;
    const left = Math.max(0, Math.min(x, picture.width / scale - wide));
    const top = y >= 15 ? y - 15 : y;
    pen.fillStyle = colour;
    pen.fillRect(left, top, wide, 15);
    pen.fillStyle = '#fff';
    pen.fillText(text, left + 3, top + 2);
  }
  return canvas.toDataURL(type, quality).replace(/^[^,]*,/, '');
}
