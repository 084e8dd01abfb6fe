import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Form } from '../components/form.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { addressOf, AddressFields } from './address-fields.tsx';

/** Adds an address. It becomes the current one, and the service closes the previous one. */
export function NewAddress({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const { trpc } = useProfile();
  const queryClient = useQueryClient();
  const create = useMutation(
    trpc.organizationAddresses.create.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.organizationAddresses.list.queryFilter({ organizationId })),
    }),
  );
  // Does not close the form if the user has closed and opened it again.
  const submit = (values: FormData) => create.mutate({ organizationId, ...addressOf(values) }, { onSuccess: () => onClose() });
  return (
    <Form error={create.error} isPending={create.isPending} onSubmit={submit}>
      <p className="hint">The new address becomes the current one. The previous address stays in the history.</p>
      <AddressFields autoFocus />
      <div className="buttons">
        <button className="primary" aria-disabled={create.isPending}>
          Add address
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Form>
  );
}
