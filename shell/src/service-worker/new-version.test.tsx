import { renderPage } from '@pool/shared/testing';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { NewVersion } from './new-version';

const at = (version: string) => [{ name: 'workers', version }];

function Page({ lists }: { lists: { name: string; version: string }[][] }) {
  const [index, setIndex] = useState(0);
  return (
    <>
      <button onClick={() => setIndex(index + 1)}>next list</button>
      <NewVersion remotes={lists[index] ?? []} />
    </>
  );
}

test('a remote deployed while the page is open is told once, in one line', async () => {
  const { user } = await renderPage(<Page lists={[[], at('1'), at('2'), at('2'), at('3')]} />);
  const next = () => user.click(screen.getByRole('button', { name: 'next list' }));
  // The list comes after the page.
  await next();
  expect(screen.queryByRole('status')).toBeNull();
  await next();
  expect(await screen.findByRole('status')).toHaveTextContent('A new version is ready.');
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByRole('status')).toBeNull();
  await next();
  expect(screen.queryByRole('status')).toBeNull();
  await next();
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
});
