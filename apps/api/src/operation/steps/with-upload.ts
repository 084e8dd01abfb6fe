import type { StagedFile } from '../../handler/files.ts';
import type { AnyHandler, Services } from '../../handler/handler.ts';
import { runSteps, type Step } from '../run.ts';

/**
 * Reads the form of an upload and stores its file while it arrives, then runs the steps. When one of them fails, or the client goes away, the stored file is
 * removed at once: an upload happens completely or not at all.
 */
export const withUpload =
  ({ receive }: AnyHandler, services: Services, steps: readonly Step[]): Step =>
  async (context) => {
    if (!receive) throw new Error(`The handler of ${context.operation} stores no file`);
    let staged: StagedFile | undefined;
    try {
      context.rawInput = await context.call.readInput(async (file) => (staged = await receive(file, services)));
      await runSteps(context, steps);
    } catch (error) {
      await staged?.discard();
      throw error;
    }
  };
