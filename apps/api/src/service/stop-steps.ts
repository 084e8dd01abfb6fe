import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../observability/log.ts';

type Step = () => unknown;

/** The steps of a stop, each of which closes a component. They run in the reverse order of their addition. */
export class StopSteps {
  readonly #log: Log;
  readonly #steps = new AsyncDisposableStack();
  readonly #failed: string[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** Adds a step. @param name of the step in the log */
  add(name: string, step: Step): void {
    this.addTogether({ [name]: step });
  }

  /** Adds a step that closes the component. @returns the component */
  adopt<Component>(name: string, component: Component, close: (component: Component) => unknown): Component {
    this.add(name, () => close(component));
    return component;
  }

  /** Adds steps that run at the same time, by name. */
  addTogether(steps: Readonly<Record<string, Step>>): void {
    this.#steps.defer(async () => void (await Promise.all(Object.entries(steps).map(([name, step]) => this.#run(name, step)))));
  }

  /**
   * Runs all steps, also after one has failed. Logs each failure. Abandons the steps that have not completed within the time limit.
   * @throws if a step has failed
   */
  async run(limitMs: number): Promise<void> {
    await Promise.race([this.#steps.disposeAsync(), pause(limitMs, undefined, { ref: false })]);
    if (this.#failed.length > 0) throw new Error(`Failed steps of the stop: ${this.#failed.join(', ')}`);
  }

  async #run(name: string, step: Step): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#failed.push(name);
      this.#log.error({ step: name, err: error }, 'a step of the stop failed');
    }
  }
}
