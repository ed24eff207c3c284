import { problem } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { open } from '../testing/account';
import type { Organization } from './queries';

const MEMBER: Organization['members'][number] = {
  id: 1,
  userName: 'anna',
  email: 'anna@farm.example',
  role: 'owner',
  money: false,
  accounts: null,
  own: true,
  since: '2026-01-02T03:04:05.000Z',
  removalAt: null,
};
const FARM: Organization = {
  id: 'org_1',
  name: 'Northfield Mining',
  secondOwner: true,
  requests: [],
  members: [
    MEMBER,
    { ...MEMBER, id: 2, userName: 'boris', email: null, role: 'technician', accounts: ['barn'], own: false },
    { ...MEMBER, id: 3, userName: 'clara', role: 'owner', own: false, removalAt: '2026-12-01T10:00:00.000Z' },
  ],
  invitations: [
    {
      id: 'orginv_1',
      email: 'd@farm.example',
      role: 'viewer',
      money: true,
      accounts: null,
      expiresAt: '2026-12-03T10:00:00.000Z',
    },
  ],
};

test('an account becomes an organization, in which the person goes on', async () => {
  const actIn = jest.fn(async () => undefined);
  const { user, api } = await open('organization', { 'POST /organization': { id: 'org_1' } }, { actIn });
  await user.type(await screen.findByLabelText('Name of the organization'), ' Northfield Mining {Enter}');
  await waitFor(() => expect(actIn).toHaveBeenCalledWith('org_1'));
  expect(api.sent('POST /organization')).toEqual([{ body: { name: 'Northfield Mining' } }]);
});

test('members with their roles; one is limited, removed, kept', async () => {
  const answer = { organization: FARM };
  const { user, api } = await open('organization', {
    'GET /organization': answer,
    'PUT /organization/members/{id}': answer,
    'DELETE /organization/members/{id}': answer,
    'DELETE /organization/members/{id}/removal': answer,
  });
  const members = within(await screen.findByRole('table', { name: 'Members' }));
  expect(members.getByText('Only barn')).toBeVisible();
  expect(members.getByText(/Is removed on/)).toBeVisible();
  expect(members.queryByRole('button', { name: 'Remove: anna' })).toBeNull();

  await user.click(members.getByRole('button', { name: 'Change role: boris' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('checkbox', { name: 'barn' }));
  await user.click(dialog.getByRole('checkbox', { name: 'shed' }));
  await user.click(dialog.getByRole('button', { name: 'Change role' }));
  const body = { role: 'technician', money: false, accounts: ['shed'] };
  await waitFor(() => expect(api.sent('PUT /organization/members/{id}')).toEqual([{ params: { id: 2 }, body }]));

  await user.click(await members.findByRole('button', { name: 'Remove: boris' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(api.sent('DELETE /organization/members/{id}')).toEqual([{ params: { id: 2 } }]));
  await user.click(members.getByRole('button', { name: 'Keep' }));
  await waitFor(() => expect(api.sent('DELETE /organization/members/{id}/removal')).toEqual([{ params: { id: 3 } }]));
});

test('an invitation by link is shown once; a refused one says why', async () => {
  const link = 'https://pool.example/invitation?token=secret';
  const { user, api } = await open('organization', {
    'GET /organization': { organization: FARM },
    'POST /organization/invitations': { organization: FARM, link },
    'DELETE /organization/invitations/{id}': () => {
      throw problem(409, 'invitation_used');
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Invite a person' }));
  await user.click(await screen.findByRole('button', { name: 'Make a link' }));
  expect(await screen.findByText(link)).toBeVisible();
  const body = { role: 'technician', money: false, accounts: null, email: null, language: 'en' };
  expect(api.sent('POST /organization/invitations')).toEqual([{ body }]);
  await user.click(screen.getByRole('button', { name: 'Done, I saved it' }));
  expect(screen.queryByText(link)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take back: d@farm.example' }));
  expect(await screen.findByText(/has used this invitation/)).toBeVisible();
});

test('a change that waits is confirmed by another owner, who is shown the link it makes; the own one is taken back', async () => {
  const link = 'https://pool.example/invitation?token=secret';
  const waiting = { by: 'clara', own: false, at: '2026-11-27T10:00:00.000Z', expiresAt: '2026-12-04T10:00:00.000Z' };
  const requests: Organization['requests'] = [
    { ...waiting, id: 5, kind: 'invitation', about: { grant: { role: 'manager', money: false, accounts: ['barn'] } } },
    { ...waiting, id: 6, kind: 'list', own: true, about: { account: 'barn', pools: ['Ocean', 'Braiins'] } },
  ];
  const { user, api } = await open('organization', {
    'GET /organization': { organization: { ...FARM, requests } },
    'POST /organization/requests/{id}': { organization: FARM, link },
    'DELETE /organization/requests/{id}': { organization: FARM },
    'PUT /organization/secondOwner': () => {
      throw problem(409, 'second_owner');
    },
  });
  expect(await screen.findByText('Braiins')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Confirm: New order of upstream pools' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Take back: New order of upstream pools' }));
  await waitFor(() => expect(api.sent('DELETE /organization/requests/{id}')).toEqual([{ params: { id: 6 } }]));
  await user.click(screen.getByRole('button', { name: 'No longer ask' }));
  expect(await screen.findByText(/Another owner has to confirm this/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Confirm: Invite a person' }));
  expect(await screen.findByText(link)).toBeVisible();
});
