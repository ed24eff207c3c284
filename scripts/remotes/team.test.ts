import os from 'node:os';
import { me } from './team';

it('who publishes is a number where that is all there is of a user, as in containers', () => {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  expect(me()).toBe(`${process.getuid?.()}@${os.hostname()}`);
});
