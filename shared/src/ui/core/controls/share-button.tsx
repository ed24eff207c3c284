import { Share2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from './button';

/** Not on the server, and not in every browser. */
export const canShare = (): boolean => globalThis.navigator?.share !== undefined;

/** Hands `text` or `url` to another app, where the browser can: on a phone instead of a QR code. */
export function ShareButton({ text, url, icon = false }: { text?: string; url?: string; icon?: boolean }) {
  const { t } = useTranslation();
  if (!canShare()) return null;
  return (
    <Button
      type={icon ? 'text' : 'default'}
      size="large"
      icon={<Share2 />}
      aria-label={t('ui.share')}
      // Rejected when the user closes the sheet.
      onClick={() => void navigator.share({ text, url }).catch(() => undefined)}
    >
      {icon ? null : t('ui.share')}
    </Button>
  );
}
