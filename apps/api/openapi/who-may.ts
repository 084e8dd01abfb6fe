import { type Access, personaHas, personas } from '@profile-service/contracts';

/** Says in a sentence or two who may call the row: the guard's rules, from the same data. */
export function whoMay(access: Access): string {
  if (access.kind === 'me') return 'Open to every user, also without an active tenant or a persona.';
  if (access.kind === 'service') return 'Open to every application whose client is linked to an active tenant.';
  const { module, action, resource, reserved, globalOnly, ownTenant } = access;
  const allowed = personas.filter((persona) => personaHas(persona, access));
  const callers = [
    'Global users',
    ...(allowed.length > 0 ? [`personas ${allowed.join(', ')}${ownTenant ? ' (for their active tenant)' : ''}`] : []),
    ...(globalOnly ? [] : [`the role \`${module}:${action}\``]),
    ...(globalOnly || reserved ? [] : ['the role `super_admin`', 'tokens with this very permission']),
  ];
  return `Needs the scope \`${action}\` on \`${resource}\`. Open to ${callers.join('; ')}.`;
}
