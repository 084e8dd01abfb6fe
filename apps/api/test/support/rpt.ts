import { profileClient } from './world.ts';

/** The claims of an RPT of this service's client (or of another) that grants scopes of one resource. */
export function rpt(rsname: string, scopes: string[], audience = profileClient.clientId) {
  return { aud: audience, authorization: { permissions: [{ rsid: 'a-resource', rsname, scopes }] } };
}
