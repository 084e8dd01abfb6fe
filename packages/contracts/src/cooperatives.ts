import { z } from 'zod';
import { access } from './access.ts';
import { defineEndpoint } from './endpoint.ts';
import { Uuid } from './fields.ts';

const Cooperatives = z
  .object({
    caller: Uuid.describe('Id of the calling user, or of the tenant of the calling application.'),
    data: z.array(z.string()).describe('A placeholder with one text, until the source of cooperatives is connected.'),
  })
  .meta({ id: 'Cooperatives', example: { caller: '01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', data: ['cooperatives are not connected yet'] } });

export const cooperatives = {
  list: defineEndpoint('GET /api/cooperatives', access.user('cooperatives', 'read', 'resource:cooperatives'), {
    summary: 'List cooperatives',
    output: Cooperatives,
    success: 200,
  }),
};

export const serviceCooperatives = {
  list: defineEndpoint('GET /service/cooperatives', access.service, {
    summary: 'List cooperatives as an application',
    output: Cooperatives,
    success: 200,
  }),
};
