import type { ErrorCode, Endpoint } from '@profile-service/contracts';
import { createApi } from '../support/api.ts';
import type { Faulty } from './faulty.ts';
import { outcomeOf } from './caller.ts';
import { callers } from './callers.ts';
import type { Attempt } from './transports.ts';
import { fileCodes } from './file-codes.ts';
import { ownCodes } from './own-codes.ts';
import type { Place } from './place.ts';
import { type Input, sampleOf } from './samples.ts';
import { anyRule, ruleOf } from './who-may.ts';

export interface Stage extends Place {
  faulty: Faulty;
}

type Scenario<On extends Place = Stage> = (stage: On, name: string, endpoint: Endpoint) => Promise<Attempt>;

/** A call that would succeed. */
export const validCall = async (place: Place, name: string): Promise<Attempt> => ({
  url: place.world.service.url,
  actor: ruleOf(name).kind === 'service' ? place.tenant.service : place.world.global,
  input: await sampleOf(name)(place),
});

/** A field of the row with a value that it cannot have; nothing where the row takes no input. */
export function wrongInput({ body, params, query }: Endpoint): Input {
  const [field] = Object.keys(body?.shape ?? {});
  if (field) return { [field]: ['not', 'this'] };
  const [parameter] = Object.keys({ ...params, ...query });
  return parameter ? { [parameter]: 'neither an id nor a number' } : {};
}

/** The call of somebody to whom the row answers this code. */
const refusal =
  (code: ErrorCode): Scenario<Place> =>
  async (place, name) => {
    const rule = ruleOf(name);
    const caller = callers.find((each) => outcomeOf(each, rule) === code);
    if (!caller) throw new Error(`To whom does ${name} answer ${code}? Add the caller to apps/api/test/endpoints/callers.ts`);
    const actor = await caller.actor(place, rule.kind === 'user' ? rule : anyRule);
    return { ...(await validCall(place, name)), actor };
  };

/** The codes that hang on who calls. */
export const refusals: Partial<Record<ErrorCode, Scenario<Place>>> = Object.fromEntries(
  (
    [
      'UNAUTHORIZED',
      'USER_NOT_PROVISIONED',
      'ACTIVE_TENANT_REQUIRED',
      'TENANT_NOT_ALLOWED',
      'PERSONA_NOT_ASSIGNED',
      'NOT_ALLOWED',
      'CLIENT_NOT_LINKED',
    ] as const
  ).map((code) => [code, refusal(code)]),
);

/** What a caller who sees all organizations is never answered. */
const onlyMembers: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_IN_USE']);

/** How to bring about the codes that rows have in common. */
const common: Partial<Record<ErrorCode, Scenario>> = {
  ...refusals,
  VALIDATION_FAILED: async (stage, name, endpoint) => {
    const call = await validCall(stage, name);
    return { ...call, input: { ...call.input, ...wrongInput(endpoint) } };
  },
  ...Object.fromEntries(
    Object.entries(fileCodes).map(([code, change]): [string, Scenario] => [
      code,
      async (stage, name) => ({ ...(await validCall(stage, name)), ...change(stage.faulty) }),
    ]),
  ),
  PAYLOAD_TOO_LARGE: async (stage, name) => ({ ...(await validCall(stage, name)), spoilt: 'too large' }),
  UNSUPPORTED_MEDIA_TYPE: async (stage, name) => ({ ...(await validCall(stage, name)), spoilt: 'another type' }),
  RATE_LIMITED: async (stage, name) => {
    const call = { ...(await validCall(stage, name)), url: stage.faulty.withoutPatience };
    await createApi(call.url).call(call.actor, ruleOf(name).kind === 'service' ? 'GET /service/cooperatives' : 'GET /api/me/tenants');
    return call;
  },
  SERVICE_UNAVAILABLE: async (stage, name) => ({ ...(await validCall(stage, name)), url: stage.faulty.withoutDatabase }),
  IDENTITY_PROVIDER_UNAVAILABLE: async (stage, name) => ({ ...(await validCall(stage, name)), url: stage.faulty.withoutKeys }),
  INTERNAL_ERROR: async (stage, name) => ({ ...(await validCall(stage, name)), url: stage.faulty.withoutTables }),
};

/** How to make the row answer the code. Throws where nobody has said how. */
export function scenarioOf(name: string, code: ErrorCode): Scenario {
  const own = ownCodes(name)[code];
  if (own) {
    return async (stage) => {
      const call = await validCall(stage, name);
      const asMember = onlyMembers.has(code) && ruleOf(name).kind === 'user';
      return { ...call, ...(asMember ? { actor: stage.members['tenant-admin'] } : {}), input: await own(stage) };
    };
  }
  const scenario = common[code];
  if (!scenario) throw new Error(`How does ${name} come to answer ${code}? Say it in apps/api/test/endpoints/own-codes.ts`);
  return scenario;
}
