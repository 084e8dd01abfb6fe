import type { Endpoint } from '@profile-service/contracts';
import { EncodedRows } from '@profile-service/db';
import type { Download } from '../files.ts';
import { encodedList } from '../encoded-json.ts';
import { createProjection } from '../projection.ts';
import { defineStep, type Step } from '../run.ts';

/**
 * Converts the handler's return value to the declared output, which drops undeclared fields. A list that the handler has encoded becomes an `EncodedJson`. A 304
 * has no output. For a download, this step sends the file.
 */
export function encode({ media, output }: Endpoint): Step {
  if (media === 'download') return defineStep('encode', (context) => context.call.sendFile?.(context.output as Download));
  if (!output) return defineStep('encode', (context) => void (context.output = undefined));
  const project = createProjection(output);
  return defineStep('encode', (context) => {
    if (context.status === 304) return void (context.output = undefined);
    const { data } = context.output as { data?: unknown };
    context.output = data instanceof EncodedRows ? encodedList(data) : project(context.output);
  });
}
