import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { useServices } from '../../../react/services';
import { changeParams } from '../../../react/url-state';
import { ACCOUNT_PARAM } from '../../../routes/selection';
import { Panel } from './panel';
import { Empty } from './states';

const NAMES = { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '12px 24px' } as const;

/** Leads to the page of each sub-account, in place of a page that is of one, while all are chosen. */
export function ChooseAccount() {
  const { t } = useTranslation();
  const { accounts } = useServices().session;
  const [params] = useSearchParams();
  return (
    <Panel>
      <Empty
        title={t('ui.oneAccount')}
        action={
          <span style={NAMES}>
            {accounts?.map((name) => (
              <Link key={name} to={{ search: String(changeParams(params, { [ACCOUNT_PARAM]: name })) }}>
                <bdi>{name}</bdi>
              </Link>
            ))}
          </span>
        }
      />
    </Panel>
  );
}
