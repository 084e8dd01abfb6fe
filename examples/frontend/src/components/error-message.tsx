import { isProfileError } from '@profile-service/client';

/** Shows a failed call: what happened, and what to tell the operators of the service. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { problem, message } = isProfileError(error) ? error : { problem: undefined, message: String(error) };
  return (
    <div className="notice error" role="alert">
      <p>
        <strong>{problem?.title ?? 'The service did not respond'}</strong>
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
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
