import type { Endpoint } from '@profile-service/contracts';
import { compileInput } from '../input.ts';
import { defineStep, type Step } from '../run.ts';

/** Validates the input against the endpoint's schemas. Throws VALIDATION_FAILED. */
export function validate(endpoint: Endpoint): Step {
  const parse = compileInput(endpoint);
  return defineStep('validate', (context) => {
    const { rawInput } = context;
    context.input = parse(rawInput);
    if (rawInput.file) context.input['file'] = rawInput.file;
  });
}
