import type { Download } from '../../handler/files.ts';
import type { Endpoint } from '@profile-service/contracts';
import type { Step } from '../run.ts';

/** Turns what the handler returned into the declared output: fields that are not declared never leave. A download is sent here. */
export function encode({ media, output }: Endpoint): Step {
  if (media === 'download') return (context) => context.call.sendFile?.(context.output as Download);
  return (context) => {
    context.output = output?.parse(context.output);
  };
}
