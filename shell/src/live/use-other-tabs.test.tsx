import { createQueryClient, QueryClientProvider, useMutation, useQuery } from '@pool/shared/query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useOtherTabs } from './use-other-tabs';

const read = jest.fn(async () => 1);
const write = jest.fn<Promise<void>, []>();

function Page() {
  useOtherTabs();
  useQuery({ queryKey: ['subAccounts', '1'], queryFn: read, staleTime: 60_000 });
  const { mutate } = useMutation({ mutationFn: write });
  return <button onClick={() => mutate()}>change</button>;
}

test('what another tab has changed is asked again at once; a change is told to the others when it is made', async () => {
  const told = jest.spyOn(Storage.prototype, 'setItem');
  write.mockRejectedValueOnce(new Error('refused')).mockResolvedValue();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Page />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
  dispatchEvent(new StorageEvent('storage', { key: 'settings' }));
  dispatchEvent(new StorageEvent('storage', { key: 'changedAt' }));
  await waitFor(() => expect(read).toHaveBeenCalledTimes(2));

  await userEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  await userEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(told).toHaveBeenCalledTimes(1));
  expect(told).toHaveBeenCalledWith('changedAt', expect.any(String));
  expect(write).toHaveBeenCalledTimes(2);
});
