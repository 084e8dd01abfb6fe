import type { Respond } from '../response.ts';
import { defineStep } from '../step.ts';

/** Makes the response of what the handler returned. */
export const respond = defineStep('respond', (_context, create: Respond, returned: unknown, ifNoneMatch?: string) =>
  create(returned, ifNoneMatch),
);
