import type { PublicConfig } from '@pool/shared';
import { watchBase } from '@pool/shared/public-pages';
import { lazyPart } from '@pool/shared/remote';
import { ShellPart } from '../pages/shell-part';
import '../copied';

type Props = { config: PublicConfig };
const WatchPage = lazyPart<Props>('public', () => import(/* webpackChunkName: "public" */ './watch/watch-page'));
const VisitorPage = lazyPart<Props>('public', () => import(/* webpackChunkName: "public" */ './visitor-page'));

/** The pages without sign-in: of a watcher link, and the public ones for who is not signed in. */
export default function Public({ config }: Props) {
  const Page = watchBase(location.pathname) ? WatchPage : VisitorPage;
  return (
    <ShellPart>
      <Page config={config} />
    </ShellPart>
  );
}
