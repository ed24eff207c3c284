import { useTranslation } from '@pool/shared/i18n';
import { Button, DASH, Panel, Quantity, TimeAgo, useFormat } from '@pool/shared/ui/core';
import type { Remote } from '../../api/system';
import parts from '../../parts/parts.module.css';

type Version = Remote['versions'][number];

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

function VersionCells({ version: { version, figures }, canary }: { version: Version; canary: Remote['canary'] }) {
  const { t } = useTranslation();
  const { count, percent } = useFormat();
  return (
    <>
      <td>
        <bdi dir="ltr">{version}</bdi>
        {canary?.version === version && (
          <>
            {' '}
            · {t('admin.system.canary')} <bdi dir="ltr">{canary.percent} %</bdi>
          </>
        )}
      </td>
      <td>{figures ? count(figures.mounts) : DASH}</td>
      <td>
        <Errors figures={figures} rate={figures?.mounts ? percent(figures.faulty / figures.mounts, 1) : null} />
      </td>
      <td>{figures?.p95Ms == null ? DASH : <Quantity value={count(figures.p95Ms)} unit="ms" />}</td>
    </>
  );
}

function Errors({ figures, rate }: Pick<Version, 'figures'> & { rate: string | null }) {
  const { count } = useFormat();
  if (!figures) return <>{DASH}</>;
  const share = (
    <>
      {count(figures.faulty)}
      {rate !== null && ` · ${rate}`}
    </>
  );
  if (figures.errors.length === 0) return share;
  return (
    <details>
      <summary>{share}</summary>
      {figures.errors.map(({ kind, message, count: times }) => (
        <div key={`${kind} ${message}`} dir="ltr" className={parts.quiet}>
          {times} × {kind}: {message}
        </div>
      ))}
    </details>
  );
}

/** The deployed remotes: how each version does in browsers, beside the others, and the moves of the pointer. */
export function RemotesPanel({ remotes, onSwitch }: { remotes: readonly Remote[]; onSwitch(name: string): void }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('admin.system.remotes')} padded={false}>
      <div className={parts.scroll}>
        <table className={parts.lines} aria-label={t('admin.system.remotes')}>
          <thead>
            <tr>
              <th scope="col">{t('admin.system.remote')}</th>
              <th scope="col">{t('admin.system.version')}</th>
              <th scope="col">{t('admin.system.mounts')}</th>
              <th scope="col">{t('admin.system.with-errors')}</th>
              <th scope="col">{t('admin.system.p95')}</th>
              <th scope="col">{t('admin.system.switched')}</th>
              <th scope="col">{t('admin.system.there')}</th>
            </tr>
          </thead>
          {remotes.map((remote) => (
            <RemoteRows key={remote.name} remote={remote} onSwitch={onSwitch} />
          ))}
        </table>
      </div>
    </Panel>
  );
}

function RemoteRows({ remote, onSwitch }: { remote: Remote; onSwitch(name: string): void }) {
  const { t } = useTranslation();
  const { name, canary, versions, history } = remote;
  const [first, ...others] = shownVersions(remote);
  const rowSpan = others.length + 1;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" rowSpan={rowSpan}>
          {name}
        </th>
        {first && <VersionCells version={first} canary={canary} />}
        <td rowSpan={rowSpan}>
          <Moves history={history} />
        </td>
        <td rowSpan={rowSpan}>
          <Button
            size="small"
            disabled={versions.length < 2}
            aria-label={`${t('admin.system.switch')} ${name}`}
            onClick={() => onSwitch(name)}
          >
            {t('admin.system.switch')} ({versions.length})
          </Button>
        </td>
      </tr>
      {others.map((version) => (
        <tr key={version.version}>
          <VersionCells version={version} canary={canary} />
        </tr>
      ))}
    </tbody>
  );
}
