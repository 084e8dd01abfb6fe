/** In characters. Encoded for a header, such a name stays within what proxies let pass. */
const longest = 512;

/** Control characters and line separators; and those that turn the direction of text, behind which an extension can be hidden. */
const unprintable = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * The name of an uploaded file as it is kept: without its path, the escapes of HTML forms and unprintable characters (a line break would reach
 * into logs). Too long a name loses its middle and keeps its extension.
 * @param name as the form has it; where nothing is left of it, `fallback` stands for it
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
