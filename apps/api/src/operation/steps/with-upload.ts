import type { StagedFile } from '../../handler/files.ts';
import type { AnyHandler, HandlerDependencies } from '../../handler/handler.ts';
import { runSteps, type Step } from '../run.ts';

/**
 * Reads the form of an upload and stores its file while it arrives, then runs the steps. If a step fails or the client disconnects, it deletes the
 * stored file (ATTACHMENTS-7).
 */
export const withUpload =
  ({ receive }: AnyHandler, dependencies: HandlerDependencies, steps: readonly Step[]): Step =>
  async (context) => {
    if (!receive) throw new Error(`The handler of ${context.operation} stores no file`);
    let staged: StagedFile | undefined;
    try {
      context.rawInput = await context.call.readInput(async (file) => (staged = await receive(file, dependencies)));
      await runSteps(context, steps);
    } catch (error) {
      await staged?.discard();
      throw error;
    }
  };
