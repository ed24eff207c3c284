import { screen } from '@testing-library/react';
import { renderPage } from '../../../testing';
import { ShareButton } from './share-button';

test('hands a link to the phone, and is not there where the browser cannot', async () => {
  const { unmount } = await renderPage(<ShareButton url="https://pool.example/sign-up?ref=A1" />);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  unmount();
  const share = jest.fn(() => Promise.reject(new DOMException('closed', 'AbortError')));
  Object.assign(navigator, { share });
  const { user } = await renderPage(<ShareButton url="https://pool.example/sign-up?ref=A1" />);
  await user.click(screen.getByRole('button', { name: 'Share' }));
  expect(share).toHaveBeenCalledWith({ text: undefined, url: 'https://pool.example/sign-up?ref=A1' });
});
