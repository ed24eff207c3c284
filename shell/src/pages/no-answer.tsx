import { useTranslation } from '@pool/shared/i18n';
import { Button, Message } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { useOnline, useWhenOnline } from '../live/use-online';

type Props = { title: string; text: string; onRetry(): void; children?: ReactNode };

/** The page when a call has no answer. Without a network it says so, and tries again as soon as there is one. */
export function NoAnswer({ title, text, onRetry, children }: Props) {
  const { t } = useTranslation();
  const online = useOnline();
  useWhenOnline(onRetry);
  return (
    <Message title={online ? title : t('live.offline.title')} text={online ? text : t('shell.noNetworkText')}>
      <Button type="primary" onClick={onRetry}>
        {t('remote.retry')}
      </Button>
      {children}
    </Message>
  );
}
