import type { Endpoint } from '@profile-service/contracts';
import { z } from 'zod';
import type { Download } from '../../handler/files.ts';
import { encodeList, rowsPerChunk } from '../encoded-json.ts';
import { createProjection } from '../projection.ts';
import { defineStep, type Step } from '../run.ts';

/**
 * Converts the handler's return value to the declared output, which drops undeclared fields. A list of more than 200 rows without pages becomes an
 * `EncodedJson`. A 304 has no output. For a download, this step sends the file.
 */
export function encode({ media, output }: Endpoint): Step {
  if (media === 'download') return defineStep('encode', (context) => context.call.sendFile?.(context.output as Download));
  if (!output) return defineStep('encode', (context) => void (context.output = undefined));
  const project = createProjection(output);
  const row = rowOfList(output);
  const projectRow = row && createProjection(row);
  return defineStep('encode', (context) => {
    if (context.status === 304) return void (context.output = undefined);
    const rows = projectRow && (context.output as { data: unknown[] }).data;
    if (rows && rows.length > rowsPerChunk) return encodeList(projectRow, rows).then((json) => void (context.output = json));
    context.output = project(context.output);
  });
}

/** The schema of a row if the output is a list without pages: `{ data: rows }` and nothing else. */
function rowOfList(output: z.ZodType): z.ZodType | undefined {
  if (!(output instanceof z.ZodObject) || Object.keys(output.shape).join() !== 'data') return undefined;
  const { data } = output.shape as { data: z.ZodType };
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}
