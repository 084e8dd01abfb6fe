import { useQuery } from '@tanstack/react-query';
import { ErrorMessage } from '../components/error-message.tsx';
import { formatDate } from '../components/format.ts';
import { Loading } from '../components/loading.tsx';
import { useProfile } from '../profile/profile-provider.tsx';
import { useMay } from '../profile/use-may.ts';
import { DownloadButton } from './download-button.tsx';
import { Upload } from './upload.tsx';

/** The files of an organization. */
export function Files({ organizationId }: { organizationId: string }) {
  const { trpc } = useProfile();
  const files = useQuery(trpc.attachments.list.queryOptions({ entityType: 'ORGANIZATION', entityId: organizationId, limit: 100 }));
  const mayCreate = useMay('create', 'attachments');
  return (
    <section className="card" aria-labelledby="files">
      <div className="card-head">
        <h2 id="files">Files</h2>
      </div>
      {mayCreate && <Upload organizationId={organizationId} />}
      {files.isPending && <Loading what="files" />}
      {files.isError && <ErrorMessage error={files.error} onRetry={() => void files.refetch()} />}
      {files.data?.data.length === 0 && <p className="empty">No file yet.</p>}
      <ul className="files">
        {files.data?.data.map(({ id, originalFilename, createdAt }) => (
          <li key={id}>
            <DownloadButton id={id} filename={originalFilename} />
            <span className="hint">{formatDate(createdAt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
