import type { Organization, Versioned } from '@profile-service/client';
import { useState } from 'react';
import { formatDate, formatTaxId } from '../components/format.ts';
import { useMay } from '../profile/use-may.ts';
import { EditOrganization } from './edit-organization.tsx';

/** The details of an organization, and the form that edits them. */
export function OrganizationDetails({ organization }: { organization: Organization & Versioned }) {
  const mayUpdate = useMay('update', 'organizations_id');
  const [form, setForm] = useState<'unopened' | 'open' | 'saved' | 'cancelled'>('unopened');
  const { name, alias, federalTaxId, stateTaxId, municipalTaxId, active, updatedAt } = organization;
  return (
    <section className="card" aria-labelledby="details">
      <div className="card-head">
        <h2 id="details">Details</h2>
        {mayUpdate && form !== 'open' && (
          // The focus returns here from the form.
          <button type="button" autoFocus={form !== 'unopened'} onClick={() => setForm('open')}>
            Edit
          </button>
        )}
      </div>
      <output>{form === 'saved' && 'Saved.'}</output>
      {form === 'open' ? (
        <EditOrganization organization={organization} onClose={setForm} />
      ) : (
        <dl>
          <Detail term="Name" value={name} />
          <Detail term="Trade name" value={alias} />
          <Detail term="Tax id" value={formatTaxId(federalTaxId)} />
          <Detail term="State tax id" value={stateTaxId} />
          <Detail term="Municipal tax id" value={municipalTaxId} />
          <Detail term="Status" value={active ? 'Active' : 'Inactive'} />
          <Detail term="Last changed" value={formatDate(updatedAt)} />
        </dl>
      )}
    </section>
  );
}

function Detail({ term, value }: { term: string; value: string | null }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value ?? '–'}</dd>
    </div>
  );
}
