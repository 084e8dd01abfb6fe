import { isProfileError, type Organization, type Versioned } from '@profile-service/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorMessage } from '../components/error-message.tsx';
import { Field, Form, textOf } from '../components/form.tsx';
import { useProfile } from '../profile/profile-provider.tsx';

interface EditOrganizationProps {
  /** As it was read, with its `etag`. */
  organization: Organization & Versioned;
  onClose: (result: 'saved' | 'cancelled') => void;
}

/** Edits the organization as it was when the form was opened. The service refuses the change if somebody else has changed it since. */
export function EditOrganization({ organization, onClose }: EditOrganizationProps) {
  const { profile, trpc } = useProfile();
  const queryClient = useQueryClient();
  const { queryKey } = trpc.organizations.get.queryOptions({ id: organization.id });
  // The cache may be refreshed while the user types. The form keeps the version that it shows.
  const [read, setRead] = useState(organization);
  const update = useMutation(
    trpc.organizations.update.mutationOptions({
      onSuccess: async (changed) => {
        queryClient.setQueryData(queryKey, changed);
        await queryClient.invalidateQueries(trpc.organizations.list.queryFilter());
      },
    }),
  );
  const isConflict = isProfileError(update.error, 'PRECONDITION_FAILED');
  const loadCurrent = useMutation({
    mutationFn: () => profile.organizations.get.query({ id: organization.id }),
    onSuccess: (current) => {
      queryClient.setQueryData(queryKey, current);
      setRead(current);
      update.reset();
    },
  });
  const submit = (values: FormData) =>
    update.mutate(
      {
        // Sends the `etag` of the version that was read.
        ...read,
        name: textOf(values, 'name') ?? '',
        alias: textOf(values, 'alias'),
        stateTaxId: textOf(values, 'stateTaxId'),
        municipalTaxId: textOf(values, 'municipalTaxId'),
        active: values.has('active'),
      },
      // Does not run if the user has closed the form.
      { onSuccess: () => onClose('saved') },
    );
  return (
    // A new version of the record fills the fields again.
    <Form key={read.etag} error={isConflict ? null : update.error} isPending={update.isPending} onSubmit={submit}>
      {isConflict && (
        <div className="notice warning" role="alert">
          <p>
            <strong>Somebody else has changed this organization.</strong>
          </p>
          <p>Nothing was saved. Load the current version to see the other change, and make yours again.</p>
          <button type="button" autoFocus onClick={() => loadCurrent.mutate()}>
            Load current version
          </button>
        </div>
      )}
      {loadCurrent.isError && <ErrorMessage error={loadCurrent.error} onRetry={() => loadCurrent.mutate()} />}
      <Field label="Name" name="name" defaultValue={read.name} required autoFocus />
      <Field label="Trade name" name="alias" defaultValue={read.alias ?? ''} />
      <Field label="State tax id" name="stateTaxId" defaultValue={read.stateTaxId ?? ''} />
      <Field label="Municipal tax id" name="municipalTaxId" defaultValue={read.municipalTaxId ?? ''} />
      <label className="checkbox">
        <input type="checkbox" name="active" defaultChecked={read.active} /> Active
      </label>
      <div className="buttons">
        <button className="primary" aria-disabled={update.isPending}>
          Save
        </button>
        <button type="button" onClick={() => onClose('cancelled')}>
          Cancel
        </button>
      </div>
    </Form>
  );
}
