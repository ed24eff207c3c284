import { networkOf, networksOf } from './network-of';

it.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:0DB8:0001::9%eth0', ['2001:db8:1:0::/64', '2001:db8:1::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
])('%s shares limits with %j', (ip, networks) => {
  expect(networksOf(ip).map(({ network }) => network)).toEqual(networks);
  expect(networkOf(ip)).toBe(networks[0]);
});
