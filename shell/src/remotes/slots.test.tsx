import { ALL_ACCOUNTS, type RemoteLifecycles, type RemoteManifest, type SlotPlace } from '@pool/shared';
import { CONTRACT } from '@pool/shared/contract';
import { defineSlot, ServicesProvider, Slot, useServices, useSession } from '@pool/shared/remote';
import { renderPage } from '@pool/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useMemo, useState, type ComponentType } from 'react';
import { openSlot, openSlots } from './open-slots';
import { Slots } from './slots';
import { remoteManifest } from './testing/manifest';

const modules = new Map<string, () => Promise<RemoteLifecycles>>();
const loadRemote = jest.fn((id: string) => modules.get(id)!());
jest.mock('@module-federation/enhanced/runtime', () => ({
  loadRemote: (id: string) => loadRemote(id),
  registerRemotes: () => undefined,
  registerPlugins: () => undefined,
  getInstance: () => null,
  satisfy: jest.requireActual<typeof import('@module-federation/enhanced/runtime')>(
    '@module-federation/enhanced/runtime',
  ).satisfy,
}));

/** Elements come near to the screen when `comeNear` is called. */
let observers: (() => void)[] = [];
const comeNear = () => act(async () => observers.forEach((come) => come()));
beforeEach(() => {
  observers = [];
  modules.clear();
  loadRemote.mockClear();
  globalThis.PerformanceObserver = class {
    observe() {}
    disconnect() {}
  } as unknown as typeof PerformanceObserver;
  globalThis.IntersectionObserver = class {
    constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
      observers.push(() => tell([{ isIntersecting: true }]));
    }
    observe() {}
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
});

let count = 0;
/** A remote that brings `Part` to the dashboard, or what `over` says. */
function bring(Part: ComponentType<{ id?: number }> | Error, over: Partial<RemoteManifest> = {}): RemoteManifest {
  const name = `slot${(count += 1)}`;
  modules.set(`pool_${name}/slots/card`, () =>
    Part instanceof Error ? Promise.reject(Part) : Promise.resolve(defineSlot(Part)),
  );
  const slots: RemoteManifest['slots'] = [{ place: 'dashboard', part: 'card', label: `${name}.title` }];
  return remoteManifest(name, { slots, ...over });
}

/** A page with a slot, and the shell's part that fills it. `next`: what is deployed when the button is pressed. */
function Pool({
  remotes,
  next,
  place = 'dashboard',
}: {
  remotes: RemoteManifest[];
  next?: RemoteManifest[];
  place?: SlotPlace;
}) {
  const services = useServices();
  const [list, setList] = useState(remotes);
  const [isOpen, setOpen] = useState(true);
  const withSlots = useMemo(() => ({ ...services, openSlot, report: () => undefined }), [services]);
  return (
    <ServicesProvider services={withSlots}>
      <button onClick={() => setList(next ?? list)}>deploy</button>
      <button onClick={() => setOpen(!isOpen)}>page</button>
      {isOpen && <Slot place={place} id={7} />}
      <Slots remotes={list} />
    </ServicesProvider>
  );
}
const show = (...remotes: RemoteManifest[]) => renderPage(<Pool remotes={remotes} />, { path: '/dashboard/' });
const partOf = ({ name }: RemoteManifest) => screen.getByRole('region', { name: `${name}.title` });

const Card = ({ id }: { id?: number }) => (
  <p>
    {useSession().account} has {id}
  </p>
);

test("a part is loaded when it is seen, with the shell's session and what the place is about", async () => {
  const power = bring(Card);
  await show(power);
  expect(loadRemote).not.toHaveBeenCalled();
  await comeNear();
  expect(await within(partOf(power)).findByText('northfield has 7')).toBeVisible();
});

test('a place is hidden where nobody brings a part that the user may have', async () => {
  const admins = { action: 'manage', subject: 'admin' } as const;
  const slots = [{ place: 'dashboard' as const, part: 'card', label: 'x.title', requires: admins }];
  await show(bring(Card, { requires: admins }), bring(Card, { slots }), bring(Card, { slots: undefined }));
  await comeNear();
  expect(openSlots().map(({ element }) => element.hidden)).toEqual([true]);
  expect(loadRemote).not.toHaveBeenCalled();
});

test('while all sub-accounts are chosen, parts of one are left out', async () => {
  const knowing = bring(Card, { allAccounts: true });
  const ofNone = bring(Card, { pickers: [] });
  await renderPage(<Pool remotes={[bring(Card), knowing, ofNone]} />, {
    path: '/dashboard/',
    session: { account: ALL_ACCOUNTS },
  });
  expect(screen.getAllByRole('region')).toEqual([partOf(knowing), partOf(ofNone)]);
});

test('of five parts one that throws, one whose file is missing, one whose entry is of another contract are lines; the others stand', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const thrown = bring(() => {
    throw new Error('boom');
  });
  const missing = bring(Object.assign(new Error('Loading chunk 7'), { name: 'ChunkLoadError' }));
  const old = bring(Card, { contract: CONTRACT + 1 });
  const whole = [bring(Card), bring(Card)];
  const { user } = await show(thrown, whole[0]!, missing, old, whole[1]!);
  await comeNear();
  for (const each of whole) expect(await within(partOf(each)).findByText('northfield has 7')).toBeVisible();
  for (const each of [thrown, missing, old])
    expect(await within(partOf(each)).findByText('This part could not be loaded')).toBeVisible();
  // Retry loads it again.
  modules.set(`pool_${missing.name}/slots/card`, () => Promise.resolve(defineSlot(Card)));
  await user.click(within(partOf(missing)).getByRole('button', { name: 'Retry' }));
  expect(await within(partOf(missing)).findByText('northfield has 7')).toBeVisible();
  expect(screen.getAllByText('This part could not be loaded')).toHaveLength(2);
});

test('visits leave nothing behind', async () => {
  const { container } = await show(bring(Card));
  await comeNear();
  await screen.findByText('northfield has 7');
  const page = screen.getByRole('button', { name: 'page' });
  const elements = container.querySelectorAll('*').length;
  for (let visit = 0; visit < 20; visit += 1) {
    await act(async () => page.click());
    expect(openSlots()).toHaveLength(0);
    await act(async () => page.click());
    await comeNear();
    await screen.findByText('northfield has 7');
  }
  await waitFor(() => expect(container.querySelectorAll('*')).toHaveLength(elements));
});

test('a version that is withdrawn is replaced in the open page', async () => {
  const bad = bring(() => <p>bad version</p>);
  const before = { ...bad, version: '0', entry: bad.entry.replace('/1/', '/0/'), withdrawn: ['1'] };
  await renderPage(<Pool remotes={[bad]} next={[before]} />, { path: '/dashboard/' });
  await comeNear();
  await screen.findByText('bad version');
  modules.set(`pool_${bad.name}/slots/card`, () => Promise.resolve(defineSlot(() => <p>version before</p>)));
  jest.useFakeTimers();
  try {
    await act(async () => screen.getByRole('button', { name: 'deploy' }).click());
    expect(screen.getByText('bad version')).toBeVisible();
    await act(() => jest.advanceTimersByTimeAsync(5_000));
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(screen.getByText('version before')).toBeVisible();
    expect(screen.queryByText('bad version')).toBeNull();
  } finally {
    jest.useRealTimers();
  }
});
