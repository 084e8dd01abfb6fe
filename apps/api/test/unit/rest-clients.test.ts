import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { python } from '../../../../scripts/clients/python.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/use/rest-clients.md');
const typescript = JSON.parse(read('examples/typescript/package.json')) as Record<
  'scripts' | 'dependencies' | 'devDependencies',
  Record<string, string>
>;
/** Returns what the group of the pattern matches in the file. */
const find = (path: string, pattern: RegExp): string | undefined => pattern.exec(read(path))?.[1];

describe('docs/use/rest-clients.md has, as the example,', () => {
  test.each([
    ['openapi-typescript', typescript.devDependencies['openapi-typescript']],
    ['openapi-fetch', typescript.dependencies['openapi-fetch']],
    ['openapi-python-client', find('examples/python/requirements.txt', /^openapi-python-client==(\S+)/m)],
    ['oapi-codegen', find('examples/go/main.go', /oapi-codegen@v(\S+)/)],
    ['openapi-generator', find('examples/java/pom.xml', /<artifactId>openapi-generator-maven-plugin<\/artifactId>\s*<version>(.+)</)],
  ])('the version of %s: %s', (generator, version) => {
    expect(page).toMatch(new RegExp(` ${generator} ${version}[ ,]`));
  });

  test.each([
    ['TypeScript', `npx ${typescript.scripts['generate']}`],
    ['Python', `openapi-python-client ${python.steps[0]?.command.slice(3, -1).join(' ')}`],
    ['Go', find('examples/go/main.go', /^\/\/go:generate (.+)$/m)],
  ])('the command of %s: %s', (_language, command) => {
    expect(page).toContain(`\n    ${command}\n`);
  });
});
