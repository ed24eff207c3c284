import { useTranslation } from '@pool/shared/i18n';
import { useAbility } from '@pool/shared/remote';
import { MenuIcon, useMediaQuery, usePhone } from '@pool/shared/ui/core';
import type { Picker, PoolAbility } from '@pool/shared';
import { AccountPicker, type AccountPickerProps } from './account-picker';
import { AlgorithmPicker, type AlgorithmPickerProps } from './algorithm-picker';
import { Brand } from '../brand';
import { FreshnessControl } from './freshness-control';
import { LanguageSwitch } from './language-switch';
import { ModeSwitch } from './mode-switch';
import { Notifications } from './notifications';
import { SearchButton } from './search-button';
import { UserMenu, type UserMenuProps } from './user-menu';
import { PlaceName } from '../../session/place';
import styles from './app-bar.module.css';

export type AppBarProps = AccountPickerProps &
  AlgorithmPickerProps &
  UserMenuProps & {
    /** Those that mean something on the page. */
    pickers?: readonly Picker[];
    demo: boolean;
    position: 'fixed' | 'static';
    blur: boolean;
    /** No navigation beside the page has it. */
    withBrand: boolean;
    /** Opens the navigation's drawer; absent where there is none. */
    onMenu: (() => void) | undefined;
  };

const ALL_PICKERS: readonly Picker[] = ['account', 'algorithm'];

export function AppBar(props: AppBarProps) {
  const { t } = useTranslation();
  const ability = useAbility<PoolAbility>();
  const phone = usePhone();
  // Else the switches of language and theme are in the user menu.
  const roomy = useMediaQuery('(min-width: 720px)');
  const tiny = useMediaQuery('(max-width: 359px)');
  const wide = useMediaQuery('(min-width: 1200px)');
  const widest = useMediaQuery('(min-width: 1440px)');
  const tight = useMediaQuery('(max-width: 899px)');
  const { pickers: wanted = ALL_PICKERS } = props;
  const withAccounts = wanted.includes('account') && ability.can('read', 'sub-account-list');
  const pickers = (
    <>
      {withAccounts && <AccountPicker {...props} personName={props.person.userName} />}
      {!withAccounts && props.place && (
        <span className={styles.chip}>
          <PlaceName place={props.place} />
        </span>
      )}
      {wanted.includes('algorithm') && ability.can('read', 'algorithm-list') && <AlgorithmPicker {...props} />}
    </>
  );
  return (
    <header className={styles.bar} data-app-bar="" data-position={props.position} data-blur={props.blur}>
      <div className={styles.row}>
        {props.onMenu && (
          <button
            type="button"
            className={styles.button}
            aria-label={t('nav.open')}
            title={t('nav.open')}
            aria-haspopup="dialog"
            onClick={props.onMenu}
          >
            <MenuIcon size={20} />
          </button>
        )}
        {/* On a phone there is room for the name or for the mark of a demo. */}
        {props.withBrand && <Brand short={!wide && (!phone || tiny || props.demo)} />}
        {!phone && <div className={styles.pickers}>{pickers}</div>}
        <div className={styles.end}>
          {props.demo && (
            <span className={styles.demo} title={t('shell.demoTitle')}>
              {t(tight ? 'shell.demoShort' : 'shell.demo')}
            </span>
          )}
          <SearchButton short={!widest} />
          <FreshnessControl short={tight} />
          {roomy && <LanguageSwitch />}
          {roomy && <ModeSwitch />}
          <Notifications />
          <UserMenu {...props} withSwitches={!roomy} />
        </div>
      </div>
      {phone && <div className={styles.pickerRow}>{pickers}</div>}
    </header>
  );
}
