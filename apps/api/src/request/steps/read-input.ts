import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StagedFile } from '../files.ts';
import type { Admission } from '../limits/admission.ts';
import { tenantKey } from '../limits/keys.ts';
import type { SlotRequest } from '../limits/slots.ts';
import type { ParseInTurn } from '../call.ts';
import { defineStep, type Step } from '../run.ts';

/**
 * Reads path, query and body. Of all large bodies, one is parsed in each turn of the event loop, one tenant after the other, so that other requests are served
 * between two bodies. Throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE when they cannot be read, or SERVICE_UNAVAILABLE when too many large
 * bodies wait.
 */
export const readInput = (largeBodies: Admission): Step =>
  defineStep('read-input', (context) => {
    const parseInTurn: ParseInTurn = (parse) => inTurns(largeBodies, tenantKey(context.caller), context.abort)(parse);
    const input = context.call.readInput(parseInTurn, rejectFile);
    if (input instanceof Promise) return input.then((raw) => void (context.rawInput = raw));
    context.rawInput = input;
  });

/** Creates the function that parses large bodies of a tenant. @param key of the tenant */
export const inTurns =
  (largeBodies: Admission, key: string, request: SlotRequest): ParseInTurn =>
  async (parse) =>
    largeBodies.run(key, request, async () => {
      await nextTurn();
      return parse();
    });

const rejectFile = (): Promise<StagedFile> => Promise.reject(new Error('This endpoint accepts no file'));
