import type { OrganizationAddress } from '@profile-service/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorMessage } from '../components/error-message.tsx';
import { formatDate, formatZipCode } from '../components/format.ts';
import { Loading } from '../components/loading.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { useMay } from '../profile/use-may.ts';
import { cityOptions, statesOptions } from './geography.ts';
import { NewAddress } from './new-address.tsx';

/** Every address that an organization has had, with the current one first. */
export function AddressHistory({ organizationId }: { organizationId: string }) {
  const { trpc } = useProfile();
  const addresses = useQuery(trpc.organizationAddresses.list.queryOptions({ organizationId, limit: 100 }));
  const mayCreate = useMay('create', 'organization-addresses');
  const [form, setForm] = useState<'unopened' | 'open' | 'closed'>('unopened');
  return (
    <section className="card" aria-labelledby="addresses">
      <div className="card-head">
        <h2 id="addresses">Addresses</h2>
        {mayCreate && form !== 'open' && (
          // The focus returns here from the form.
          <button type="button" autoFocus={form === 'closed'} onClick={() => setForm('open')}>
            New address
          </button>
        )}
      </div>
      {form === 'open' && <NewAddress organizationId={organizationId} onClose={() => setForm('closed')} />}
      {addresses.isPending && <Loading what="addresses" />}
      {addresses.isError && <ErrorMessage error={addresses.error} onRetry={() => void addresses.refetch()} />}
      {addresses.data?.data.length === 0 && <p className="empty">No address yet.</p>}
      <ol className="history">
        {addresses.data?.data.map((address) => (
          <li key={address.id} className={address.validTo ? 'closed' : 'current'}>
            <AddressLines address={address} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function AddressLines({ address }: { address: OrganizationAddress }) {
  const profile = useProfile();
  const city = useQuery(cityOptions(profile, address.cityCode)).data?.name ?? '…';
  const state = useQuery(statesOptions(profile)).data?.data.find(({ stateCode }) => stateCode === address.stateCode)?.uf ?? '…';
  const { street, number, complement, district, zipCode, validFrom, validTo } = address;
  return (
    <>
      <p className="period">
        {validTo ? `${formatDate(validFrom)} – ${formatDate(validTo)}` : `Since ${formatDate(validFrom)}`}
        {!validTo && <span className="badge">Current</span>}
      </p>
      <address>
        {[`${street}, ${number}`, complement].filter(Boolean).join(' · ')}
        <br />
        {[district, `${city} – ${state}`].filter(Boolean).join(', ')}
        <br />
        {formatZipCode(zipCode)}
      </address>
    </>
  );
}
