import { ORGANIZATION_ROLES, rightsOf } from './roles';

test.each(ORGANIZATION_ROLES)('a %s who is limited to sub-accounts changes nothing of the whole farm', (role) => {
  const whole = rightsOf({ role, money: true, limited: false });
  const limited = rightsOf({ role, money: true, limited: true });
  for (const subject of ['access', 'webhooks', 'referral', 'log'] as const) {
    expect(limited[subject]).toBeUndefined();
    delete whole[subject];
  }
  expect(limited).toEqual({ ...whole, account: 'read', ...(whole.pools && { pools: 'read' }) });
});

test('who may see money reads it as a viewer; no other role changes by it', () => {
  const of = (role: (typeof ORGANIZATION_ROLES)[number], money: boolean) => rightsOf({ role, money, limited: false });
  expect(of('viewer', true)).toEqual({ ...of('viewer', false), payments: 'read', wallet: 'read' });
  expect(of('viewer', false)).not.toHaveProperty('payments');
  for (const role of ORGANIZATION_ROLES.slice(0, -1)) expect(of(role, true)).toEqual(of(role, false));
  expect([of('owner', false).log, of('manager', false).pools]).toEqual(['manage', 'manage']);
});
