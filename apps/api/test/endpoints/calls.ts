import type { Endpoint, ErrorCode } from '@profile-service/contracts';
import { exampleOf, type Input } from '@profile-service/contracts/examples';
import { type Rule, ruleOf } from '../oracle/rules.ts';
import { headersOf } from '../support/call.ts';
import { createApi } from '../support/api.ts';
import type { BrokenInstances } from './broken-instances.ts';
import { callersOf } from './callers.ts';
import type { Fixture } from './fixture.ts';
import { whileRunning, withReusedKey } from './idempotency-scenarios.ts';
import { organizationOf } from '../support/organizations.ts';
import type { Attempt } from './send.ts';

export interface FixtureWithBrokenInstances extends Fixture {
  broken: BrokenInstances;
}

type Scenario<On extends Fixture = FixtureWithBrokenInstances> = (fixture: On, name: string, endpoint: Endpoint) => Promise<Attempt>;

/** A caller who may do everything at the endpoint. */
const allowedActor = ({ world, tenant }: Fixture, rule: Rule) => (rule.kind === 'service' ? tenant.service : world.global);
const ruleOfEndpoint = ({ method, path }: Endpoint): Rule => ruleOf(method, path);

/** A call that succeeds. */
export const validCall: Scenario<Fixture> = async (fixture, name, endpoint) => ({
  url: fixture.world.service.url,
  actor: allowedActor(fixture, ruleOfEndpoint(endpoint)),
  input: await exampleOf(name).valid(fixture),
});

/** A valid call, to be changed so that the service refuses it. */
export const callToRefuse: Scenario<Fixture> = async (fixture, name, endpoint) => ({
  url: fixture.world.service.url,
  actor: allowedActor(fixture, ruleOfEndpoint(endpoint)),
  input: await fixture.sharedInput(name),
});

/** One field of the endpoint with an invalid value; empty for an endpoint without input. */
export function invalidInput({ body, params, query }: Endpoint): Input {
  const [field] = Object.keys(body?.shape ?? {});
  if (field) return { [field]: ['not', 'this'] };
  const [parameter] = Object.keys({ ...params, ...query });
  return parameter ? { [parameter]: 'neither an id nor a number' } : {};
}

const guardCodes = [
  'UNAUTHORIZED',
  'USER_NOT_PROVISIONED',
  'ACTIVE_TENANT_REQUIRED',
  'TENANT_NOT_ALLOWED',
  'PERSONA_NOT_ASSIGNED',
  'NOT_ALLOWED',
  'CLIENT_NOT_LINKED',
] as const;

/** The errors that depend on the caller: a call of a caller whom the endpoint refuses with this code. */
export const guardScenarios: Partial<Record<ErrorCode, Scenario<Fixture>>> = Object.fromEntries(
  guardCodes.map((code): [ErrorCode, Scenario<Fixture>] => [
    code,
    async (fixture, name, endpoint) => {
      const caller = callersOf(fixture, ruleOfEndpoint(endpoint)).find(({ refused }) => refused === code);
      if (!caller) throw new Error(`No caller gets ${code} from ${name}: add one to apps/api/test/endpoints/callers.ts`);
      return { ...(await callToRefuse(fixture, name, endpoint)), actor: await caller.signIn() };
    },
  ]),
);

/** Errors that a caller with access to all organizations never gets. */
const onlyMembers: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NOT_ALLOWED_ORGANIZATION', 'ORGANIZATION_IN_USE']);

/** A file of a content type that is not allowed. */
export const page = new File(['<html></html>'], 'page.html', { type: 'text/html' });

/** The error codes of uploads and downloads, with the difference from a valid call. */
const fileCodes: Partial<Record<ErrorCode, (broken: BrokenInstances) => Partial<Attempt>>> = {
  FILE_REQUIRED: () => ({ file: null }),
  InvalidAttachmentTypeError: () => ({ file: page }),
  FailedToUploadFileError: ({ withoutStorage }) => ({ url: withoutStorage }),
  FailedToDownloadFileError: ({ withoutStorage }) => ({ url: withoutStorage }),
  RANGE_NOT_SATISFIABLE: () => ({ range: 'bytes=1000000-' }),
};

const withChange =
  (change: (fixture: FixtureWithBrokenInstances, endpoint: Endpoint) => Partial<Attempt>): Scenario =>
  async (fixture, name, endpoint) => ({ ...(await callToRefuse(fixture, name, endpoint)), ...change(fixture, endpoint) });
const at = (instance: Exclude<keyof BrokenInstances, 'stop'>) => withChange(({ broken }) => ({ url: broken[instance] }));

/** How to cause the errors that many endpoints have in common. */
const common: Partial<Record<ErrorCode, Scenario>> = {
  ...guardScenarios,
  ...Object.fromEntries(
    Object.entries(fileCodes).map(([code, change]): [string, Scenario] => [code, withChange(({ broken }) => change(broken))]),
  ),
  VALIDATION_FAILED: async (fixture, name, endpoint) => {
    const call = await callToRefuse(fixture, name, endpoint);
    const invalid = invalidInput(endpoint);
    // Without input, a header can be invalid.
    return { ...call, ...(Object.keys(invalid).length > 0 ? { input: { ...call.input, ...invalid } } : { ifMatch: 'no tag' }) };
  },
  PAYLOAD_TOO_LARGE: withChange(() => ({ damage: 'too large' })),
  UNSUPPORTED_MEDIA_TYPE: withChange(() => ({ damage: 'another type' })),
  PRECONDITION_FAILED: withChange(() => ({ ifMatch: '"0"' })),
  IDEMPOTENCY_KEY_REUSED: async (fixture, name, endpoint) =>
    withReusedKey(
      await callToRefuse(fixture, name, endpoint),
      ruleOfEndpoint(endpoint).kind === 'service',
      async () => (await organizationOf(fixture.world)).id,
    ),
  IDEMPOTENCY_KEY_IN_PROGRESS: async (fixture, name, endpoint) =>
    whileRunning(fixture.world, await validCall(fixture, name, endpoint), name, endpoint),
  RATE_LIMITED: async (fixture, name, endpoint) => {
    const call = { ...(await callToRefuse(fixture, name, endpoint)), url: fixture.broken.rateLimited };
    const isService = ruleOfEndpoint(endpoint).kind === 'service';
    await createApi(call.url).call(call.actor, isService ? 'GET /service/cooperatives' : 'GET /api/me/tenants');
    return call;
  },
  TOO_MANY_STREAMS: async (fixture, name, endpoint) => {
    const call = { ...(await callToRefuse(fixture, name, endpoint)), url: fixture.broken.oneStream };
    const open = new AbortController();
    await fetch(call.url + endpoint.path, { headers: headersOf(call.actor), signal: open.signal });
    return { ...call, finish: async () => open.abort() };
  },
  SERVICE_UNAVAILABLE: at('withoutDatabase'),
  IDENTITY_PROVIDER_UNAVAILABLE: at('withoutKeys'),
  INTERNAL_ERROR: at('withoutTables'),
};

/** The input that the endpoint refuses with one of its own codes. Creates the state that causes the error. */
export async function errorInput(fixture: Fixture, name: string, code: string): Promise<Input> {
  const cause = exampleOf(name).errors?.[code as ErrorCode];
  if (!cause) throw new Error(`Add the error ${code} to the example of ${name} in packages/contracts/examples`);
  return { ...(await fixture.sharedInput(name)), ...(await cause(fixture)) };
}

/** Returns a call that the endpoint refuses with this code. Throws if there is no scenario for it. */
export function scenarioOf(name: string, code: ErrorCode): Scenario {
  if (exampleOf(name).errors?.[code]) {
    return async (fixture, _name, endpoint) => {
      const call = await callToRefuse(fixture, name, endpoint);
      const asMember = onlyMembers.has(code) && ruleOfEndpoint(endpoint).kind === 'user';
      return { ...call, ...(asMember ? { actor: fixture.members['tenant-admin'] } : {}), input: await errorInput(fixture, name, code) };
    };
  }
  const scenario = common[code];
  if (!scenario) throw new Error(`Add the error ${code} to the example of ${name} in packages/contracts/examples`);
  return scenario;
}
