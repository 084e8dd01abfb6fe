/** An error whose message may be shown to the owner of a webhook: it says nothing about the internal network. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}
