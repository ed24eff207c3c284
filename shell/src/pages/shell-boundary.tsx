import { Component, type ReactNode } from 'react';
import { useTranslation } from '@pool/shared/i18n';
import { isMissingFile } from '@pool/shared/remote';
import { Button } from '@pool/shared/ui/core';
import { report } from '../report';
import { MessagePage } from './message-page';

const RELOADED_KEY = 'reloaded-after-deploy';

/**
 * After a deploy an open page may request files that no longer exist: one reload fixes that, a second would not help.
 */
function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED_KEY)) return false;
    sessionStorage.setItem(RELOADED_KEY, '1');
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** Catches errors of the shell itself. Errors of a remote are caught by its outlet. */
export class ShellBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    if (isMissingFile(error) && reloadOnce()) return;
    report(error);
  }

  override render() {
    return this.state.error ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { t } = useTranslation();
  return (
    <main>
      <MessagePage title={t('shell.broken')} text={t('shell.brokenText')}>
        <Button type="primary" onClick={() => location.reload()}>
          {t('shell.reload')}
        </Button>
      </MessagePage>
    </main>
  );
}
