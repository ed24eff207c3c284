import { useTranslation } from '@pool/shared/i18n';
import { Button, Notice } from '@pool/shared/ui/core';
import { useMayEdit } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState, type ReactNode } from 'react';
import type { MadeToken, TokenKind } from './kinds';
import { NewTokenDialog } from './new-token-dialog';
import { TokenList } from './token-list';
import styles from '../form.module.css';

/** `shown`: what is done with a new token, which is shown this once. */
export function Tokens({ kind, shown }: { kind: TokenKind; shown(made: MadeToken): ReactNode }) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('access');
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  const done = () => setMade(null);
  return (
    <>
      <TokenList
        kind={kind}
        extra={
          mayEdit && (
            <Button type="primary" onClick={() => setMaking(true)}>
              {t(`account.${kind.name}.new`)}
            </Button>
          )
        }
      />
      {making && (
        <NewTokenDialog
          kind={kind}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made && (
        // It is shown this once: a click beside the dialog does not close it.
        <Modal
          open
          centered
          mask={{ closable: false }}
          title={made.name}
          footer={<Button onClick={done}>{t('account.token.done')}</Button>}
          onCancel={done}
        >
          <div className={styles.stack}>
            <div role="status">
              <Notice tone="info" state="final">
                {t(`account.${kind.name}.once`)}
              </Notice>
            </div>
            {shown(made)}
          </div>
        </Modal>
      )}
    </>
  );
}
