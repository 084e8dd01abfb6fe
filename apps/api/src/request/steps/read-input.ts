import { setImmediate as nextSlice } from 'node:timers/promises';
import type { Caller } from '@profile-service/auth';
import type { ParseLargeBody } from '../api-request.ts';
import type { StagedFile } from '../files.ts';
import type { RawInput } from '../input.ts';
import type { Admission } from '../limits/admission.ts';
import { tenantKey } from '../limits/keys.ts';
import type { SlotRequest } from '../limits/slots.ts';
import { defineStep } from '../step.ts';

/**
 * Reads path, query and body. Of all large bodies, one is parsed in each turn of the event loop, one tenant after the other, so that other requests are served
 * between two bodies. Throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE when they cannot be read, or SERVICE_UNAVAILABLE when too many large
 * bodies wait.
 */
export const readInput = defineStep('read-input', (context, largeBodies: Admission, caller: Caller): RawInput | Promise<RawInput> => {
  const parseLargeBody: ParseLargeBody = (parse) => largeBodyParser(largeBodies, tenantKey(caller), context.request.abort)(parse);
  const reading = context.request.readInput(parseLargeBody, rejectFile);
  if (reading instanceof Promise) return reading.then((rawInput) => (context.rawInput = rawInput));
  return (context.rawInput = reading);
});

/** Creates the function that parses large bodies of a tenant. @param key of the tenant */
export const largeBodyParser =
  (largeBodies: Admission, key: string, request: SlotRequest): ParseLargeBody =>
  async (parse) =>
    largeBodies.run(key, request, async () => {
      await nextSlice();
      return parse();
    });

const rejectFile = (): Promise<StagedFile> => Promise.reject(new Error('This endpoint accepts no file'));
