import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/ci/command.ts';
import { currentCommit } from '../../scripts/current-commit.ts';
import { formatFile } from '../../scripts/generated-file.ts';
import { fillTemplate, markdownTable, type Table } from './markdown.ts';

/** Texts and tables by name. */
export type Section = Record<string, string | Table>;

/** The latest figures of the benchmark and the long tests, by section of the page. */
export type Figures = Record<string, Section>;

const data = 'test/figures/figures.json';
const page = 'docs/run/figures.md';

export const readFigures = (): Figures => JSON.parse(readFileSync(join(root, data), 'utf8')) as Figures;

/** Replaces a section of the figures, and generates docs/run/figures.md from all of them. */
export async function recordFigures(section: string, values: Section): Promise<void> {
  const figures = { ...readFigures(), [section]: values };
  writeFileSync(join(root, data), await formatFile(data, JSON.stringify(figures)));
  writeFileSync(join(root, page), await figuresPage(figures));
}

/** Generates docs/run/figures.md. @throws Error if the template lacks a figure, or names one that does not exist */
export async function figuresPage(figures: Figures): Promise<string> {
  const texts = Object.entries(figures).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => [`${section}.${name}`, typeof value === 'string' ? value : markdownTable(value)]),
  );
  const template = readFileSync(join(import.meta.dirname, 'template.md'), 'utf8');
  return formatFile(page, fillTemplate(template, Object.fromEntries(texts) as Record<string, string>));
}

/** Names a command that runs now, with the date and the commit. */
export const describeRun = (command: string): string =>
  `\`${command}\` on ${new Date().toISOString().slice(0, 10)} at commit ${currentCommit()}.`;
