import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { exampleIds } from './examples.ts';
import { Uuid } from './fields.ts';

const Cooperatives = z
  .object({
    caller: Uuid.describe('Id of the calling user, or of the tenant of the calling application.'),
    data: z.array(z.string()).describe('One text that says that the source of cooperatives is not connected.'),
  })
  .meta({
    id: 'Cooperatives',
    description: 'A placeholder until the source of cooperatives is connected.',
    example: { caller: exampleIds.user, data: ['cooperatives are not connected yet'] },
  });

export const cooperatives = {
  list: defineEndpoint('GET /api/cooperatives', access.user('cooperatives', 'read', 'resource:cooperatives'), {
    summary: 'List cooperatives',
    description: 'Returns a placeholder until the source of cooperatives is connected.',
    output: Cooperatives,
    success: 200,
  }),
};

export const serviceCooperatives = {
  list: defineEndpoint('GET /service/cooperatives', access.service, {
    summary: 'List cooperatives as an application',
    description: 'Returns a placeholder until the source of cooperatives is connected.',
    output: Cooperatives,
    success: 200,
  }),
};
