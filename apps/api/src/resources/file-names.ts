/** Maximum length of a file name in characters. Percent-encoded in a header, it stays below the limits of proxies. */
const maxLength = 512;
/** Characters at the end of a long name that are kept, because they include the extension. */
const keptEnd = 16;

/** Control characters, line separators, and characters that change the direction of text: the last can hide an extension. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/**
 * Removes path and unprintable characters from the name of an uploaded file, and decodes the escapes of HTML forms. A line break could forge a log line (D-36).
 * A name that is too long loses its middle and keeps its extension.
 * @param name the file name in the form
 * @param fallback returned if nothing is left of the name
 */
export function cleanFilename(name: string, fallback: string): string {
  const decoded = name.replaceAll(/%22|%0D|%0A/gi, decodeURIComponent);
  const base = decoded.slice(Math.max(decoded.lastIndexOf('/'), decoded.lastIndexOf('\\')) + 1);
  const characters = [...base.replaceAll(unprintable, ' ').trim()];
  const cleaned = characters.join('');
  if (['', '.', '..'].includes(cleaned)) return fallback;
  if (characters.length <= maxLength) return cleaned;
  return [...characters.slice(0, maxLength - keptEnd), ...characters.slice(-keptEnd)].join('');
}
