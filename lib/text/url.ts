/** Reads a URL by the WHATWG rules; undefined when it is none. (`URL.parse` is missing in Node 20.) */
export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
