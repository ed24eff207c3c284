import { report } from '../report';
import { useIdentity } from './auth-provider';

/**
 * Goes on in an organization, or as the person alone (null). The page is loaded anew: nothing that was read for the one
 * is shown for the other.
 */
export function useActIn(): (organizationId: string | null) => void {
  const identity = useIdentity();
  return (organizationId) =>
    void identity()
      .then(({ actIn }) => actIn(organizationId))
      .then(() => location.assign('/'), report);
}
