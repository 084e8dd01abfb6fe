export * from './access.ts';
export { type AttachmentType, attachmentTypes, EntityType } from './attachments.ts';
export * from './contract.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './endpoint.ts';
export * from './router.ts';
export { type UserType, userTypes } from './users.ts';
export type { organizations } from './organizations.ts';
