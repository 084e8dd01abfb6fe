import { isProfileError } from '@profile-service/client';

/** Headings of the failures without an error response of the service. */
const headings: Record<string, string> = {
  CONNECTION_FAILED: 'The service did not respond',
  INVALID_RESPONSE: 'The response is not from the service',
  TOKEN_FAILED: 'Your session could not be renewed',
};

/** Shows a failed call: what happened, and what to tell the operators of the service. It offers to try again only what may succeed then. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { code = '', status = 0, problem, message } = isProfileError(error) ? error : { message: String(error) };
  const isTemporary = code === 'CONNECTION_FAILED' || code === 'TOKEN_FAILED' || status === 429 || status >= 500;
  return (
    <div className="notice error" role="alert">
      <p>
        <strong>{problem?.title ?? headings[code] ?? 'The request could not be sent'}</strong>
      </p>
      <p>{problem?.detail ?? message}</p>
      {problem && (
        <p className="hint">
          <a href={problem.type} target="_blank" rel="noreferrer">
            {problem.code}
          </a>{' '}
          · request <code>{problem.instance}</code>
        </p>
      )}
      {onRetry && isTemporary && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
