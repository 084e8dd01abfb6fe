import { type Collector, startCollector } from './collector.ts';
import { startWorld, type World } from './world.ts';

/** A world, and a collector for the traces of its services that get `collector.settings`. */
export interface TracedWorld {
  world: World;
  collector: Collector;
  /** Stops both. */
  stop(): Promise<void>;
}

export async function startTracedWorld(): Promise<TracedWorld> {
  const [world, collector] = await Promise.all([startWorld(), startCollector()]);
  return {
    world,
    collector,
    async stop() {
      await world.stop();
      await collector.stop();
    },
  };
}
