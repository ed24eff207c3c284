import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { usePageTitle } from './page-title';
import { useNavigate } from './router';
import { renderPage } from '../testing';

function Page() {
  const [title, setTitle] = useState<string>();
  const navigate = useNavigate();
  usePageTitle(title);
  return (
    <>
      <button onClick={() => setTitle('5 PH/s')}>measure</button>
      <button onClick={() => setTitle('6 PH/s')}>measure again</button>
      <button onClick={() => void navigate('/payments/')}>follow</button>
    </>
  );
}

test('a page titles the tab at its own address, below another too, and changes nothing once the tab has left it', async () => {
  document.title = "the shell's";
  const { user } = await renderPage(<Page />, { path: '/dashboard/?timeframe=d7' });
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  expect(document.title).toBe("the shell's");
  history.replaceState(null, '', '/watch/wt_abc/dashboard/');
  await press('measure');
  expect(document.title).toBe('5 PH/s · Mining Pool');

  act(() => history.pushState(null, '', '/payments/'));
  document.title = 'Payments · Mining Pool';
  await press('measure again');
  expect(document.title).toBe('Payments · Mining Pool');
  await press('follow');
  expect(document.title).toBe('6 PH/s · Mining Pool');
});
