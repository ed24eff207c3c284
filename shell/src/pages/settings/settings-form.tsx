import { LANGUAGE_NAMES, LANGUAGES, useTranslation, type Language } from '@pool/shared/i18n';
import { Button, useToasts, PageHeader, Panel } from '@pool/shared/ui/core';
import { Radio, Switch } from '@pool/shared/ui/form';
import common from '@pool/shared/ui/common.module.css';
import { useId, type ReactNode } from 'react';
import { CHOICES, isStored, type ChosenSettings } from '../../settings/settings';
import { useSettingsStore } from '../../settings/settings-context';
import { ColorSetting } from './color-setting';
import styles from './settings-form.module.css';
import { usePageTitle } from '@pool/shared/remote';
import preview from './preview.module.css';

/** Every setting; each is in effect as soon as it is chosen. */
export function SettingsForm() {
  const { t, i18n } = useTranslation();
  const toasts = useToasts();
  const { reset } = useSettingsStore();
  return (
    <div className={styles.form}>
      <Group title={t('settings.look')}>
        <Choice name="mode" />
        <ColorSetting />
        <Choice name="skin" />
      </Group>
      <Group title={t('settings.layout')}>
        <Choice name="lastLayout" />
        <Choice name="verticalNavToggleType" />
        <Choice name="contentWidth" />
        <Choice name="appBar" />
        <Toggle name="appBarBlur" />
        <Toggle name="navCollapsed" />
        <Toggle name="navHidden" />
        <Choice name="footer" />
        <Choice name="toastPosition" />
        <Button size="small" onClick={() => toasts.info(t('settings.toastSample'))}>
          {t('settings.toastShow')}
        </Button>
      </Group>
      <Group title={t('settings.region')}>
        <Radios
          label={t('settings.language')}
          value={i18n.resolvedLanguage ?? 'en'}
          options={LANGUAGES.map((code) => ({ value: code, label: <span lang={code}>{LANGUAGE_NAMES[code]}</span> }))}
          onChange={(code) => void i18n.changeLanguage(code as Language)}
        />
        <Choice name="direction" />
        <Choice name="timeZone" />
        <Choice name="currency" />
      </Group>
      <Button
        onClick={() => {
          reset();
          toasts.success(t('settings.resetDone'));
        }}
      >
        {t('settings.reset')}
      </Button>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id} className={common.heading}>
        {title}
      </h2>
      {children}
    </section>
  );
}

type Option = { value: string; label: ReactNode };
type RadiosProps = { label: string; note?: ReactNode; value: string; options: Option[]; onChange(value: string): void };

/** That the setting is not kept, where it is set. */
function Note({ name }: { name: keyof ChosenSettings }) {
  const { t } = useTranslation();
  return !isStored(name) && <span className={common.hint}>{t('settings.notKept')}</span>;
}

function Radios({ label, note, value, options, onChange }: RadiosProps) {
  const id = useId();
  return (
    <div className={styles.setting}>
      <div className={styles.head}>
        <span id={id} className={common.label}>
          {label}
        </span>
        {note}
      </div>
      <Radio.Group
        aria-labelledby={id}
        className={styles.options}
        value={value}
        options={options}
        onChange={({ target }) => onChange(String(target.value))}
      />
    </div>
  );
}

function Choice({ name }: { name: keyof typeof CHOICES }) {
  const { t } = useTranslation();
  const { chosen, settings, change } = useSettingsStore();
  return (
    <Radios
      label={t(`settings.${name}`)}
      note={<Note name={name} />}
      value={name === 'direction' ? settings.direction : chosen[name]}
      options={CHOICES[name].map((value) => {
        const text = t(`settings.${name}.${value}`);
        return {
          value,
          label: isDrawn(name) ? (
            <span className={styles.drawn}>
              <Preview name={name} value={value} />
              <span>{text}</span>
            </span>
          ) : (
            text
          ),
        };
      })}
      onChange={(value) => change({ [name]: value } as Partial<ChosenSettings>)}
    />
  );
}

function Toggle({ name }: { name: 'appBarBlur' | 'navCollapsed' | 'navHidden' }) {
  const { t } = useTranslation();
  const { chosen, change } = useSettingsStore();
  const id = useId();
  return (
    <div className={styles.toggle}>
      <Switch aria-labelledby={id} checked={chosen[name]} onChange={(on) => change({ [name]: on })} />
      <span id={id}>{t(`settings.${name}`)}</span>
      <Note name={name} />
    </div>
  );
}

/** `/pages/account-settings/account`: every setting, in effect at once. */
export default function SettingsPage() {
  const { t } = useTranslation();
  const title = t('settings.nav');
  usePageTitle(title);
  return (
    <>
      <PageHeader title={title} sub={t('settings.sub')} />
      <Panel>
        <SettingsForm />
      </Panel>
    </>
  );
}

/** Settings whose values are drawn as a small page. */
const DRAWN = ['mode', 'skin', 'lastLayout', 'contentWidth', 'appBar', 'footer', 'toastPosition'] as const;

const isDrawn = (name: string): boolean => (DRAWN as readonly string[]).includes(name);

/** A small page with one setting at a value; what it shows is in `preview.module.css`. */
function Preview({ name, value }: { name: string; value: string }) {
  // Colours of each mode, whichever the page itself has.
  const mode = name === 'mode' && value !== 'system' ? value : undefined;
  return (
    <span
      className={preview.page}
      data-setting={`${name} ${value}`}
      data-mode={mode?.replace('semi-dark', 'light')}
      aria-hidden
    >
      <i className={preview.bar} />
      <i className={preview.nav} data-mode={mode?.replace('semi-', '')} />
      <i className={preview.body} />
      <i className={preview.foot} />
      <i className={preview.toast} />
    </span>
  );
}
