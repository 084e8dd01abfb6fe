import { expect, test } from 'vitest';
import { python } from '../../../../scripts/clients/python.ts';
import { read, readJson } from '../support/project-files.ts';

const page = read('docs/use/rest-clients.md');
const { scripts, dependencies, devDependencies } = readJson<Record<string, Record<string, string>>>('examples/typescript/package.json');
/** Returns what the group of the pattern matches in the file. */
const find = (path: string, pattern: RegExp): string | undefined => pattern.exec(read(path))?.[1];

test.each([
  ['openapi-typescript', devDependencies?.['openapi-typescript']],
  ['openapi-fetch', dependencies?.['openapi-fetch']],
  ['openapi-python-client', find('examples/python/requirements.txt', /^openapi-python-client==(\S+)/m)],
  ['oapi-codegen', find('examples/go/main.go', /oapi-codegen@v(\S+)/)],
  ['openapi-generator', find('examples/java/pom.xml', /<artifactId>openapi-generator-maven-plugin<\/artifactId>\s*<version>(.+)</)],
])('docs/use/rest-clients.md has the version of %s in the example: %s', (generator, version) => {
  expect(page).toMatch(new RegExp(` ${generator} ${version}[ ,]`));
});

test.each([
  `npx ${scripts?.['generate']}`,
  `openapi-python-client ${python.steps[0]?.command.slice(3, -1).join(' ')}`,
  find('examples/go/main.go', /^\/\/go:generate (.+)$/m),
])('docs/use/rest-clients.md has the command of the example: %s', (command) => {
  expect(page).toContain(`\n    ${command}\n`);
});
