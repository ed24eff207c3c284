/** An admin's calls as a user only read (`viewAs` of the contract). */
import { ADMIN } from '@pool/shared/api/contract';
import type { Deps } from '../../context/deps';
import { guard } from '../../auth/authorise';
import { viewAsIsReadOnly } from '../../auth/view-as';
import type { ZodApp } from '../../server/server';

export function refuseWrites(app: ZodApp, principals: Deps['principals']): void {
  app.route({
    method: ['POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/userDashboard/*',
    schema: { hide: true },
    onRequest: guard({ who: 'user', requires: ADMIN }, principals),
    handler: () => {
      throw viewAsIsReadOnly();
    },
  });
}
