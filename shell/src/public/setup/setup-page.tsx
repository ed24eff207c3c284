import { ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { Link, useUrlState } from '@pool/shared/router';
import { CopyField, PageHeader, Panel, QueryState, Search, Skeleton } from '@pool/shared/ui/core';
import { Input } from '@pool/shared/ui/form';
import { useState } from 'react';
import { publicApi } from '../api';
import { MODELS, SCREENS, isByAnalogy, type Screen, type What } from './models';
import styles from './setup.module.css';

const named = (form: RegExp) => (text: string | null) => (text && form.test(text) ? text : undefined);
/** `?model=s19`; of a user: `&user=northfield.rig-01`, and `&port=` for a port of their own. */
const PLACE = {
  model: named(/^[a-z0-9-]{1,20}$/),
  user: named(/^[\w.-]{1,100}$/),
  account: named(/^[\w-]{1,32}$/),
  port: named(/^\d{1,5}$/),
};

/** `/pages/setup`: for each model of miner the screen, its fields and what is typed into them. */
export default function SetupPage() {
  const { t } = useTranslation();
  const [place, , searchOf] = useUrlState(PLACE);
  const query = useQuery({
    queryKey: ['poolConnection'],
    queryFn: ({ signal }) => publicApi('GET /poolConnection', { signal }),
  });
  const [search, setSearch] = useState('');
  const wanted = search.toLowerCase().split(/\s+/);
  const found = MODELS.filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)));
  const model = MODELS.find(({ id }) => id === place.model);
  const known = query.data?.find(({ algorithm }) => algorithm === model?.algorithm);
  const port = place.port ?? String(known?.port);
  const values: Record<What, string> = {
    url: `stratum+tcp://${known?.host}:${port}`,
    host: String(known?.host),
    port,
    user: place.user ?? `${place.account ?? t('setup.account')}.rig-01`,
    password: 'x',
  };
  return (
    <>
      <PageHeader title={t('public.setup')} sub={t('setup.sub')} />
      <div className={styles.page}>
        <nav aria-label={t('setup.models')} className={styles.choice}>
          <Input
            type="search"
            allowClear
            prefix={<Search />}
            placeholder={t('setup.search')}
            aria-label={t('setup.search')}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          {found.length === 0 && <p className={styles.note}>{t('setup.notFound')}</p>}
          <ul className={styles.models}>
            {found.map(({ id, name, algorithm }) => (
              <li key={id}>
                <Link
                  to={{ search: searchOf({ model: id }) }}
                  replace
                  aria-current={id === model?.id ? 'true' : undefined}
                >
                  <bdi>{name}</bdi>
                  {algorithm === 'SCRYPT' && <small>{ALGORITHMS[algorithm].label}</small>}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {model ? (
          <Panel title={model.name} extra={ALGORITHMS[model.algorithm].label}>
            <QueryState query={query}>
              <Skeleton height={280} />
            </QueryState>
            {known && <Steps screen={SCREENS[model.screen]} values={values} />}
            <p className={styles.note}>{t(isByAnalogy(model) ? 'setup.analogy' : 'setup.differs')}</p>
          </Panel>
        ) : (
          <p className={styles.note}>{t('setup.choose')}</p>
        )}
      </div>
    </>
  );
}

function Steps({ screen, values }: { screen: Screen; values: Record<What, string> }) {
  const { at, menu, fields, save, restart } = screen;
  const { t } = useTranslation();
  return (
    <ol className={styles.steps}>
      <li>
        <span>{'wifi' in at ? t('setup.wifi', at) : t('setup.browser')}</span>{' '}
        {'sign' in at && at.sign && (
          <span>{t('setup.sign', { user: at.sign[0], password: at.sign[1] || t('setup.none') })}</span>
        )}
      </li>
      <li>
        {t('setup.open')} <b dir="ltr">{menu.join(' › ')}</b>
      </li>
      <li>
        {t('setup.type')}
        <div className={styles.fields}>
          {fields.map(([label, what]) => (
            <CopyField key={label} showLabel label={label} value={values[what]} />
          ))}
        </div>
        <p className={styles.note}>{t('setup.nameHelp')}</p>
      </li>
      <li>
        {t('setup.press')} <b dir="ltr">{restart ? `${save}, ${restart}` : save}</b>
      </li>
    </ol>
  );
}
