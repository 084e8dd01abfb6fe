/** In characters. Encoded for a header, a name of this length passes proxies. */
const longest = 512;

/** Control characters, line separators, and characters that change the direction of text, which can hide an extension. */
const unprintable = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * The name under which an uploaded file is stored: without its path, the escapes of HTML forms and unprintable characters (a line break could forge
 * a line of a log). A name that is too long loses its middle and keeps its extension.
 * @param name as in the form
 * @param fallback used when nothing is left of the name
 */
export function cleanFilename(name: string, fallback: string): string {
  const decoded = name.replaceAll(/%22|%0D|%0A/gi, decodeURIComponent);
  const base = decoded.slice(Math.max(decoded.lastIndexOf('/'), decoded.lastIndexOf('\\')) + 1);
  const characters = [...base.replaceAll(unprintable, ' ').trim()];
  const whole = characters.join('');
  if (whole === '' || whole === '.' || whole === '..') return fallback;
  if (characters.length <= longest) return whole;
  const end = characters.slice(-16);
  return [...characters.slice(0, longest - end.length), ...end].join('');
}
