/** What a page shows to its caller, by the path alone. */
import type { FastifyRequest } from 'fastify';
import { abilityFor, allows, isAdmin, mayOpen } from '@pool/shared/ability';
import type { RemoteManifest } from '@pool/shared/contract';
import type { FormName } from '@pool/shared/form-texts';
import { SAVED_PAGE } from '@pool/shared/page-start';
import { isPublicPage, watchBase } from '@pool/shared/public-pages';
import { hasPage } from '@pool/shared/remote-schema';
import { INVITATION_PATH, isShellPage, viewAt } from '@pool/shared/shell-pages';
import type { Principal } from '../../http/auth/principal';
import type { Identity } from '../../identity';

export type Resolved = {
  path: string;
  /** The path within the pages that are shown: those of the user whom an admin looks at, else the same. */
  shownPath: string;
  remotes: RemoteManifest[];
  /** The remote whose page it is, if it is one's. */
  remote: RemoteManifest | undefined;
  /** It is a user's page that an admin looks at; `viewedUser`: the page that lists this user. */
  isViewed: boolean;
  viewedUser: string | undefined;
  isWatch: boolean;
  isVisitor: boolean;
  isSaved: boolean;
  form: FormName | null;
  isMissing: boolean;
  /** It may have a view of its remote. */
  hasView: boolean;
};

const within = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

export class PageResolver {
  constructor(private readonly identity: Identity['config']) {}

  isForm(path: string): boolean {
    return within(path, this.identity.signInUrl) || within(path, this.identity.signUpUrl);
  }

  /** `remotes`: those that the caller may load. */
  resolve(request: FastifyRequest, path: string, remotes: RemoteManifest[], me: Principal | null): Resolved {
    const view = me && isAdmin(me.ability) ? viewAt(path) : null;
    const ability =
      me &&
      (view ? abilityFor({ ...me.user, readOnly: true, hasBot: me.ability.can('read', 'telegram') }) : me.ability);
    const shownPath = view ? path.slice(view.base.length) || '/' : path;
    const shown = view && ability ? remotes.filter(({ requires }) => allows(ability, requires)) : remotes;
    const isLanding = path === '/';
    const isWatch = watchBase(path) !== undefined;
    const isVisitor = !me && this.isSignedOut(request);
    const isSaved = me !== null && path === SAVED_PAGE;
    const has = (each: RemoteManifest) => hasPage(each, shownPath) && (!ability || mayOpen(ability, each, shownPath));
    const remote = shown.find(({ basePath }) => within(shownPath, basePath));
    const isOfRemote = shown.some(has);
    const isKnown =
      shownPath === '/' ||
      isSaved ||
      isWatch ||
      (!view && this.isForm(path)) ||
      (ability !== null && isShellPage(shownPath, ability, shown)) ||
      isOfRemote;
    return {
      path,
      shownPath,
      remotes: shown,
      remote,
      isViewed: view !== null,
      viewedUser: view
        ? remotes.find(({ opens }) => opens?.user)?.opens?.user?.replace('{id}', view.userName.replace(/~.*/, ''))
        : undefined,
      isWatch,
      isVisitor,
      isSaved,
      form: isVisitor && !isLanding ? this.formAt(path) : null,
      // Without a session the sign-in comes first.
      isMissing: !isKnown && (me !== null || isLanding),
      hasView: remote !== undefined && has(remote) && !view && request.method === 'GET',
    };
  }

  /** State of a caller without a known session: the hosted service is sure only once clerk-js has run. */
  private isSignedOut({ cookies }: FastifyRequest): boolean {
    const isMark = ([name, value]: [string, string | undefined]) => name.startsWith('__client_uat') && value !== '0';
    return this.identity.proxyUrl !== undefined || !Object.entries(cookies).some(isMark);
  }

  /** The form that a page shows first to who is signed out: an invitation a new account, others the sign-in. */
  private formAt(path: string): FormName | null {
    const { signInUrl, signUpUrl } = this.identity;
    if (path === signUpUrl || path === INVITATION_PATH) return 'sign-up';
    const leads = !this.isForm(path) && !isPublicPage(path) && watchBase(path) === undefined;
    return path === signInUrl || leads ? 'sign-in' : null;
  }
}
