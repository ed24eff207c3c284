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
