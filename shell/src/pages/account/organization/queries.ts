import type { Answer, ApiClient } from '@pool/shared';
import { queryOptions } from '@pool/shared/query';

export type Organization = NonNullable<Answer<'GET /organization'>['organization']>;
export type Member = Organization['members'][number];
export type Invitation = Organization['invitations'][number];
export type Role = Member['role'];
/** What a member may do. */
export type Grant = Pick<Member, 'role' | 'money' | 'accounts'>;

export const ORGANIZATION = ['organization'] as const;
export const organizationQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ORGANIZATION,
    queryFn: ({ signal }) => api('GET /organization', { signal }),
  });
