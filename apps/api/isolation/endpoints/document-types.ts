import type { DocumentType } from '../../test/oracle/model.ts';
import { drive } from './records.ts';

export const documentTypes = drive<DocumentType>('documentType', {
  draw: ({ random }) => random.oneOf({ hasExpiration: true, defaultValidityDays: 30 }, { hasExpiration: true }, { hasExpiration: false }),
  // DOCTYPES-8
  amountTo: (changes) => (changes['hasExpiration'] === false ? { ...changes, defaultValidityDays: null } : changes),
});
