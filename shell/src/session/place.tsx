/** Where the signed-in person acts: for the own account, or in an organization in a role. */
import type { Answer, User } from '@pool/shared';
import { lazyPart } from '@pool/shared/remote';
import { Boundary } from '../boundary';
import { report } from '../report';
import type { Role } from './role-name';

type Info = Answer<'GET /getUserInfo/'>;
export type Place = Role & { organization: string };

/** The person who is signed in, or whose pages an admin looks at; in an organization `user` is its account. */
export const personOf = ({ person, user }: Pick<Info, 'person' | 'user'>): User => person ?? user;

export function placeOf({ member, organizations = [], user }: Info): Place | null {
  if (!member) return null;
  const { organizationId, role, money } = member;
  const organization = organizations.find(({ id }) => id === organizationId)?.name ?? user.userName;
  return { organization, role, money };
}

/** Only members of an organization have one. */
const RoleName = lazyPart('roles', () => import(/* webpackChunkName: "idle" */ './role-name'), null);

/** `North Farm · Technician`. */
export const PlaceName = ({ place }: { place: Place }) => (
  <>
    <bdi>{place.organization}</bdi>
    {' · '}
    <Boundary onError={report} fallback={() => null}>
      <RoleName of={place} />
    </Boundary>
  </>
);
