import type { App, Model } from '../../test/oracle/model.ts';
import { next, someOf } from './draws.ts';
import type { Input, DrawContext } from './driver.ts';
import { drive } from './records.ts';

const drawName = ({ model, random }: DrawContext): Input => ({
  name: (random.chance(0.15) ? random.pick([...model.apps.values()])?.name : undefined) ?? `App ${next()}`,
});
const isTaken = (model: Model, name: unknown, by?: App): boolean => [...model.apps.values()].some((app) => app !== by && app.name === name);

export const apps = drive<App>({
  table: 'apps',
  key: 'id',
  notFound: 'APP_NOT_FOUND',
  editable: ['name'],
  drawCreation: drawName,
  drawChanges: (context) => someOf(context, drawName(context)),
  refuseCreation: ({ model, input }) => (isTaken(model, input['name']) ? 'APP_ALREADY_EXISTS' : undefined),
  refuseChange: ({ model, input }, record) => (isTaken(model, input['name'], record) ? 'APP_ALREADY_EXISTS' : undefined),
  make: ({ input }, { id }) => ({ id: String(id), name: String(input['name']) }),
  refuseRemoval: ({ model }, { id }) => ([...model.tenants.values()].some(({ appId }) => appId === id) ? 'APP_IN_USE' : undefined),
});
