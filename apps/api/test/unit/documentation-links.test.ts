import { existsSync, globSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { read, root } from '../support/project-files.ts';

const pages = globSync(['*.md', '{deploy,docs,examples,packages}/**/*.md'], { cwd: root, exclude: ['**/node_modules'] });

/** The anchors that GitHub creates for a page's headings. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The relative links of a page: the files to which they lead, with the anchors. */
const linksOf = (file: string) =>
  [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path, anchor] = link.split('#');
      return { link, anchor, target: path ? normalize(join(dirname(file), path)) : file };
    });

test.each(pages)('%s has no broken link', (file) => {
  const isBroken = ({ target, anchor }: ReturnType<typeof linksOf>[number]) =>
    !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  expect(linksOf(file).filter(isBroken)).toEqual([]);
});

test('a link of another page leads to each page', () => {
  const linked = new Set(pages.flatMap((file) => linksOf(file).flatMap(({ target }) => (target === file ? [] : [target]))));
  expect(pages.filter((file) => !linked.has(file))).toEqual([]);
});
