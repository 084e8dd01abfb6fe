import { isProfileError } from '@profile-service/client';

/** Shows a failed call: what happened, and what to tell the operators of the service. A call that was refused has no button to try it again. */
export function ErrorMessage({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { problem, message } = isProfileError(error) ? error : { problem: undefined, message: String(error) };
  const isTemporary = !problem || problem.status === 429 || problem.status >= 500;
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
      {onRetry && isTemporary && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
