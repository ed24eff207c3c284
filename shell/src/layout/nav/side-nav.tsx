import { type AlgorithmName, ALGORITHMS } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { ChevronRight, NavTheme, PanelLeft, PanelLeftClose, X, useFormat } from '@pool/shared/ui/core';
import { useQuery } from '@pool/shared/query';
import { poolStatisticsQuery, useApi, useBtcPrice } from '@pool/shared/remote';
import type { ReactNode } from 'react';
import { linksIn, type NavGroup } from '../../remotes/registry';
import { Brand } from '../brand';
import { NavGlyph, NavLink, type NavLinkProps } from './nav-link';
import styles from './side-nav.module.css';

/** The pool's figures under the navigation. A figure that cannot be loaded is left out, never shown as zero; so is a price that nobody has set. */
function PoolFacts({ algorithm }: { algorithm: AlgorithmName }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pool = useQuery(poolStatisticsQuery(useApi()));
  const btc = useBtcPrice();
  const mine = pool.data?.find((row) => row.algo === algorithm);
  const hashrate = mine && format.hashrate(mine.hashrate);
  const { priceUnit } = ALGORITHMS[algorithm];
  return (
    <dl className={styles.facts}>
      {hashrate && (
        <Fact title={t('pool.hashrate')}>
          {hashrate.value} <span className={styles.unit}>{hashrate.unit}</span>
        </Fact>
      )}
      {mine?.priceSet && (
        <Fact title={t('pool.hashprice')}>
          {format.price(mine.priceBtc)} <span className={styles.unit}>BTC/{priceUnit.replace('/s', '')}</span>
        </Fact>
      )}
      {btc.data?.at && <Fact title={t('pool.btcPrice')}>{format.usd(btc.data.price)}</Fact>}
    </dl>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

type GroupProps = NavLinkProps & {
  /** Whether at most one of the groups beside each other is open. */
  accordion: boolean;
};
export type SideNavProps = GroupProps & { main: NavGroup; algorithm: AlgorithmName };

/** `depth`: 0 for the groups of the main one, whose titles are those of sections. */
function Group({ group, depth = 0, ...place }: GroupProps & { group: NavGroup; depth?: number }) {
  const { t } = useTranslation();
  const { title, links, groups } = group;
  const opened =
    groups.find((inner) => linksIn(inner).some(({ path }) => path === place.active)) ?? (depth ? undefined : groups[0]);
  return (
    <>
      <ul>
        {links.map((link) => (
          <li key={link.path}>
            <NavLink link={link} styles={styles} {...place} />
          </li>
        ))}
      </ul>
      {groups.map((inner) => (
        // The browser keeps one of the groups with one name open at a time: first that of the shown page.
        <details key={inner.title} name={place.accordion ? `nav ${title}` : undefined} open={inner === opened}>
          <summary className={depth ? styles.link : styles.section}>
            {inner.icon && <NavGlyph icon={inner.icon} className={styles.icon} />}
            {depth > 0 && <ChevronRight size={18} className={styles.arrow} />}
            <span className={styles.text}>{t(inner.title)}</span>
          </summary>
          <Group group={inner} depth={depth + 1} {...place} />
        </details>
      ))}
    </>
  );
}

type Frame = { kind: 'fixed'; collapsed: boolean; onToggle(): void } | { kind: 'drawer'; onClose(): void };

export function SideNav({ frame, algorithm, main, ...place }: SideNavProps & { frame: Frame }) {
  const { t } = useTranslation();
  const collapsed = frame.kind === 'fixed' && frame.collapsed;
  const [label, Icon, onClick] =
    frame.kind === 'drawer'
      ? ([t('nav.close'), X, frame.onClose] as const)
      : collapsed
        ? ([t('nav.expand'), PanelLeft, frame.onToggle] as const)
        : ([t('nav.collapse'), PanelLeftClose, frame.onToggle] as const);
  return (
    <NavTheme>
      <nav
        aria-label={t('nav.main')}
        className={`${styles.nav} ${frame.kind === 'drawer' ? styles.drawer : ''} ${collapsed ? styles.collapsed : ''}`}
      >
        <div className={styles.head}>
          <Brand />
          <button type="button" className={styles.toggle} aria-label={label} title={label} onClick={onClick}>
            <Icon data-mirrored />
          </button>
        </div>
        <div className={styles.links}>
          <Group group={main} {...place} />
        </div>
        <PoolFacts algorithm={algorithm} />
      </nav>
    </NavTheme>
  );
}
