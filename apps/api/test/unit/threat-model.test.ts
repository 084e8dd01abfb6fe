import { describe, expect, test } from 'vitest';
import { hasTest, sourceOf } from './proof.ts';

const page = sourceOf('docs/security.md');
const [, model = ''] = /^## Threat model$([^]*?)^### What it does not defend against$/m.exec(page) ?? [];

/** Programs that hold a threat and are no single test. */
const programs = ['apps/api/isolation/main.ts', 'apps/api/mutants/main.ts'];

const threats = model.split('\n').filter((line) => line.startsWith('- '));
const proofs = threats.flatMap((threat) =>
  [...threat.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)].map(([, title = '', file = '']) => ({ threat, title, file })),
);

describe('the threat model', () => {
  test('is there, and has nothing but threats under its headings', () => {
    expect(threats.length).toBeGreaterThan(40);
    const prose = model.split('\n').filter((line) => line !== '' && !line.startsWith('- ') && !line.startsWith('### '));
    expect(prose.length).toBeLessThan(5);
  });

  test.each(threats)('links to what holds it: %s', (threat) => {
    expect(proofs.filter((proof) => proof.threat === threat)).not.toEqual([]);
  });

  test.each(proofs)('"$title" is in $file', ({ title, file }) => {
    const source = sourceOf(file);
    expect(source, `${file} exists`).not.toBe('');
    expect(programs.includes(file) || (file.endsWith('.test.ts') && hasTest(source, title)), `${file} has the test "${title}"`).toBe(true);
  });

  test('says what it is no defence against', () => {
    const [, beyond = ''] = page.split('### What it does not defend against');
    expect(beyond.match(/^- \*\*/gm)?.length).toBeGreaterThan(5);
  });
});
