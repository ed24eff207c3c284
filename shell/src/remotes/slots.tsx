import { partsAt, type PoolAbility, type RemoteManifest, type SlotOffer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility, useServices } from '@pool/shared/remote';
import { Button, Skeleton } from '@pool/shared/ui/core';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { lacksAccount } from './one-account';
import { followSlots, openSlots, type OpenSlot } from './open-slots';
import styles from './slots.module.css';
import { useRemote } from './use-remote';

/** Distance from the screen at which a part is loaded. */
const NEAR = '200px';

/** What remotes bring to the slots of the pages on screen. */
export function Slots({ remotes }: { remotes: readonly RemoteManifest[] }) {
  const slots = useSyncExternalStore(followSlots, openSlots);
  return slots.map((slot) => createPortal(<Parts slot={slot} remotes={remotes} />, slot.element, slot.id));
}

function Parts({ slot: { element, place, facts }, remotes }: { slot: OpenSlot; remotes: readonly RemoteManifest[] }) {
  const ability = useAbility<PoolAbility>();
  const { session } = useServices();
  const parts = partsAt(place, remotes, ability).filter(({ manifest }) => !lacksAccount(manifest, session));
  const isEmpty = parts.length === 0;
  useLayoutEffect(() => {
    element.toggleAttribute('hidden', isEmpty);
  }, [element, isEmpty]);
  return (
    <div className={styles.parts}>
      {parts.map(({ manifest, offer }) => (
        <SlotPart key={manifest.name} manifest={manifest} offer={offer} facts={facts} />
      ))}
    </div>
  );
}

type PartProps = { manifest: RemoteManifest; offer: SlotOffer; facts: OpenSlot['facts'] };

/** A part in its frame, loaded when it is seen. */
export function SlotPart({ manifest, offer, facts }: PartProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !frame.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      // Details beside a list scroll by themselves, which the margin of the root does not reach into.
      { rootMargin: NEAR, scrollMargin: NEAR } as IntersectionObserverInit,
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [isNear]);
  const title = t(offer.label);
  // The details of a worker have a title of their own.
  const Title = offer.place === 'worker' ? 'h3' : 'h2';
  return (
    <section ref={frame} className={styles.part} data-place={offer.place} data-part={manifest.name} aria-label={title}>
      <Title>{title}</Title>
      {isNear ? <Part manifest={manifest} offer={offer} facts={facts} /> : <Skeleton height={64} />}
    </section>
  );
}

/** A part of a remote. One that fails, or does not come, is a line. */
function Part({ manifest: newest, offer: { part }, facts }: PartProps) {
  const { t } = useTranslation();
  const services = useServices();
  const [slot] = useState({ part, facts });
  const { manifest, phase, failure, replace, host } = useRemote({ manifest: newest, services, slot });
  return (
    <>
      {phase === 'loading' && !failure && <Skeleton height={64} />}
      {failure && (
        <p className={styles.failure} role="status">
          {t('remote.failed')}
          <Button size="small" onClick={replace}>
            {t('remote.retry')}
          </Button>
        </p>
      )}
      <div
        ref={host}
        className={styles.host}
        data-remote={manifest.name}
        data-phase={phase}
        hidden={failure !== null}
      />
    </>
  );
}
