import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The anchors that GitHub creates for a page's headings. */
function anchorsOf(page: string): string[] {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const pages = globSync(['*.md', '{deploy,docs,examples,packages}/**/*.md'], { cwd: root, exclude: ['**/node_modules'] });

/** Relative links of a page. */
function linksOf(file: string): string[] {
  const page = readFileSync(join(root, file), 'utf8');
  return [...page.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => (/^[a-z]+:/.test(link) ? [] : [link]));
}

/** Relative links of a page whose target does not exist. */
function brokenLinks(file: string): string[] {
  return linksOf(file).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, file) : join(root, dirname(file), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
}

/** The files to which a page links. */
const targetsOf = (file: string) => linksOf(file).map((link) => normalize(join(dirname(file), link.split('#')[0] ?? '')));

describe('documentation', () => {
  test.each(pages)('%s has no broken link', (file) => {
    expect(brokenLinks(file)).toEqual([]);
  });

  test('a link of another page leads to each page', () => {
    const linked = new Set(pages.flatMap((file) => targetsOf(file).filter((target) => target !== file)));
    expect(pages.filter((file) => !linked.has(file))).toEqual([]);
  });
});
