/** Types of contacts with matching values. */
export const matchingContacts = [
  ['PHONE', 'anything'],
  ['EMAIL', 'office@example.com'],
  ['URL', 'https://example.com/a?b=c'],
  ['URL', 'http://example.com:8080'],
  ['PHONE', 'data of the office: 1'],
];

/** Types of contacts with values that do not match. */
export const mismatchingContacts = [
  ['EMAIL', 'no mail'],
  ['EMAIL', 'https://example.com'],
  ['URL', 'example.com'],
  ['URL', 'office@example.com'],
  ['URL', 'ftp://example.com'],
  ['URL', 'file:///etc/passwd'],
  ['URL', 'mailto:office@example.com'],
];

const scheme = 'javascript';

/** Values that a browser would run. No contact accepts them, whatever its type. */
export const scriptUrls = [
  `${scheme}:alert(1)`,
  `${scheme.toUpperCase()}://example.com/%0aalert(1)`,
  ...[' ', '\u00a0', '\ufeff', '\u3000'].map((space) => `${space}${scheme}:alert(1)`),
  `\u0001${scheme}:alert(1)`,
  'java\nscript\t:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
];
