import { problemOf } from '@profile-service/client';

/** Shows a failed call: what happened, and what to tell the operators of the service. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = problemOf(error);
  return (
    <div className="notice error" role="alert">
      <p>
        <strong>{problem?.title ?? 'No response from the service'}</strong>
      </p>
      <p>{problem?.detail ?? 'Check your connection and try again.'}</p>
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
