import type { PoolAbility } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useAbility, useApi } from '@pool/shared/remote';
import { CopyButton, CopyField, Panel, Segmented } from '@pool/shared/ui/core';
import { useState } from 'react';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { hooksQuery } from '../webhooks/queries';
import { Webhooks } from '../webhooks/webhooks';
import { API_KEYS, curlOf, tokensQuery, type MadeToken } from './kinds';
import { SAMPLES } from './samples';
import { Tokens } from './tokens';

/** What programs of the user's are given: keys to ask with, and webhooks that they are told by. */
export default function ApiKeysTab() {
  const hasKeys = useAbility<PoolAbility>().can('read', 'access');
  const api = useApi();
  const keys = useQuery({ ...tokensQuery(api, API_KEYS), enabled: hasKeys });
  const hooks = useQuery(hooksQuery(api));
  const waitsForKeys = hasKeys && keys.isPending;
  // What stands below a list comes after it: it would move.
  return (
    <>
      {hasKeys && <Tokens kind={API_KEYS} shown={(made) => <Key made={made} />} />}
      {!waitsForKeys && <Webhooks />}
      {hasKeys && !waitsForKeys && !hooks.isPending && <Samples />}
    </>
  );
}

type Name = keyof typeof SAMPLES;
const NAMES = Object.keys(SAMPLES) as Name[];

function Samples() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<Name>('curl');
  const text = SAMPLES[shown](location.origin);
  return (
    <Panel stacked title={t('account.samples.title')} extra={<CopyButton label={shown} value={text} />}>
      <Segmented<Name>
        aria-label={t('account.samples.title')}
        options={NAMES.map((name) => ({ value: name, label: name }))}
        value={shown}
        onChange={setShown}
      />
      <p className={common.hint}>{t(`account.samples.${shown}`)}</p>
      <pre className={styles.code} dir="ltr" tabIndex={0} aria-label={shown}>
        {text}
      </pre>
      <p className={common.hint}>
        <a href="/api/docs">{t('account.apiKeys.docs')}</a>
      </p>
    </Panel>
  );
}

function Key({ made: { token, scopes } }: { made: MadeToken }) {
  const { t } = useTranslation();
  return (
    <div className={common.stack}>
      <CopyField showLabel size="large" label={t('account.apiKeys.key')} value={token} />
      <CopyField showLabel label={t('account.apiKeys.example')} value={curlOf(location.origin, token, scopes)} />
      <p className={common.hint}>
        <a href="/api/docs">{t('account.apiKeys.docs')}</a>
      </p>
    </div>
  );
}
