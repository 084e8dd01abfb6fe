import { z } from 'zod';
import { access } from './access.ts';
import { changesOf, describeLike } from './descriptions.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { Name, Uuid } from './fields.ts';
import { defineList, nameContains } from './list.ts';

export const App = z
  .object({
    id: Uuid.describe('Id of the app, set by the service.'),
    name: z.string().describe('Unique name, 1 to 255 characters in a request.'),
  })
  .meta({
    id: 'App',
    description: 'A product of the platform. It runs for a customer as a tenant.',
    example: { id: exampleIds.app, name: 'Granary' },
  });

const editable = describeLike(App, { name: Name });

const AppCreate = z.object(editable).meta({ id: 'AppCreate', description: 'Fields of a new app.', example: { name: 'Granary' } });
const AppUpdate = z
  .object(editable)
  .partial()
  .meta({ id: 'AppUpdate', description: changesOf('an app'), example: { name: 'Granary' } });

const params = { id: App.shape.id.meta({ example: exampleIds.app }) };

export const apps = {
  create: defineEndpoint('POST /api/apps', access.user('apps', 'create', 'resource:apps'), {
    summary: 'Create an app',
    description: 'The app has no tenants at first: create one for each customer that it runs for.',
    body: AppCreate,
    output: App,
    success: 201,
    versioned: 'app',
    events: ['app.created'],
    errors: ['APP_ALREADY_EXISTS'],
  }),
  list: defineEndpoint('GET /api/apps', access.user('apps', 'read', 'resource:apps'), {
    summary: 'List apps',
    description: 'Newest first. The apps are those of the whole platform.',
    ...defineList('app', App, { page: 'AppPage', sortable: ['id', 'name'], filters: { name: nameContains('apps') } }),
  }),
  get: defineEndpoint('GET /api/apps/{id}', access.user('apps', 'read', 'resource:apps_id'), {
    summary: 'Get an app',
    description: 'Returns the name of the app. To see where it runs, list the tenants.',
    params,
    output: App,
    success: 200,
    versioned: 'app',
    errors: ['APP_NOT_FOUND'],
  }),
  update: defineEndpoint('PUT /api/apps/{id}', access.user('apps', 'update', 'resource:apps_id'), {
    summary: 'Update an app',
    description: 'Changes the name. The names of its tenants stay as they are.',
    params,
    body: AppUpdate,
    output: App,
    success: 200,
    versioned: 'app',
    events: ['app.updated'],
    errors: ['APP_NOT_FOUND', 'APP_ALREADY_EXISTS'],
  }),
  remove: defineEndpoint('DELETE /api/apps/{id}', access.user('apps', 'delete', 'resource:apps_id'), {
    summary: 'Delete an app',
    description: 'The app must have no tenants.',
    params,
    success: 204,
    versioned: 'app',
    events: ['app.deleted'],
    errors: ['APP_NOT_FOUND', 'APP_IN_USE'],
  }),
};
