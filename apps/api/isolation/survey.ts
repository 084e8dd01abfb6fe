import type { Dice } from './random.ts';
import type { Model } from './model.ts';
import { standingOf } from './prediction.ts';
import { anybody, type Asker, draw, isApplication, isIdle } from './questions.ts';
import type { DrivenEndpoint } from './endpoints/index.ts';
import { type Question, rest } from './wire.ts';
import { drawHeader } from './world/callers.ts';
import { endpointNamed, type World } from './world/world.ts';

const rowsOf = (names: string): DrivenEndpoint[] => names.trim().split(/\s+/).map(endpointNamed);

/** What a leak would show in, for people and for applications; each is asked about in every survey. */
const scoped = {
  user: rowsOf(`
    organizations.list organizationAddresses.list organizationContacts.list attachments.list tenants.organizations
    organizations.get organizations.get organizationAddresses.get organizationContacts.get attachments.get
    me.permissions me.tenants tenants.get memberships.users`),
  service: rowsOf('service.organizations.list service.organizations.list service.documents.list service.cooperatives.list'),
};
const scopedWrites = rowsOf(`
  organizations.update organizations.remove organizationAddresses.create organizationAddresses.update organizationAddresses.remove
  organizationContacts.create organizationContacts.update organizationContacts.remove
  attachments.create attachments.update attachments.remove`);
const audited = rowsOf('organizations.list organizationAddresses.list organizationContacts.list attachments.list users.list');
const alsoAudited = rowsOf('tenants.list customers.list apps.list documentTypes.list states.list cities.list');

/** Some who may be concerned by what the question is about, and some who should not be. */
export function chooseWatchers(world: World, question: Question, dice: Dice): Asker[] {
  const concerned = dice.pick(world.callers.filter(({ token }) => token && isNamed(world.model, token.sub, token.azp, question)));
  const chosen = [anybody(world, dice), anybody(world, dice)];
  return concerned ? [{ caller: concerned, header: drawHeader(dice, world.model, concerned) }, ...chosen] : chosen;
}

/** Whether the question names the person, or a tenant or an organization that the person or the client belongs to. */
function isNamed(model: Model, sub: string, azp: string, { input, header }: Question): boolean {
  const named = new Set<unknown>([...Object.values(input).flat(), header]);
  const user = [...model.users.values()].find(({ idIdentity }) => idIdentity === sub);
  const tenants = [...model.tenants.values()].filter(
    ({ id, identityClientId }) => identityClientId === azp || model.memberships.has(`${user?.id} ${id}`),
  );
  return (
    named.has(user?.id) ||
    named.has(user?.email) ||
    tenants.some(({ id }) => named.has(id) || [...model.links].some((link) => named.has(link.split(' ')[0]) && link.endsWith(id)))
  );
}

const aboutOneself = ({ caller, header }: Asker): Question => ({
  endpoint: endpointNamed(isApplication(caller) ? 'service.cooperatives.list' : 'me.permissions'),
  caller,
  header,
  input: {},
});

/** Each asks once, so that what the service knows of them is in its cache. */
export async function warm({ examiner }: World, watchers: readonly Asker[]): Promise<void> {
  await Promise.all(watchers.map((watcher) => examiner.askAll([aboutOneself(watcher)], 'rest')));
}

/** Each asks a few times, and nobody minds the answers. */
export async function look({ port }: World, watchers: readonly Asker[]): Promise<void> {
  await Promise.all([...watchers, ...watchers, ...watchers].map((watcher) => rest(port, aboutOneself(watcher))));
}

/** Each looks at lists, totals, filters and records, and tries what they may not. */
export async function survey(world: World, watchers: readonly Asker[], all: readonly DrivenEndpoint[], dice: Dice): Promise<void> {
  const asked = watchers.map((watcher) => {
    const own = isApplication(watcher.caller) ? scoped.service : [...scoped.user, ...dice.some(scopedWrites, 0.3)];
    const questions = [...own, ...dice.some(all, 2 / all.length)]
      .map((endpoint) => draw(world, endpoint, watcher, dice))
      .filter((question) => isIdle(world, question));
    return {
      questions: isLockedOut(world, questions) ? questions.slice(-3) : questions,
      face: dice.chance(0.4) ? 'trpc' : 'rest',
    } as const;
  });
  await Promise.all(asked.map(({ questions, face }) => world.examiner.askAll(questions, face)));
}

/** Whoever is refused everything need not be refused everything each time. */
function isLockedOut({ model }: World, questions: readonly Question[]): boolean {
  const [question] = questions;
  const who = question ? standingOf(model, question) : '';
  return typeof who === 'string' || who.refusal !== null;
}

/** The root looks at everything there is: a change that reached further than it should have shows here. */
export async function audit({ examiner, root }: World, dice: Dice): Promise<void> {
  const endpoints = [...audited, ...dice.some(alsoAudited, 0.3)];
  await examiner.askAll(
    endpoints.map((endpoint) => ({ endpoint, caller: root, header: undefined, input: { limit: 100 } })),
    'trpc',
  );
}
