import { screen } from '@testing-library/react';
import { renderPage } from '../../testing';
import { useFormMutation } from './use-form-mutation';

test('a change that is sent twice at once is sent once', async () => {
  const send = jest.fn(() => new Promise<void>(() => undefined));
  function Form() {
    const change = useFormMutation({ send });
    return (
      <button
        onClick={() => {
          change.mutate();
          change.mutate();
        }}
      >
        Send
      </button>
    );
  }
  const { user } = await renderPage(<Form />);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(send).toHaveBeenCalledTimes(1);
});
