import { useTranslation } from '@pool/shared/i18n';
import { Panel } from '@pool/shared/ui/core';
import { ActionButton } from '@pool/shared/ui/form';
import { WaitingChanges } from '@pool/shared/ui/waiting';
import { useState } from 'react';
import common from '@pool/shared/ui/common.module.css';
import { InvitationLink } from '../parts';
import { ORGANIZATION, type Organization } from './queries';

/** What waits in the organization; the link of an invitation is shown to the one who confirms it. */
export function Waiting() {
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <WaitingChanges onLink={setLink} />
      {link !== null && <InvitationLink link={link} onClose={() => setLink(null)} />}
    </>
  );
}

/** Whether owners confirm one another's changes; it takes two of them. */
export function SecondOwner({ organization: { secondOwner, members } }: { organization: Organization }) {
  const { t } = useTranslation();
  const alone = members.filter(({ role }) => role === 'owner').length < 2;
  return (
    <Panel stacked title={t('account.org.second')}>
      <p className={common.hint}>{t('account.org.secondWhat')}</p>
      {alone && <p className={common.hint}>{t('account.org.secondAlone')}</p>}
      <div className={common.buttons}>
        <ActionButton
          disabled={alone && !secondOwner}
          text={t(secondOwner ? 'account.org.secondOff' : 'account.org.secondOn')}
          send={(api) => api('PUT /organization/secondOwner', { body: { wanted: !secondOwner } })}
          said={() => t(secondOwner ? 'account.org.secondSaidOff' : 'account.org.secondSaidOn')}
          reads={[ORGANIZATION]}
        />
      </div>
    </Panel>
  );
}
