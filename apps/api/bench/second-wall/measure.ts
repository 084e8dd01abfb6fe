import type { Cpu, MeasuredService } from './service.ts';
import type { Stage } from './stage.ts';
import { variants } from './variants.ts';
import type { Reader } from './world.ts';

/** What is read: the path for a reader. */
export type Path = (reader: Reader) => string;

/** Processor time per read in microseconds, block by block. */
export type Blocks = Cpu[];

export interface Plan {
  /** How often each variant has its turn. */
  rounds: number;
  /** How many reads a turn has. */
  reads: number;
  /** How many reads are under way at the same time. */
  atOnce: number;
}

/** Reads that are not counted: with a new role the database looks at its prepared statements again. */
const uncounted = 40;

/**
 * Lets the variants take turns in one and the same process, so that whatever else the machine does, and whatever the compiler did, meets all of
 * them, and each of them at every place in the order.
 */
export async function alternate({ service, readers }: Stage, path: Path, plan: Plan): Promise<Map<string, Blocks>> {
  const read = (count: number) => readAll(service, readers, path, count, plan.atOnce);
  const measured = new Map(Object.keys(variants).map((name) => [name, [] as Blocks]));
  // Until the code is compiled as far as it will be.
  for (const variant of Object.values(variants)) {
    await service.becomes(variant);
    await read(1000);
  }
  for (let round = 0; round < plan.rounds; round += 1) {
    const order = Object.entries(variants);
    for (const [name, variant] of [...order.slice(round % order.length), ...order.slice(0, round % order.length)]) {
      await service.becomes(variant);
      await read(uncounted);
      const before = await service.cpu();
      await read(plan.reads);
      const after = await service.cpu();
      const perRead = (part: keyof Cpu) => (after[part] - before[part]) / plan.reads / 1000;
      measured.get(name)?.push({ service: perRead('service'), postgres: perRead('postgres') });
    }
  }
  return measured;
}

async function readAll(service: MeasuredService, readers: readonly Reader[], path: Path, count: number, atOnce: number): Promise<void> {
  let left = count;
  const readOn = async () => {
    while (left-- > 0) {
      const reader = readers[Math.floor(Math.random() * readers.length)];
      if (reader) await service.read(path(reader), reader);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
}
