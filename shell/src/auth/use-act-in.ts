import { report } from '../report';
import { useAuthContext } from './auth-provider';

/** Goes on in an organization, or as the person alone (null). */
export function useActIn(): (organizationId: string | null) => void {
  const { store } = useAuthContext();
  return (organizationId) => void store.actIn(organizationId).catch(report);
}
