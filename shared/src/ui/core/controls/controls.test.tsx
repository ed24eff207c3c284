import { useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useRef, useState } from 'react';
import { renderPage, textsIn } from '../../../testing';
import useToken from 'antd/es/theme/useToken';
import { themed } from '../../antd/themed';
import { Badge } from './badge';
import { Button } from './button';
import { Dropdown, type MenuProps } from './dropdown';
import { Segmented } from './segmented';
import { ShareButton } from './share-button';
import { Tooltip } from './tooltip';
import { LANGUAGES } from '../../../i18n/languages';
import { dayOfText, textOfDay } from '../../form/day-text';
import { useFormMutation } from '../../form/use-form-mutation';

describe('a button', () => {
  test('ignores clicks while it loads, and submits only where it says so', async () => {
    const onClick = jest.fn();
    const onSubmit = jest.fn((event: React.SyntheticEvent) => event.preventDefault());
    const { user } = await renderPage(
      <form onSubmit={onSubmit}>
        <Button loading onClick={onClick} htmlType="submit">
          Save
        </Button>
        <Button onClick={onClick}>Cancel</Button>
        <Button htmlType="submit">Send</Button>
      </form>,
    );
    await user.click(screen.getByRole('button', { name: 'Save', busy: true }));
    expect(onClick).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClick).toHaveBeenCalledTimes(1);
    expect(onSubmit).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(onSubmit).toHaveBeenCalledTimes(1);
  });

  test('with an address is a link, unless it is disabled', async () => {
    await renderPage(
      <>
        <Button href="/there">There</Button>
        <Button href="/never" disabled>
          Never
        </Button>
      </>,
    );
    expect(screen.getByRole('link', { name: 'There' })).toHaveAttribute('href', '/there');
    expect(screen.getByRole('button', { name: 'Never' })).toBeDisabled();
  });
});

test('segments: one stop for the Tab key, the arrow keys choose', async () => {
  type Span = 'day' | 'week' | 'month';
  function Choice() {
    const [value, setValue] = useState<Span>('week');
    return (
      <Segmented<Span>
        aria-label="Span"
        value={value}
        onChange={setValue}
        options={(['day', 'week', 'month'] as const).map((span) => ({ value: span, label: span }))}
      />
    );
  }
  const { user } = await renderPage(<Choice />);
  await user.tab();
  expect(screen.getByRole('radio', { name: 'week' })).toHaveFocus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('radio', { name: 'month' })).toBeChecked();
  await user.click(screen.getByText('day'));
  expect(screen.getByRole('radio', { name: 'day' })).toBeChecked();
});

test('a badge shows no zero, and large counts short', async () => {
  await renderPage(
    <>
      <Badge count={0}>none</Badge>
      <Badge count={120}>many</Badge>
    </>,
  );
  expect(screen.getByText('none')).toHaveTextContent(/^none$/);
  expect(screen.getByText('many')).toHaveTextContent('99+');
});

describe('a tooltip', () => {
  test('stays while the pointer is on it; Escape hides it', async () => {
    const { user } = await renderPage(
      <Tooltip title="Settings of the list">
        <button type="button">View</button>
      </Tooltip>,
    );
    const button = screen.getByRole('button');
    await user.hover(button);
    const tip = await screen.findByRole('tooltip');
    expect(button).toHaveAccessibleDescription('Settings of the list');
    jest.useFakeTimers();
    fireEvent.mouseLeave(button);
    fireEvent.mouseEnter(tip);
    act(() => jest.runAllTimers());
    jest.useRealTimers();
    expect(tip).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(button).not.toHaveAttribute('aria-describedby');
  });

  test('on click: a click elsewhere hides it', async () => {
    const { user } = await renderPage(
      <>
        <Tooltip title="An estimate" trigger={['click']}>
          <button type="button">?</button>
        </Tooltip>
        <p>elsewhere</p>
      </>,
    );
    await user.click(screen.getByRole('button'));
    expect(screen.getByRole('tooltip')).toHaveTextContent('An estimate');
    await user.click(screen.getByText('elsewhere'));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});

test('a part of antd brings its theme', async () => {
  const Part = themed(() => <p>{useToken()[4]?.key}</p>);
  await renderPage(<Part />, { settings: { mode: 'light' } });
  expect(screen.getByText('pool-light')).toBeVisible();
});

describe('a menu button', () => {
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
    expect(textsIn(screen.getAllByRole('menuitem'))).toEqual(
      ['2', ...Array.from({ length: 10 }, (_, at) => `2${at}`)].map((name) => `Hall ${name}`),
    );
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('Hall 20');
    await user.keyboard('7');
    // langflow-ai/langflow#1552
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter', isComposing: true });
    expect(chosen).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(chosen.mock.calls).toEqual([[27]]);
  });
});

test('hands a link to the phone, and is not there where the browser cannot', async () => {
  const { unmount } = await renderPage(<ShareButton url="https://pool.example/sign-up?ref=A1" />);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  unmount();
  const share = jest.fn(() => Promise.reject(new DOMException('closed', 'AbortError')));
  Object.assign(navigator, { share });
  const { user } = await renderPage(<ShareButton url="https://pool.example/sign-up?ref=A1" />);
  await user.click(screen.getByRole('button', { name: 'Share' }));
  expect(share).toHaveBeenCalledWith({ text: undefined, url: 'https://pool.example/sign-up?ref=A1' });
});

describe('a form', () => {
  test.each(LANGUAGES)('%s: every day is read as it is written', (language) => {
    const days = Array.from({ length: 366 }, (_, n) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(0, 10));
    expect(days.map((day) => dayOfText(language, textOfDay(language, day)))).toEqual(days);
  });

  test.each([
    ['en', '24 november 2026', '2026-11-24'],
    ['ru', '24 ноября 2026 г.', '2026-11-24'],
    ['fr', '1 février 2026', '2026-02-01'],
    ['en', '24.11.2026', '2026-11-24'],
    ['fr', ' 24/11/2026 ', '2026-11-24'],
    ['ar', '٢٤/١١/٢٠٢٦', '2026-11-24'],
    ['en', '2026-11-24', '2026-11-24'],
    ['en', '29.2.2024', '2024-02-29'],
  ])('%s: %s', (language, text, day) => expect(dayOfText(language, text)).toBe(day));

  test.each(['', '24', '24 Nov', '31.4.2026', '29.2.2025', '0.1.2026', '24 Foo 2026', '24.11.26', '1.2.3.2026'])(
    '%j is no day',
    (text) => expect(dayOfText('en', text)).toBeNull(),
  );

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

  test('the focus goes to its place once it is sent, and is not taken from a user who goes on while lists are read', async () => {
    let answer: (list: string) => void = () => undefined;
    const later = new Promise<string>((resolve) => (answer = resolve));
    const read = jest.fn().mockResolvedValueOnce('before').mockReturnValue(later);
    function Page() {
      const [isOpen, setOpen] = useState(true);
      const place = useRef<HTMLButtonElement>(null);
      const { data } = useQuery({ queryKey: ['list'], queryFn: read });
      const change = useFormMutation({
        send: () => Promise.resolve(),
        reads: [['list']],
        onDone: () => setOpen(false),
        focus: () => place.current,
      });
      return (
        <>
          {isOpen && <button onClick={() => change.mutate()}>Send</button>}
          <button ref={place}>New</button>
          <button>Next</button>
          <output>{data}</output>
        </>
      );
    }
    const { user } = await renderPage(<Page />);
    expect(await screen.findByText('before')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'New' })).toHaveFocus());
    await user.tab();
    await act(async () => answer('after'));
    await act(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
    expect(screen.getByText('after')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
  });
});
