import { Link } from 'react-router-dom';
import type { ComponentProps } from 'react';
import { useServices } from './services';

type Props = Omit<ComponentProps<typeof Link>, 'to'> & {
  /** The other remote's name, and the id that its `remote.json` gives the page: `workers.pools`. */
  page: `${string}.${string}`;
  /** Parameters of the address: `?state=low`. */
  search?: string;
  /** Where the user has no such page: the words without a link; else nothing. */
  keepWords?: boolean;
};

/** A link to a page of another remote: where it is served, and whether this user has it, the pool knows. */
export function PageLink({ page, search = '', keepWords = false, ...rest }: Props) {
  const path = useServices().pages[page];
  if (path === undefined) return keepWords ? <span className={rest.className}>{rest.children}</span> : null;
  return <Link {...rest} to={path + search} />;
}
