import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderPage } from '../../../testing';
import { Input, Select } from '../../form';
import { Badge } from './badge';
import { Button } from './button';
import { Segmented } from './segmented';
import { Tooltip } from './tooltip';

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

test('a part of antd brings its theme, once for all that is in it', async () => {
  await renderPage(
    <>
      <Input.Password aria-label="Password" />
      <Select aria-label="Kind" options={[{ value: 1, label: 'one' }]} value={1} />
    </>,
    { settings: { mode: 'light' } },
  );
  expect(screen.getByLabelText('Password').closest('.ant-input-password')).toHaveClass('pool-light');
  expect(screen.getByLabelText('Kind').closest('.ant-select')).toHaveClass('pool-light');
});
