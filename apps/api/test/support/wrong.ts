/** Values that a field refuses, whether the record is created or changed. */
type Wrong = [path: string, value: unknown][];

export const wrongOfState: Wrong = [
  ['uf', 'S'],
  ['uf', 'SPP'],
  ['name', ''],
  ['name', 'x'.repeat(256)],
  ['latitude', '0'],
  ['latitude', null],
  ['longitude', true],
  ['region', ''],
  ['region', null],
];

export const wrongOfCity: Wrong = [
  ['name', ''],
  ['name', 'x'.repeat(256)],
  ['latitude', '0'],
  ['longitude', null],
  ['capital', 'false'],
  ['stateCode', '35'],
  ['stateCode', 2 ** 31],
  ['siafiId', ''],
  ['siafiId', '71071'],
  ['siafiId', 7107],
  ['ddd', '11'],
  ['ddd', 1.5],
  ['timeZone', ''],
  ['timeZone', 'Brasília'],
  ['timeZone', 'America/Nowhere'],
  ['timeZone', '-03:00'],
  ['timeZone', 3],
];

export const wrongOfDocumentType: Wrong = [
  ['name', ''],
  ['name', null],
  ['name', 'x'.repeat(256)],
  ['isRequired', 'true'],
  ['description', 7],
  ['requiresApproval', null],
  ['hasExpiration', 1],
  ['defaultValidityDays', 0],
  ['defaultValidityDays', -1],
  ['defaultValidityDays', 1.5],
  ['defaultValidityDays', '30'],
  ['defaultValidityDays', 2 ** 31],
  ['hasAuthenticityCode', 'no'],
  ['isActive', null],
];

/** Types and values of contacts that go together. */
export const fitting = [
  ['PHONE', 'anything'],
  ['EMAIL', 'office@example.com'],
  ['URL', 'https://example.com/a?b=c'],
  ['URL', 'http://example.com:8080'],
  ['PHONE', 'data of the office: 1'],
];

/** Types and values of contacts that do not. */
export const unfitting = [
  ['EMAIL', 'no mail'],
  ['EMAIL', 'https://example.com'],
  ['URL', 'example.com'],
  ['URL', 'office@example.com'],
  ['URL', 'ftp://example.com'],
  ['URL', 'file:///etc/passwd'],
  ['URL', 'mailto:office@example.com'],
];

const scheme = 'javascript';

/** What no contact may be, of whatever type: a browser runs it. */
export const running = [
  `${scheme}:alert(1)`,
  `${scheme.toUpperCase()}://example.com/%0aalert(1)`,
  ` ${scheme}:alert(1)`,
  `\u0001${scheme}:alert(1)`,
  'java\nscript\t:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
];
