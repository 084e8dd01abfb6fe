import { expect, test } from 'vitest';
import { read } from '../support/project-files.ts';

/** The page without the marks of Markdown, so that a sentence is found in code or in plain text. */
const page = read('docs/run/troubleshooting.md').replaceAll(/[`_]/g, '').replaceAll('\\|', '|');

/** The files whose sentences reach the operator as reasons of `/health/ready`. */
const sources = [
  ...['health', 'health-reasons', 'tls-reasons'].map((name) => `apps/api/src/observability/${name}.ts`),
  'packages/storage/src/s3/bucket.ts',
  'packages/storage/src/folder/root.ts',
];

/** A string literal or template that is a sentence. */
const sentence = /'((?:[A-Z]|\\.)[^'\n]* [^'\n]*\.)'|`((?:[A-Z]|\$\{)(?:\\.|[^`\\\n])* (?:\\.|[^`\\\n])*\.)`/g;
const sentences = sources.flatMap((source) =>
  [...read(source).matchAll(sentence)].map(([, literal, template]) => (literal ?? template ?? '').replaceAll('\\`', '')),
);

/** With these, `explainIdentity` begins a sentence. Only the log has the messages of the other problems. */
const beginnings = [
  ...read('apps/api/src/observability/check-identity-access.ts').matchAll(/IdentityAccessError\('(?:status|roles)', `([^`]+)`/g),
].map(([, template = '']) => template);

/** Matches the sentence on the page, with any value for each of its parameters. */
function patternOf(text: string): RegExp {
  const parts = text.replaceAll(/[`_]/g, '').split(/\$\{[^}]*\}/);
  return new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^|\n]*'));
}

test('the sources have sentences', () => {
  expect(sentences.length).toBeGreaterThan(40);
  expect(beginnings.length).toBeGreaterThan(2);
});

test.each([...sentences, ...beginnings])('docs/run/troubleshooting.md lists: %s', (text) => {
  expect(page).toMatch(patternOf(text));
});
