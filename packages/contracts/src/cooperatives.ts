import { z } from 'zod';
import { access } from './access.ts';
import { Uuid } from './fields.ts';
import { route } from './route.ts';

const Cooperatives = z
  .object({
    caller: Uuid.describe('The user, or the tenant of the calling application'),
    data: z.array(z.string()).describe('A placeholder until the source of cooperatives is connected'),
  })
  .meta({ id: 'Cooperatives' });

export const cooperatives = {
  list: route('GET /api/cooperatives', access.user('cooperatives', 'read', 'resource:cooperatives'), {
    summary: 'List cooperatives',
    output: Cooperatives,
    success: 200,
  }),
};

export const serviceCooperatives = {
  list: route('GET /service/cooperatives', access.service, {
    summary: 'List cooperatives as an application',
    output: Cooperatives,
    success: 200,
  }),
};
