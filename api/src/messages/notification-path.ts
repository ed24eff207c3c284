/** The page that a click on a notification opens. */
import type { Notification } from '@pool/shared/api/contract';
import type { RemoteManifest } from '@pool/shared/contract';
import { accountPath } from '@pool/shared/shell-pages';

type Note = Pick<Notification, 'kind' | 'values'>;

/** Pages of the shell. */
const OWN = {
  'two_step_*': accountPath('security'),
  'passkey_*': accountPath('security'),
  'sign_in_*': accountPath('security'),
  'email_*': accountPath('profile'),
  'recovery_*': accountPath('security'),
  pool_hold_off: accountPath('security'),
  'organization_*': accountPath('organization'),
  mail_refused: accountPath('profile'),
  push_ended: accountPath('alerts'),
  telegram_stopped: accountPath('alerts'),
  telegram_refused: accountPath('alerts'),
  webhook_stopped: accountPath('api-keys'),
};

const fits = (key: string, kind: string): boolean =>
  key.endsWith('*') ? kind.startsWith(key.slice(0, -1)) : kind === key;

/** Path and query of that page, by the manifests of these remotes; null: none of them has one. */
export function pathOf(
  { kind, values }: Note,
  remotes: readonly Pick<RemoteManifest, 'notifications'>[],
): string | null {
  const pages = [OWN, ...remotes.map(({ notifications }) => notifications)].flatMap((each) =>
    Object.entries(each ?? {}),
  );
  const [, page] = pages.filter(([key]) => fits(key, kind)).sort(([a], [b]) => b.length - a.length)[0] ?? [];
  if (page === undefined) return null;
  const [path = '', query] = page
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    .split('?');
  const params = new URLSearchParams(query);
  for (const [name, value] of [...params]) if (value === '') params.delete(name);
  if (values.account !== undefined) params.set('account', String(values.account));
  return params.size > 0 ? `${path}?${params}` : path;
}
