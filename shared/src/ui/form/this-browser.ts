/** What the pool pushes to this browser: set on the account page, and on the page of a first run. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer, ApiClient } from '../../api/client';
import type { TelegramEvent } from '../../api/contract';
import type { Language } from '../../i18n/languages';

export { STOPPED } from '../../domain/telegram';

export const pushQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => api('GET /push', { signal }) });

async function pushManager(): Promise<PushManager | null> {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  const registration = await serviceWorker?.getRegistration();
  return (registration as Partial<ServiceWorkerRegistration> | undefined)?.pushManager ?? null;
}

/** Name of a browser at the server: SHA-256 of its endpoint in base64url. */
async function nameOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Whether this browser can show notifications of closed pages, and the name of its subscription. */
export const browserQuery = queryOptions({
  queryKey: ['push', 'browser'],
  queryFn: async () => {
    const manager = await pushManager();
    const own = await manager?.getSubscription();
    return {
      can: manager !== null,
      denied: manager !== null && Notification.permission === 'denied',
      name: own ? await nameOf(own) : null,
    };
  },
});

/** Subscribes this browser to these events; to none: ends it. */
export async function setBrowser(
  api: ApiClient,
  { publicKey, subscriptions }: Answer<'GET /push'>,
  language: Language,
  events: TelegramEvent[],
): Promise<void> {
  const manager = await pushManager();
  if (!manager || publicKey === null) return;
  let own = await manager.getSubscription();
  const name = own && (await nameOf(own));
  const known = subscriptions.find(({ browser }) => browser === name);
  if (events.length === 0) {
    await own?.unsubscribe();
    if (known) await api('DELETE /push/{id}', { params: { id: known.id } });
    return;
  }
  // It may be of another key, or of somebody else who used this browser.
  if (own && !known) {
    await own.unsubscribe();
    own = null;
  }
  if ((await Notification.requestPermission()) !== 'granted') return;
  own ??= await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = own.toJSON();
  await api('POST /push', { body: { endpoint, p256dh, auth, language, events } });
}
