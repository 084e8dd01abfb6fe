import { useState } from 'react';

/** Keeps the tenant that a user has chosen. A user who signs in on the same computer has a choice of their own. */
export function useStoredTenant(userId: string | undefined): [stored: string | null, store: (tenantId: string) => void] {
  const key = `tenant of ${userId ?? 'nobody'}`;
  const [, setChosen] = useState('');
  const store = (tenantId: string) => {
    localStorage.setItem(key, tenantId);
    setChosen(tenantId);
  };
  return [localStorage.getItem(key), store];
}
