import { endless, everySeconds, untilRunEnds } from './endless.ts';
import { defineJob } from './job.ts';

/** Runs imports. */
export const imports = defineJob({
  name: 'imports',
  ...endless,
  repeat: { firstAfterSeconds: 0, everySeconds },
  run: (_data, { runImports, jobs, signal }) => runImports(jobs, untilRunEnds(signal)),
});
