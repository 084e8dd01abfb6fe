import type { StagedFile } from '../../handler/files.ts';
import { defineStep } from '../run.ts';

/** Reads path, query and body. Throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE when they cannot be read. */
export const readInput = defineStep('read-input', (context) => {
  const input = context.call.readInput(rejectFile);
  if (input instanceof Promise) return input.then((raw) => void (context.rawInput = raw));
  context.rawInput = input;
});

const rejectFile = (): Promise<StagedFile> => Promise.reject(new Error('This endpoint accepts no file'));
