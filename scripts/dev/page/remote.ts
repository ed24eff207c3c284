/** The remote in `npm run dev`. What React Refresh cannot take mounts it again: address, scroll and data stay. */
import type { MountProps, RemoteModule } from '@pool/shared';
import * as app from 'pool-remote';
import { setOptionsAndConnect } from 'pool-hot';
import './problems';

const mounts = new Map<string, { module: RemoteModule; props: MountProps }>();

export const { contract } = app;
export const bootstrap = (props: MountProps): Promise<unknown> => app.bootstrap(props);

export function mount(props: MountProps): Promise<unknown> {
  mounts.set(props.name, { module: { ...app }, props });
  return app.mount(props);
}

export async function update(props: MountProps): Promise<void> {
  const mounted = mounts.get(props.name);
  if (!mounted) return;
  mounted.props = props;
  await mounted.module.update(props);
}

export async function unmount(props: MountProps): Promise<void> {
  const mounted = mounts.get(props.name);
  mounts.delete(props.name);
  await mounted?.module.unmount(props);
}

async function mountAgain(): Promise<void> {
  const { scrollX, scrollY } = window;
  for (const mounted of mounts.values()) {
    const { domElement } = mounted.props;
    domElement.style.minHeight = `${domElement.offsetHeight}px`;
    await mounted.module.unmount(mounted.props);
    mounted.module = { ...app };
    await app.bootstrap(mounted.props);
    await app.mount(mounted.props);
    domElement.style.minHeight = '';
  }
  scrollTo(scrollX, scrollY);
}

// A remote that is loaded anew has another copy of this module, which takes the updates from then on.
const copy = `pool-dev:${__webpack_public_path__}`;
dispatchEvent(new Event(copy));
addEventListener(copy, () => setOptionsAndConnect({ name: 'replaced' }));

import.meta.webpackHot?.accept('pool-remote', () => void mountAgain());
// A remote that crashed is loaded anew, as a person would ask for it: what was wrong may be mended.
import.meta.webpackHot?.addStatusHandler((status) => {
  if (status === 'idle') document.querySelector<HTMLElement>('[data-failure=crashed] button')?.click();
});
