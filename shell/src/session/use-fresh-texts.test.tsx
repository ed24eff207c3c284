import { renderHook } from '@testing-library/react';
import type { RemoteManifest } from '@pool/shared';
import { useFreshTexts } from './use-fresh-texts';

const remote = (name: string, version: string) => ({ name, version }) as RemoteManifest;

it('refetches the texts when a remote has another version, and only then', () => {
  const instance = { reloadResources: jest.fn(() => Promise.resolve()) };
  const view = renderHook(({ remotes }) => useFreshTexts(instance, remotes), {
    initialProps: { remotes: [] as RemoteManifest[] },
  });
  view.rerender({ remotes: [remote('workers', '1')] });
  view.rerender({ remotes: [remote('workers', '1')] });
  expect(instance.reloadResources).not.toHaveBeenCalled();
  view.rerender({ remotes: [remote('workers', '2')] });
  expect(instance.reloadResources).toHaveBeenCalledTimes(1);
});
