interface Report {
  status: string;
  checks: Record<string, string>;
  /** Only on the management port. */
  reasons?: Record<string, string>;
}

/** The response of `/health/ready`. @param url of the public or the management port */
export async function readiness(url: string | undefined): Promise<[status: number, report: Report]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, (await response.json()) as Report];
}

/** The reasons that the management port gives. */
export const reasonsOf = async ({ managementUrl }: { managementUrl?: string | undefined }): Promise<Record<string, string> | undefined> =>
  (await readiness(managementUrl))[1].reasons;
