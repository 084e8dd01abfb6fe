import { isProfileError } from '@profile-service/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { ErrorMessage } from '../components/error-message.tsx';
import { useProfile } from '../profile/profile-provider.tsx';

const accepted = 'image/jpeg,image/png,image/webp,application/pdf';

/** Uploads a file of the organization. Shows how much of it is sent, and can cancel. */
export function Upload({ organizationId }: { organizationId: string }) {
  const { profile, trpc } = useProfile();
  const queryClient = useQueryClient();
  const inputId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState(0);
  const upload = useMutation({
    mutationFn: ({ file, abort: { signal } }: { file: File; abort: AbortController }) => {
      setSent(0);
      const fields = { entityType: 'ORGANIZATION', entityId: organizationId } as const;
      return profile.attachments.upload(file, fields, { signal, onProgress: ({ loaded }) => setSent(loaded) });
    },
    onSuccess: () => queryClient.invalidateQueries(trpc.attachments.list.queryFilter()),
  });
  const { file, abort } = upload.variables ?? {};
  // The buttons "Try again" and "Cancel" disappear when they are used.
  const focusInput = () => input.current?.focus();
  const start = (chosen: File) => {
    focusInput();
    upload.mutate({ file: chosen, abort: new AbortController() });
  };
  const cancel = () => {
    focusInput();
    abort?.abort();
  };
  const isCancelled = isProfileError(upload.error, 'ABORTED');
  return (
    <div className="upload">
      <div className="field">
        <label htmlFor={inputId}>Upload a file</label>
        <input
          ref={input}
          id={inputId}
          type="file"
          accept={accepted}
          // A disabled input would lose the focus.
          aria-disabled={upload.isPending}
          onClick={(event) => upload.isPending && event.preventDefault()}
          aria-describedby={`${inputId}-hint`}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            // The same file can be chosen again.
            target.value = '';
            if (chosen && !upload.isPending) start(chosen);
          }}
        />
        <p id={`${inputId}-hint`} className="hint">
          PDF, JPEG, PNG or WebP
        </p>
      </div>
      {upload.isPending && file && (
        <div className="progress">
          <progress aria-label={`Uploading ${file.name}`} max={file.size} value={sent} />
          <span>{Math.floor((100 * sent) / (file.size || 1))} %</span>
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        </div>
      )}
      <output>
        {upload.isSuccess && `${file?.name} is uploaded.`}
        {isCancelled && 'The upload is cancelled.'}
      </output>
      {upload.isError && file && !isCancelled && <ErrorMessage error={upload.error} onRetry={() => start(file)} />}
    </div>
  );
}
