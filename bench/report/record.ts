import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { formatFile } from '../../scripts/generated-file.ts';
import { root } from '../options.ts';
import type { Results } from '../results.ts';
import type { Evaluated } from '../targets.ts';
import { barsOf, chart } from './chart.ts';
import { performancePage } from './page.ts';

const docs = join(root, 'docs');

/** Writes the figures of a run and the chart to docs/run/performance/, and the page docs/run/performance.md. */
export async function recordResults(results: Results, evaluated: readonly Evaluated[]): Promise<void> {
  const folder = join(docs, 'performance');
  await mkdir(folder, { recursive: true });
  await writeFormatted(join(folder, 'results.json'), JSON.stringify({ ...results, targets: evaluated }));
  await writeFile(join(folder, 'cpu-per-request.svg'), chart(barsOf(results.works)));
  const template = await readFile(join(import.meta.dirname, 'template.md'), 'utf8');
  await writeFormatted(join(docs, 'performance.md'), performancePage(template, results, evaluated));
}

async function writeFormatted(path: string, text: string): Promise<void> {
  await writeFile(path, await formatFile(relative(root, path), text));
}
