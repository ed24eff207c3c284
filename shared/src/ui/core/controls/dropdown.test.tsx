import { screen } from '@testing-library/react';
import { renderPage } from '../../../testing';
import { Button } from './button';
import { Dropdown, type MenuProps } from './dropdown';

const chosen = jest.fn();
const MENU: MenuProps = {
  items: [
    { type: 'group', label: 'north-field' },
    { key: 'account', label: 'Account' },
    { key: 'gone', label: 'Gone', disabled: true },
    { type: 'divider' },
    {
      type: 'group',
      label: 'Theme',
      children: [
        { key: 'dark', label: 'Dark' },
        { key: 'light', label: 'Light' },
      ],
    },
    { key: 'marks', label: 'Marks', role: 'menuitemcheckbox', 'aria-checked': true },
  ],
  selectedKeys: ['light'],
  onClick: ({ key }) => chosen(key),
};

async function renderMenu() {
  const onRow = jest.fn();
  const { user } = await renderPage(
    <>
      <div role="presentation" onClick={onRow} onKeyDown={onRow}>
        <Dropdown menu={MENU}>
          <Button>Settings</Button>
        </Dropdown>
      </div>
      <button type="button">After</button>
    </>,
  );
  const button = screen.getByRole('button', { name: 'Settings' });
  const open = async () => {
    await user.click(button);
    onRow.mockClear();
  };
  return { user, button, open, onRow };
}

const focused = () => document.activeElement?.textContent;

beforeEach(() => chosen.mockClear());

test('a menu has the name of its button, its groups, and says which of several is chosen', async () => {
  const { button, open } = await renderMenu();
  expect(button).toHaveAttribute('aria-expanded', 'false');
  await open();
  expect(button).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByRole('menu', { name: 'Settings' })).toBeVisible();
  expect(screen.getByRole('group', { name: 'Theme' })).toBeVisible();
  expect(screen.getByRole('menuitemradio', { name: 'Light' })).toBeChecked();
  expect(screen.getByRole('menuitemradio', { name: 'Dark' })).not.toBeChecked();
  expect(screen.getByRole('menuitemcheckbox', { name: 'Marks' })).toBeChecked();
  expect(screen.getByRole('menuitem', { name: 'Account' })).toHaveFocus();
});

test('an item closes its menu, gives the focus back, and is told once; what is around the menu is not', async () => {
  const { user, button, open, onRow } = await renderMenu();
  await open();
  await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
  expect(chosen.mock.calls).toEqual([['dark']]);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button).toHaveFocus();
  await open();
  await user.click(screen.getByRole('menuitem', { name: 'Gone' }));
  expect(chosen).toHaveBeenCalledTimes(1);
  expect(onRow).not.toHaveBeenCalled();
});

test('arrows, Home, End and letters move through the items that can be chosen', async () => {
  const { user, button } = await renderMenu();
  button.focus();
  const at: (string | null | undefined)[] = [];
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowDown', 'End', 'Home', 'l', 'm', 'ArrowUp', 'a', 'x']) {
    await user.keyboard(key.length > 1 ? `{${key}}` : key);
    at.push(focused());
  }
  expect(at).toEqual([
    ...['Marks', 'Account', 'Dark', 'Marks', 'Account'],
    ...['Light', 'Marks', 'Light', 'Account', 'Account'],
  ]);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(chosen.mock.calls).toEqual([['dark']]);
});

test('Escape, the button, Tab and a click elsewhere close it', async () => {
  const { user, button, open } = await renderMenu();
  const isOpen = () => screen.queryByRole('menu') !== null;
  await open();
  await user.keyboard('{Escape}');
  expect([isOpen(), focused()]).toEqual([false, 'Settings']);
  await open();
  await user.click(button);
  expect(isOpen()).toBe(false);
  await open();
  await user.tab();
  expect([isOpen(), focused()]).toEqual([false, 'After']);
  await open();
  await user.click(screen.getByRole('button', { name: 'After' }));
  expect([isOpen(), focused()]).toEqual([false, 'After']);
});

test('a long menu is searched: letters go into its field, Enter takes the first entry that is left', async () => {
  const items = Array.from({ length: 30 }, (_, at) => ({ key: at, label: `Hall ${at}`, onClick: () => chosen(at) }));
  const { user } = await renderPage(
    <Dropdown menu={{ items }}>
      <Button>Group</Button>
    </Dropdown>,
  );
  await user.click(screen.getByRole('button', { name: 'Group' }));
  expect(screen.getByRole('menuitem', { name: 'Hall 0' })).toHaveFocus();
  await user.keyboard('ll 2');
  expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('ll 2');
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(
    ['2', ...Array.from({ length: 10 }, (_, at) => `2${at}`)].map((name) => `Hall ${name}`),
  );
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(focused()).toBe('Hall 20');
  await user.keyboard('7{Enter}');
  expect(chosen.mock.calls).toEqual([[27]]);
});
