import { expect, test } from 'vitest';
import { withSection } from '../../../../test/documentation-section.ts';

test('the content replaces that of the section, and the rest of the page stays', () => {
  const page = '# Page\n\n<!-- a:start -->\n\nold\n\n<!-- a:end -->\n\nend\n';
  expect(withSection(page, 'a', 'new')).toBe('# Page\n\n<!-- a:start -->\n\nnew\n\n<!-- a:end -->\n\nend\n');
});

test('a page without the section is an error', () => {
  expect(() => withSection('# Page\n', 'a', 'new')).toThrow('The page has no section <!-- a:start --> … <!-- a:end -->');
});
