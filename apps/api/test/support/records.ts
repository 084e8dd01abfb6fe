import type { contract, Endpoint } from '@profile-service/contracts';

/** The response body of the endpoint. */
export type OutputOf<R extends Endpoint> = NonNullable<R['types']>['output'];

export type User = OutputOf<typeof contract.users.get>;
export type UserPage = OutputOf<typeof contract.users.list>;
export type Attachment = OutputOf<typeof contract.attachments.update>;
export type AttachmentPage = OutputOf<typeof contract.attachments.list>;
export type DocumentPage = OutputOf<typeof contract.service.documents.list>;
export type Permissions = OutputOf<typeof contract.me.permissions>;
export type MembershipList = OutputOf<typeof contract.me.tenants>;
export type OrganizationScope = OutputOf<typeof contract.organizationScopes.get>;
export type Organization = OutputOf<typeof contract.organizations.get>;
export type OrganizationPage = OutputOf<typeof contract.organizations.list>;
export type OrganizationAddress = OutputOf<typeof contract.organizationAddresses.get>;
export type OrganizationAddressPage = OutputOf<typeof contract.organizationAddresses.list>;
export type OrganizationContact = OutputOf<typeof contract.organizationContacts.get>;
export type OrganizationContactPage = OutputOf<typeof contract.organizationContacts.list>;
export type DocumentType = OutputOf<typeof contract.documentTypes.get>;
export type State = OutputOf<typeof contract.states.get>;
export type City = OutputOf<typeof contract.cities.get>;
export type CityPage = OutputOf<typeof contract.cities.list>;
