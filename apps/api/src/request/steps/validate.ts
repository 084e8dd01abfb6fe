import type { Input, RawInput } from '../input.ts';
import { defineStep } from '../step.ts';

/** Validates the input against the endpoint's schemas. Throws VALIDATION_FAILED. */
export const validate = defineStep('validate', (_context, parse: (rawInput: RawInput) => Input, rawInput: RawInput): Input => {
  const input = parse(rawInput);
  if (rawInput.file) input['file'] = rawInput.file;
  return input;
});
