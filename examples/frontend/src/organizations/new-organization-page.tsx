import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addressOf, AddressFields } from '../addresses/address-fields.tsx';
import { Field, Form, textOf } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { navigate } from '../routing.ts';

/** Creates an organization with its first address. */
export function NewOrganizationPage() {
  const { trpc } = useProfile();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.organizations.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.organizations.list.queryFilter()),
    }),
  );
  const submit = (values: FormData) =>
    create.mutate(
      {
        name: textOf(values, 'name') ?? '',
        alias: textOf(values, 'alias'),
        federalTaxId: textOf(values, 'federalTaxId') ?? '',
        address: addressOf(values, 'address.'),
      },
      // Does not run if the user has left the page.
      { onSuccess: ({ id }) => navigate(`/organizations/${id}`) },
    );
  return (
    <Page title="New organization">
      <section className="card narrow">
        <Form error={create.error} isPending={create.isPending} onSubmit={submit}>
          <Field label="Name" name="name" required autoComplete="organization" />
          <Field label="Trade name" name="alias" />
          <Field label="Tax id" name="federalTaxId" required hint="CNPJ, 14 characters. It cannot be changed later." />
          <fieldset>
            <legend>Address</legend>
            <AddressFields prefix="address." />
          </fieldset>
          <div className="buttons">
            <button className="primary" aria-disabled={create.isPending}>
              Create organization
            </button>
            <a className="button" href="#/">
              Cancel
            </a>
          </div>
        </Form>
      </section>
    </Page>
  );
}
