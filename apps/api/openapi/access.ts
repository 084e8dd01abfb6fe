import { type Access, personaHas, personas } from '@profile-service/contracts';

/** Describes who may call an endpoint, from the data that the permission guard uses. */
export function describeAccess(access: Access): string {
  if (access.kind === 'me') return 'Access: every user, also without an active tenant or a persona.';
  if (access.kind === 'service') return 'Access: every application whose client is linked to an active tenant.';
  const { module, action, resource, reserved, globalOnly, ownTenant } = access;
  const allowed = personas.filter((persona) => personaHas(persona, access));
  const callers = [
    'Global users',
    ...(allowed.length > 0 ? [`personas ${allowed.join(', ')}${ownTenant ? ' (for their active tenant)' : ''}`] : []),
    ...(globalOnly ? [] : [`the role \`${module}:${action}\``]),
    ...(globalOnly || reserved ? [] : ['the role `super_admin`', 'tokens with this permission']),
  ];
  return `Access: ${callers.join('; ')}. The permission is \`${action}\` on \`${resource}\`.`;
}
