import { addressOf, networkOf, networksOf, siteOf } from './network-of';

it.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['::ffff:cb00:7105', ['203.0.113.5']],
  ['0:0:0:0:0:ffff:203.0.113.6', ['203.0.113.6']],
  ['0000:0000:0000:0000:0000:FFFF:CB00:7105', ['203.0.113.5']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:0DB8:0001::9%eth0', ['2001:db8:1:0::/64', '2001:db8:1::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
  ['', ['']],
])('%s shares limits with %j', (ip, networks) => {
  expect(networksOf(ip).map(({ network }) => network)).toEqual(networks);
  expect(networkOf(ip)).toBe(networks[0]);
});

it('a site is the /24 of an IPv4 address, however it is written, and the /48 of an IPv6 address', () => {
  expect(['192.0.2.7', '::ffff:c000:207', '2001:db8:1:2::3'].map(siteOf)).toEqual([
    '192.0.2.0/24',
    '192.0.2.0/24',
    '2001:db8:1::/48',
  ]);
});

it.each([
  ['198.51.100.8:50001', '198.51.100.8'],
  ['[2001:db8::17]:4711', '2001:db8::17'],
  ['[2001:DB8:0::17]', '2001:db8::17'],
  ['[::ffff:198.51.100.8]:1', '198.51.100.8'],
  ['unknown', null],
  ['_hidden', null],
  ['198.51.100.8:', null],
  ['198.51.100.800', null],
  ['0x7f.1', null],
  ['', null],
])('%s is the address %s', (text, address) => {
  expect(addressOf(text)).toBe(address);
});
