import { useTranslation } from '@pool/shared/i18n';
import { Button, Notice, Panel } from '@pool/shared/ui/core';
import { useMayEdit } from '@pool/shared/ui/form';
import { useState, type ReactNode } from 'react';
import styles from '../form.module.css';
import type { MadeToken, TokenKind } from './kinds';
import { NewTokenForm } from './new-token-form';
import { TokenList } from './token-list';

/** `shown`: what is done with a new token, which is shown this once. */
export function Tokens({ kind, shown }: { kind: TokenKind; shown(made: MadeToken): ReactNode }) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit();
  const [made, setMade] = useState<MadeToken | null>(null);
  if (!mayEdit) return <TokenList kind={kind} />;
  return (
    <>
      <Panel title={made ? <bdi>{made.name}</bdi> : t(`account.${kind.name}.new`)}>
        {made ? (
          <div className={styles.stack}>
            <div role="status">
              <Notice tone="info" state="final">
                {t(`account.${kind.name}.once`)}
              </Notice>
            </div>
            {shown(made)}
            <div className={styles.actions}>
              <Button onClick={() => setMade(null)}>{t('account.token.done')}</Button>
            </div>
          </div>
        ) : (
          <NewTokenForm kind={kind} onMade={setMade} />
        )}
      </Panel>
      <TokenList kind={kind} />
    </>
  );
}
