import { bury, type Model } from '../model.ts';
import { anyCode, anyId, anyUserId, paging, smuggled } from './draws.ts';
import { answer, type Body, type Case, done, type Driver, type Input, page, refuse, type Scene } from './driver.ts';

type Key = string | number;
/** Several where the specification leaves the order of two checks open. */
type Refused = string | readonly string[] | undefined;

/** A table of specification part 2, and in which ways its five endpoints are not like those of the others. */
export interface Records<R extends object> {
  /** Its name in the model. */
  table: keyof Model;
  /** The name of the id in path and record. */
  key: string;
  notFound: string;
  /** Whether the record is in the caller's scope; absent: nobody's scope ends before it. */
  visible?(it: Case, record: R): boolean;

  drawCreation(scene: Scene): Input;
  drawChanges(scene: Scene): Input;
  drawFilters?(scene: Scene): Input;

  /** Why a creation is refused. */
  refuseCreation?(it: Case): Refused;
  /** The record of an input that is accepted, with the id and what else the answer supplies. */
  make(it: Case, answered: Body): R;
  /** What answers show of it, where that is not the record itself. */
  show?(record: R): object;
  /** What the creation shows, where that is something else again. */
  showCreated?(record: R): object;
  created?(it: Case, record: R): void;

  refuseFilters?(it: Case): Refused;
  matches?(record: R, input: Input, model: Model): boolean;
  /** Absent: newest first. */
  compare?(one: R, other: R): number;

  /** The 403 that only the input decides. */
  refuseInput?(it: Case): Refused;
  refuseChange?(it: Case, record: R): Refused;
  editable: readonly string[];
  /** What the given changes amount to, where that is not themselves. */
  amountTo?(record: R, changes: Input): Input;
  /** What follows from the changes. */
  changed?(it: Case, record: R): void;

  refuseRemoval?(it: Case, record: R): Refused;
  removed?(it: Case, record: R): void;
}

/** Drives the five endpoints of a resource. */
export function drive<R extends object>(of: Records<R>): Record<'create' | 'list' | 'get' | 'update' | 'remove', Driver> {
  const tableOf = (model: Model) => model[of.table] as unknown as Map<Key, R>;
  const show = of.show ?? ((record: R) => record);
  const find = (it: Case): R | undefined => {
    const record = tableOf(it.model).get(it.input[of.key] as Key);
    return record && (of.visible?.(it, record) ?? true) ? record : undefined;
  };
  const drawKey = (scene: Scene): Input => {
    const table = tableOf(scene.model) as Map<never, unknown>;
    if (of.table === 'users') return { [of.key]: anyUserId(scene) };
    return { [of.key]: of.key === 'id' ? anyId(scene, table) : anyCode(scene, table) };
  };

  return {
    create: {
      draw: of.drawCreation,
      outcome(it) {
        const refused = of.refuseInput?.(it) ?? of.refuseCreation?.(it);
        if (refused) return refuse(...[refused].flat());
        return {
          body: (answered) => (of.showCreated ?? show)(of.make(it, answered)),
          change(answered) {
            const record = of.make(it, answered);
            tableOf(it.model).set((record as Record<string, unknown>)[of.key] as Key, record);
            of.created?.(it, record);
          },
        };
      },
    },
    list: {
      draw: (scene) => ({ ...paging(scene), ...of.drawFilters?.(scene) }),
      outcome(it) {
        const refused = of.refuseFilters?.(it);
        if (refused) return refuse(...[refused].flat());
        const seen = [...tableOf(it.model).values()].filter(
          (record) => (of.visible?.(it, record) ?? true) && (of.matches?.(record, it.input, it.model) ?? true),
        );
        return page((of.compare ? seen.toSorted(of.compare) : seen.toReversed()).map(show), it.input);
      },
    },
    get: {
      draw: drawKey,
      outcome(it) {
        const record = find(it);
        return record ? answer(show(record)) : refuse(of.notFound);
      },
    },
    update: {
      draw: (scene) => ({ ...smuggled(scene, of.editable), ...of.drawChanges(scene), ...drawKey(scene) }),
      outcome(it) {
        const record = find(it);
        const refused = of.refuseInput?.(it) ?? (record ? of.refuseChange?.(it, record) : of.notFound);
        if (refused || !record) return refuse(...[refused ?? of.notFound].flat());
        const given = Object.fromEntries(Object.entries(it.input).filter(([name]) => of.editable.includes(name)));
        const changes = of.amountTo?.(record, given) ?? given;
        return {
          body: () => show({ ...record, ...changes }),
          change() {
            Object.assign(record, changes);
            of.changed?.(it, record);
          },
        };
      },
    },
    remove: {
      draw: drawKey,
      outcome(it) {
        const record = find(it);
        const refused = record ? of.refuseRemoval?.(it, record) : of.notFound;
        if (refused || !record) return refuse(...[refused ?? of.notFound].flat());
        return done(() => {
          bury(it.model, tableOf(it.model), it.input[of.key] as Key);
          of.removed?.(it, record);
        });
      },
    },
  };
}
