import { expect, test } from 'vitest';
import { type Placeholders, scopedStatement } from '../../src/index.ts';
import type { ScopedTables } from '../../src/scope/scoped-tables.ts';

type ById = Placeholders<{ id: string }>;

/*
 * A query on a scoped table names this table and unscoped ones. Another scoped table, a link or a grant would have no predicate in it. The compiler checks these
 * queries: each `@ts-expect-error` fails if its line compiles. None of them runs.
 */
test('a scoped query does not compile with another scoped table, links or grants, neither in a join nor in a sub-query', () => {
  const queries = (scoped: ScopedTables, p: ById) => {
    // @ts-expect-error attachments are scoped
    scoped.organizations().innerJoin('attachments', (join) => join.on('attachments.id', '=', p.id));
    // @ts-expect-error addresses are scoped
    scoped.organizations().leftJoin('organizationAddresses as address', 'address.organizationId', 'organizations.id');
    // @ts-expect-error organizations are scoped
    scoped.contacts().innerJoin('organizations', 'organizations.id', 'organizationContacts.organizationId');
    // @ts-expect-error contacts are scoped
    scoped.documents().innerJoin('organizationContacts', 'organizationContacts.organizationId', 'attachments.entityId');
    // @ts-expect-error webhooks are scoped
    scoped.organizations().innerJoin('webhooks', 'webhooks.id', 'organizations.id');
    // @ts-expect-error organizations are scoped
    scoped.webhooks().innerJoin('organizations', 'organizations.id', 'webhooks.id');
    // @ts-expect-error links define the scopes
    scoped.organizations().innerJoin('organizationTenants', 'organizationTenants.organizationId', 'organizations.id');
    // @ts-expect-error the links are joined already, but not visible
    scoped.organizationsOf(p.id).select('organizationTenants.tenantId');
    // @ts-expect-error grants define the scopes
    scoped.addresses().innerJoin('membershipOrganizations as grant', 'grant.organizationId', 'organizationAddresses.organizationId');
    scoped.organizations().where((eb) =>
      // @ts-expect-error attachments are scoped
      eb.exists(eb.selectFrom('attachments').select('attachments.id')),
    );
    scoped.attachments().select((eb) =>
      // @ts-expect-error organizations are scoped
      eb.selectFrom('organizations').select('name').limit(1).as('name'),
    );
    // @ts-expect-error contacts are scoped
    scoped.updateTable('organizations').from('organizationContacts').set({ name: 'x' });
    // @ts-expect-error organizations are scoped
    scoped.deleteFrom('organizationContacts').using('organizations').where('organizations.name', '=', 'x');
  };
  expect(queries).toBeTypeOf('function');
});

test('a scoped query can join an unscoped table', () => {
  const withUploader = scopedStatement((scoped, p: ById) =>
    scoped.attachments().innerJoin('users', 'users.id', 'attachments.userId').select('users.name').where('attachments.id', '=', p.id),
  );
  const { text } = withUploader.bind({ id: 'a' }, { kind: 'tenant', tenantId: 't' });
  expect(text).toContain('inner join "users"');
  expect(text).toContain('"organization_tenants"');
});
