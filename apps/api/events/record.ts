import type { EventType } from '@profile-service/contracts';
import { recordWrite } from '@profile-service/db';

/** The statement that records a write of the proof itself. It is the last one of a transaction. */
export const record = (event: EventType, recordId: string) =>
  recordWrite({ operation: 'proof', actor: { kind: 'SYSTEM', id: null }, requestId: null, tenantId: null, events: [event], recordId });
