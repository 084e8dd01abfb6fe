/** A mail that a real provider would have sent. */
export interface Mail {
  id: string;
  to: string;
  subject: string;
  /** Opens the page on which the user completes the actions. */
  link: string;
  actions: string[];
  /** ISO 8601, UTC. */
  sentAt: string;
  /** ISO 8601, UTC. The link works until then. */
  expiresAt: string;
}
