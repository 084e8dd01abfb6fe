/** Escapes a text for the content of an element or an attribute in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Escapes a text and turns its backticks into code elements. */
export const toHtml = (text: string): string => escapeHtml(text).replace(/`(.*?)`/g, '<code>$1</code>');
