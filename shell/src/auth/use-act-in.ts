import { report } from '../report';
import { useAuthContext } from './auth-provider';

/** Goes on in an organization, or as the person alone (null), at `path`: the first page. */
export function useActIn(): (organizationId: string | null, path?: string) => void {
  const { store } = useAuthContext();
  return (organizationId, path) => void store.actIn(organizationId, path).catch(report);
}
