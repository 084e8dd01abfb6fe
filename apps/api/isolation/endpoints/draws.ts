import { randomUUID } from 'node:crypto';
import type { Model } from '../model.ts';
import type { Input, Scene } from './driver.ts';

let serial = 0;
/** A number nobody has had: what is made of it can be told from everything else. */
export const next = (): number => (serial += 1);
export const newTaxId = (): string => String(10_000_000_000_000 + next());

/** The CPF with these first nine digits. */
export function cpf(number: number): string {
  const withDigit = (digits: string) => {
    const sum = [...digits].reduce((total, each, index) => total + Number(each) * (digits.length + 1 - index), 0);
    return digits + String(((sum * 10) % 11) % 10);
  };
  return withDigit(withDigit(String(100_000_000 + number)));
}

/** An id of this table: mostly a live one, sometimes one that has been, or that never was. */
export function anyId({ model, dice }: Pick<Scene, 'model' | 'dice'>, table: ReadonlyMap<string, unknown>): string {
  // The first user is the root, who stays what it is.
  const live = [...table.keys()].slice(table === model.users ? 1 : 0);
  const chosen = dice.chance(0.8) ? dice.pick(live) : dice.pick(model.gone.get(table) ?? []);
  return (dice.chance(0.06) ? undefined : (chosen ?? dice.pick(live))) ?? randomUUID();
}

/** Who may not change a Global user tries it often, the root too. */
export function anyUserId(scene: Scene): string {
  const { model, who, dice } = scene;
  const globals = [...model.users.values()].filter(({ type }) => type === 'Global');
  return (!who.isGlobal && dice.chance(0.4) ? dice.pick(globals)?.id : undefined) ?? anyId(scene, model.users);
}

/** Of a table with numbers for keys; -1 is nobody's. */
export const anyCode = ({ dice }: Pick<Scene, 'dice'>, table: ReadonlyMap<number, unknown>): number =>
  (dice.chance(0.1) ? undefined : dice.pick([...table.keys()])) ?? -1;

/** Mostly all at once, so that nothing is missed; sometimes a small page, so that the total is another number. */
export function paging({ dice }: Scene): Input {
  if (dice.chance(0.7)) return { limit: 100 };
  return { limit: 1 + dice.index(4), page: 1 + dice.index(3) };
}

/** Some of the fields, for a partial update. */
export const someOf = ({ dice }: Scene, fields: Input): Input => Object.fromEntries(dice.some(Object.entries(fields)));

/** Fields that no PUT takes, and what they would do to a record if one did: it ignores them. */
export function smuggled(scene: Scene, editable: readonly string[]): Input {
  const { model, dice } = scene;
  if (dice.chance(0.7)) return {};
  const fields = {
    organizationId: anyId(scene, model.organizations),
    tenantId: anyId(scene, model.tenants),
    userId: anyId(scene, model.users),
    idIdentity: dice.pick([...model.users.values()])?.idIdentity,
    deletedAt: null,
    external: true,
  };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !editable.includes(name)));
}

/** Each filter that chance lets stand. */
export function filters(scene: Scene, drawn: Record<string, () => unknown>): Input {
  return Object.fromEntries(Object.entries(drawn).flatMap(([name, draw]) => (scene.dice.chance(0.3) ? [[name, draw()]] : [])));
}

/** Whether the text contains what the filter wants, if it wants anything. */
export const contains = (text: string, part: unknown): boolean =>
  part === undefined || (typeof part === 'string' && text.toLowerCase().includes(part.toLowerCase()));
export const equals = (value: unknown, wanted: unknown): boolean => wanted === undefined || value === wanted;

/** A live city with its state, as an address names them; sometimes one of the two does not exist, or they do not belong together. */
export function place({ model, dice }: Scene): { cityCode: number; stateCode: number } {
  const city = dice.pick([...model.cities.values()]);
  const right = { cityCode: city?.ibgeCode ?? -1, stateCode: city?.stateCode ?? -1 };
  if (dice.chance(0.85)) return right;
  return dice.oneOf({ ...right, cityCode: -1 }, { ...right, stateCode: -1 }, { ...right, stateCode: anyCode({ dice }, model.states) });
}

/** What is wrong with a city and a state: the state is looked at first. */
export function placeFault(model: Model, { cityCode, stateCode }: Input): 'state' | 'city' | 'mismatch' | null {
  const city = model.cities.get(Number(cityCode));
  if (!model.states.has(Number(stateCode))) return 'state';
  if (!city) return 'city';
  return city.stateCode === Number(stateCode) ? null : 'mismatch';
}
