import { useId } from 'react';
import { useAuth } from 'react-oidc-context';

interface HeaderProps {
  name?: string;
  tenants?: { id: string; name: string }[];
  activeTenant?: string | undefined;
  onSwitchTenant?: (id: string) => void;
}

/** Who is signed in, the tenant switcher, and the sign-out button. */
export function Header({ name, tenants = [], activeTenant, onSwitchTenant }: HeaderProps) {
  const { signoutRedirect } = useAuth();
  const tenantId = useId();
  return (
    <header className="site-header">
      <a className="brand" href="#/" aria-label="Organizations">
        <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" />
        <span>Organizations</span>
      </a>
      {tenants.length > 0 && (
        <div className="tenant">
          <label htmlFor={tenantId}>Tenant</label>
          <select id={tenantId} value={activeTenant} onChange={({ target }) => onSwitchTenant?.(target.value)}>
            {tenants.map((tenant) => (
              <option key={tenant.id} value={tenant.id}>
                {tenant.name}
              </option>
            ))}
          </select>
        </div>
      )}
      {name && <span>{name}</span>}
      <button type="button" onClick={() => void signoutRedirect()}>
        Sign out
      </button>
    </header>
  );
}
