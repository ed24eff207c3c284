import type { Answer, ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, DASH, Notice, Panel, Quantity, TimeAgo, useFormat } from '@pool/shared/ui/core';
import { Problem, Switch, useFormMutation } from '@pool/shared/ui/form';
import { PlainTable } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import type { ReactNode } from 'react';
import parts from '../../parts/parts.module.css';

export type Remote = Answer<'GET /admin/system'>['remotes'][number];
type Version = Remote['versions'][number];
export type Flag = NonNullable<Remote['flags']>[number];

function MoveLine({ move: { at, who, what, to, commit, why } }: { move: Remote['history'][number] }) {
  const { t } = useTranslation();
  return (
    <>
      <bdi>{who}</bdi> · {t(`admin.system.move.${what}`)} <bdi dir="ltr">{to.canary?.version ?? to.version}</bdi> ·{' '}
      <TimeAgo at={Date.parse(at) / 1000} />
      {commit && (
        <>
          {' '}
          · <bdi dir="ltr">{commit}</bdi>
        </>
      )}
      {why && (
        <>
          {' '}
          · <bdi>{why}</bdi>
        </>
      )}
    </>
  );
}

/** The last move, which opens to those before it. */
function Moves({ history: [last, ...before] }: Pick<Remote, 'history'>) {
  if (!last) return DASH;
  if (before.length === 0) return <MoveLine move={last} />;
  return (
    <details>
      <summary>
        <MoveLine move={last} />
      </summary>
      {before.map((move) => (
        <div key={move.at}>
          <MoveLine move={move} />
        </div>
      ))}
    </details>
  );
}

/** The served versions first, then others that browsers still mount. */
function shownVersions({ version, canary, versions }: Remote): Version[] {
  const served = [version, canary?.version];
  const isServed = (each: Version) => served.includes(each.version);
  const isUsed = (each: Version) => !isServed(each) && (each.figures?.mounts ?? 0) > 0;
  const at = (each: Version) => served.indexOf(each.version);
  return [...versions.filter(isServed).sort((a, b) => at(a) - at(b)), ...versions.filter(isUsed)];
}

function Errors({ figures, rate }: Pick<Version, 'figures'> & { rate: string | null }) {
  const { count } = useFormat();
  if (!figures) return <span>{DASH}</span>;
  const share = <span>{[count(figures.faulty), rate].filter(Boolean).join(' · ')}</span>;
  if (figures.errors.length === 0) return share;
  return (
    <details>
      <summary>{share}</summary>
      {figures.errors.map(({ kind, message, count: times }) => (
        <div key={`${kind} ${message}`} dir="ltr" className={common.quiet}>
          {times} × {kind}: {message}
        </div>
      ))}
    </details>
  );
}

type SwitchedProps<Key extends string> = {
  items: readonly { key: Key; isOn: boolean; label: string; text: ReactNode }[];
  send: (api: ApiClient, key: Key, isOn: boolean) => Promise<unknown>;
};

/** What an admin switches on and off for a remote. */
function Switched<Key extends string>({ items, send }: SwitchedProps<Key>) {
  const change = useFormMutation({
    send: (api, { key, isOn }: { key: Key; isOn: boolean }) => send(api, key, isOn),
    reads: [['admin'], ['remotes']],
  });
  return (
    <>
      {items.map(({ key, isOn, label, text }) => (
        <div key={key} className={parts.switch}>
          <Switch
            checked={isOn}
            loading={change.isPending && change.variables.key === key}
            aria-label={label}
            onChange={(on) => change.mutate({ key, isOn: on })}
          />
          {text}
        </div>
      ))}
      <Problem error={change.error} />
    </>
  );
}

/** What the remote brings to pages of the pool. */
function Slots({ remote: { name, slots = [] } }: { remote: Remote }) {
  const { t } = useTranslation();
  const items = slots.map(({ place, off }) => {
    const text = t(`admin.system.slot.${place}`);
    return { key: place, isOn: !off, label: `${name}: ${text}`, text };
  });
  return (
    <Switched
      items={items}
      send={(api, place, isOn) =>
        api('PUT /admin/remotes/{name}/slots', { params: { name }, body: { place, off: !isOn } })
      }
    />
  );
}

/** What the remote's code asks besides the pool. */
function Connect({ remote: { name, connect = [] } }: { remote: Remote }) {
  const items = connect.map(({ origin, allowed }) => ({
    key: origin,
    isOn: allowed,
    label: `${name}: ${origin}`,
    text: (
      <span dir="ltr" className={parts.address}>
        {origin}
      </span>
    ),
  }));
  return (
    <Switched
      items={items}
      send={(api, origin, allowed) =>
        api('PUT /admin/remotes/{name}/connect', { params: { name }, body: { origin, allowed } })
      }
    />
  );
}

/** Parts of the remote that are on for some users, each with for whom. */
function Flags({ flags = [], onChange }: Pick<Remote, 'flags'> & { onChange(flag: string): void }) {
  const { t } = useTranslation();
  return flags.map(({ flag, users }) => (
    <div key={flag} className={parts.switch}>
      <Button size="small" aria-label={`${t('admin.system.flag-save')} ${flag}`} onClick={() => onChange(flag)}>
        {users === null ? t('admin.system.flag-all') : t('admin.system.flag-some', { count: users.length })}
      </Button>
      <span dir="ltr" className={parts.address}>
        {flag}
      </span>
    </div>
  ));
}

/** The deployed remotes: how each version does in browsers, beside the others, and the moves of the pointer. */
export function RemotesPanel({
  remotes,
  faults,
  onSwitch,
  onFlag,
}: {
  remotes: readonly Remote[];
  faults: Answer<'GET /admin/system'>['remoteFaults'];
  onSwitch(name: string): void;
  onFlag(name: string, flag: string): void;
}) {
  const { t } = useTranslation();
  const { count, percent } = useFormat();
  const title = (key: string) => ({ key, title: t(`admin.system.${key}`) });
  const rows = remotes.flatMap((remote) =>
    shownVersions(remote).map((version, index) => ({ remote, ...version, isFirst: index === 0 })),
  );
  return (
    <Panel title={t('admin.system.remotes')} padded={false}>
      {faults.length > 0 && (
        <Notice tone="bad" state="failed">
          <span>{t('admin.system.remote-faults')}</span>
          {faults.map(({ what, why }) => (
            <div key={what} dir="ltr" className={common.quiet}>
              {what}: {why}
            </div>
          ))}
        </Notice>
      )}
      <PlainTable
        padded
        className={parts.wide}
        label={t('admin.system.remotes')}
        columns={[
          { ...title('remote'), render: ({ remote }) => remote.name },
          {
            ...title('version'),
            render: ({ version, isFirst, remote: { canary, budget } }) => (
              <>
                <bdi dir="ltr">{version}</bdi>
                {isFirst && budget !== null && <> · {t('admin.system.budget', { n: budget })}</>}
                {canary?.version === version && (
                  <>
                    {' '}
                    · {t('admin.system.canary')} <bdi dir="ltr">{canary.percent} %</bdi>
                  </>
                )}
              </>
            ),
          },
          { ...title('mounts'), render: ({ figures }) => (figures ? count(figures.mounts) : DASH) },
          {
            ...title('with-errors'),
            render: ({ figures }) => (
              <Errors figures={figures} rate={figures?.faulty ? percent(figures.faulty / figures.mounts, 1) : null} />
            ),
          },
          {
            ...title('p95'),
            render: ({ figures }) =>
              figures?.p95Ms == null ? DASH : <Quantity value={count(figures.p95Ms)} unit="ms" />,
          },
          {
            ...title('slots'),
            render: ({ remote, isFirst }) =>
              isFirst && (
                <div className={parts.switches}>
                  <Slots remote={remote} />
                  <Connect remote={remote} />
                  <Flags flags={remote.flags} onChange={(flag) => onFlag(remote.name, flag)} />
                </div>
              ),
          },
          { ...title('switched'), render: ({ remote, isFirst }) => isFirst && <Moves history={remote.history} /> },
          {
            ...title('there'),
            render: ({ remote: { name, versions }, isFirst }) =>
              isFirst && (
                <Button
                  size="small"
                  disabled={versions.length < 2}
                  aria-label={`${t('admin.system.switch')} ${name}`}
                  onClick={() => onSwitch(name)}
                >
                  {t('admin.system.switch')} ({versions.length})
                </Button>
              ),
          },
        ]}
        rows={rows}
        rowKey={({ remote, version }) => `${remote.name} ${version}`}
      />
    </Panel>
  );
}
