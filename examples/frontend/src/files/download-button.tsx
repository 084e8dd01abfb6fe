import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ErrorMessage } from '../components/error-message.tsx';
import { useProfile } from '../profile/profile-provider.tsx';

/** Downloads a file. A link could not send the token, so the page reads the file and saves it. */
export function DownloadButton({ id, filename }: { id: string; filename: string }) {
  const { profile } = useProfile();
  const button = useRef<HTMLButtonElement>(null);
  const download = useMutation({
    mutationFn: async () => {
      const file = await profile.attachments.download(id);
      save(await file.blob(), file.filename);
    },
  });
  const start = () => {
    // The button "Try again" disappears. A disabled button would lose the focus.
    button.current?.focus();
    if (!download.isPending) download.mutate();
  };
  return (
    <>
      <button ref={button} type="button" className="link" aria-disabled={download.isPending} onClick={start}>
        <span className="visually-hidden">Download </span>
        {filename}
      </button>
      {download.isError && <ErrorMessage error={download.error} onRetry={start} />}
    </>
  );
}

function save(content: Blob, filename: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = filename;
  link.click();
  // Some browsers read the content only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
