import { renderPage } from '@pool/shared/testing';
import { act, screen } from '@testing-library/react';
import { NoAnswer } from './no-answer';

test('without a network it says so, and tries again when the network is back', async () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const onRetry = jest.fn();
  await renderPage(<NoAnswer title="The pool does not answer" text="Mining continues." onRetry={onRetry} />);
  expect(screen.getByRole('heading')).toHaveTextContent('This browser has no network');
  expect(screen.getByText(/^Mining continues/)).toBeVisible();
  expect(onRetry).not.toHaveBeenCalled();
  onLine.mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(onRetry).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('heading')).toHaveTextContent('The pool does not answer');
});
