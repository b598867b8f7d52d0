import { z } from 'zod';
import type { Session } from '@/server/session/session';

const answer = z.array(z.array(z.number()));

/**
 * Decodes pictures in the page of a session: the colour of one point of each, red, green and blue 0 to 255. Source:
 * createImageBitmap.
 */
export async function coloursIn(
  session: Session,
  pictures: readonly Uint8Array[],
  at: { readonly x: number; readonly y: number },
): Promise<number[][]> {
  const urls = pictures.map((picture) => `data:image/jpeg;base64,${Buffer.from(picture).toString('base64')}`);
  const expression = `Promise.all(${JSON.stringify(urls)}.map(async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
    pen.drawImage(image, 0, 0);
    return [...pen.getImageData(${at.x}, ${at.y}, 1, 1).data].slice(0, 3);
  }))`;
  const { tab } = session.activeSessionTab();
  const { result } = await tab.sessions.commands.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  return answer.parse(result.value);
}

/** Red, as a picture with some loss shows it. */
export function isRed([red = 0, green = 0, blue = 0]: readonly number[]): boolean {
  return red > 150 && green < 110 && blue < 110;
}
