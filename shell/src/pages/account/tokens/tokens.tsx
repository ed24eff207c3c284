import { useTranslation } from '@pool/shared/i18n';
import { Button } from '@pool/shared/ui/core';
import { useMayEdit } from '@pool/shared/ui/form';
import { useState, type ReactNode } from 'react';
import { ShownOnce } from '../parts';
import type { MadeToken, TokenKind } from './kinds';
import { NewTokenDialog } from './new-token-dialog';
import { TokenList } from './token-list';

/** `shown`: what is done with a new token, which is shown this once. */
export function Tokens({ kind, shown }: { kind: TokenKind; shown(made: MadeToken): ReactNode }) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('access');
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
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
        <ShownOnce
          title={made.name}
          said={t(`account.${kind.name}.once`)}
          done={t('account.token.done')}
          onClose={() => setMade(null)}
        >
          {shown(made)}
        </ShownOnce>
      )}
    </>
  );
}
