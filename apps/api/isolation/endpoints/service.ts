import { type Model, type Organization, pair, type Persona, personas, unlink, type User } from '../../test/oracle/model.ts';
import { anyId, next } from './draws.ts';
import { answer, type Case, done, type Driver, plain, refuse, type DrawContext } from './driver.ts';
import { assign } from './memberships.ts';
import { drawPerson, identityFault, makeUser } from './users.ts';

/** COOPERATIVES-1: `data` contains one short string. */
export const cooperatives = (callerOf: (it: Case) => string | undefined): Driver =>
  plain((it) => ({
    body: ({ data }) => ({ caller: callerOf(it), data: Array.isArray(data) && data.length === 1 ? data : ['a single short string'] }),
  }));

/** USERS-27 to USERS-30: a new user, a known one, or a mismatch. */
const createUser: Driver = {
  draw: (context) => ({
    ...drawPerson(context),
    type: context.random.oneOf('Admin', 'Coordinator', 'Technician', 'Cooperative'),
    persona: context.random.pick(personas),
    ...(context.random.chance(0.3) ? { jobTitle: `Job ${next()}` } : {}),
  }),
  outcome({ model, who, input }) {
    const [tenantId, persona] = [who.tenant?.id ?? '', input['persona'] as Persona];
    const matches = [...model.users.values()].filter(
      ({ email, federalTaxId }) => email === input['email'] || federalTaxId === input['federalTaxId'],
    );
    const [known] = matches;
    if (known) return bindKnown(matches, input, (user) => assign(model, user.id, tenantId, persona));
    const fault = identityFault(model, input['email']);
    if (fault) return refuse(fault);
    return {
      body: (answered) => makeUser(model, input, answered),
      change(answered) {
        const user = makeUser(model, input, answered);
        model.users.set(user.id, user);
        model.identities.set(user.email, user.idIdentity);
        assign(model, user.id, tenantId, persona);
      },
    };
  },
};

function bindKnown([known, ...others]: User[], input: Record<string, unknown>, bind: (user: User) => void) {
  const isSame = known && others.length === 0 && known.email === input['email'] && known.federalTaxId === input['federalTaxId'];
  return isSame ? answer(known, () => bind(known)) : refuse('USER_DATA_MISMATCH');
}

/** These endpoints find organizations of all tenants, because they create or end the link (SCOPE-9). */
const linking = (outcome: (it: Case, organization: Organization, tenantId: string) => ReturnType<Driver['outcome']>): Driver => ({
  draw: (context) => ({ organizationId: anyId(context, context.model.organizations) }),
  outcome(it) {
    const organization = it.model.organizations.get(String(it.input['organizationId']));
    return organization ? outcome(it, organization, it.who.tenant?.id ?? '') : refuse('ORGANIZATION_NOT_FOUND');
  },
});

const drawTaxId = ({ model, random }: DrawContext): string => {
  const known = random.chance(0.2) ? [...model.deletedOrganizations.values()] : [...model.organizations.values()];
  return random.pick(known)?.federalTaxId ?? String(next()).padStart(14, '9');
};
const liveWithTaxId = (model: Model, taxId: unknown): Organization | undefined =>
  [...model.organizations.values()].find(({ federalTaxId }) => federalTaxId === taxId);

export const service = {
  createUser,
  link: linking(({ model }, { id }, tenantId) => answer({ organizationId: id, tenantId }, () => model.links.add(pair(id, tenantId)))),
  unlink: linking(({ model }, { id }, tenantId) => done(() => unlink(model, id, tenantId))),
  findByFederalTaxId: {
    draw: (context: DrawContext) => ({ federalTaxId: drawTaxId(context) }),
    outcome({ model, who, input }: Case) {
      const found = liveWithTaxId(model, input['federalTaxId']);
      return found ? answer(found, () => model.links.add(pair(found.id, who.tenant?.id ?? ''))) : refuse('ORGANIZATION_NOT_FOUND');
    },
  },
};
