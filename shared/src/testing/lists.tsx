/** What every list owes its reader, tested the same way for all of them. */
import { act, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Call } from '../api/contract';
import { fakeApi, problem, refusing, renderPage, type FakeAnswers, type RenderOptions } from './render';

export type ListCase = {
  /** Its accessible name: of its table or of the region around it. */
  list: string;
  page: ReactNode;
  at: Pick<RenderOptions, 'path' | 'route'>;
  /** All that its page asks for. */
  answers: FakeAnswers;
  /** The call that brings the list. */
  call: Call;
  /** Name of one of its rows. */
  row: string | RegExp;
  /** The call's answer when there is nothing, and what is said then; what leads on is a link, a button or a text. */
  none?: { answer: FakeAnswers; says: string | RegExp };
};

const fail = refusing(503, 'server_error');

/** Each alert offers Retry and names the request. */
async function alerts(says: RegExp): Promise<HTMLElement[]> {
  const found = await screen.findAllByRole('alert');
  for (const alert of found) {
    expect(alert).toHaveTextContent(says);
    expect(alert).toHaveTextContent('req-test-1');
    expect(within(alert).getByRole('button', { name: 'Retry' })).toBeEnabled();
  }
  return found;
}

/** Loading, failed without data, there, failed over older data, and empty, in one life of each page. */
export function testLists(cases: readonly ListCase[]): void {
  test.each(cases)('$list, $call: every state', async ({ list, page, at, answers, call, row, none }) => {
    const waiting: ((error: Error) => void)[] = [];
    const api = fakeApi({ ...answers, [call]: () => new Promise((_, refuse) => waiting.push(refuse)) });
    const { services, user } = await renderPage(page, { api, ...at });
    const rowThere = () => screen.queryAllByLabelText(list).some((place) => within(place).queryAllByText(row).length);
    const retry = async () =>
      user.click(within(screen.getAllByRole('alert')[0]!).getByRole('button', { name: 'Retry' }));

    await waitFor(() => expect(api.calls.map((one) => one.call)).toContain(call));
    expect(screen.getAllByRole('status', { busy: true }).length).toBeGreaterThan(0);

    api.answer({ [call]: fail });
    await act(async () => waiting.forEach((refuse) => refuse(problem(503, 'server_error'))));
    await alerts(/The pool could not answer/);
    await waitFor(() => expect(screen.queryByRole('status', { busy: true })).not.toBeInTheDocument());
    if (none) expect(screen.queryByText(none.says)).not.toBeInTheDocument();

    api.answer({ [call]: answers[call] });
    await retry();
    await waitFor(() => expect(rowThere()).toBe(true));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());

    api.answer({ [call]: fail });
    await act(() => services.queryClient.refetchQueries());
    await alerts(/Data from \d\d:\d\d UTC/);
    expect(rowThere()).toBe(true);

    if (!none) return;
    api.answer(none.answer);
    await retry();
    expect(await screen.findByText(none.says)).toBeInTheDocument();
    expect(rowThere()).toBe(false);
  });

  for (const { list, page, at, answers, call, row } of cases) {
    if (!JSON.stringify(withOddNames(answers[call]))?.includes(row + SIGN)) continue;
    test(`${list}: names keep their signs at their end in Arabic`, () =>
      keepsNames(answers, `${row}`, (odd) => renderPage(page, { api: fakeApi(odd), ...at, language: 'ar' })));
  }
}

/**
 * What `open` shows in Arabic of these answers keeps the signs at the end of names that people chose; one is `name`.
 */
export async function keepsNames(
  answers: FakeAnswers,
  name: string,
  open: (odd: FakeAnswers) => Promise<unknown>,
): Promise<void> {
  await open(withOddNames(answers) as FakeAnswers);
  await waitFor(() => expect(document.body).toHaveTextContent(name + SIGN));
  expect(turned()).toEqual([]);
}

const SIGN = '=.';
/** Values that people chose. */
const NAMES = /^(name|account|owner|group|worker|userName|software|by|note)$/;
/** An answer in which every chosen name, but that of the account, ends in signs of no direction. */
const withOddNames = (answer: unknown, key = ''): unknown =>
  Array.isArray(answer)
    ? answer.map((part) => withOddNames(part, key))
    : answer && typeof answer === 'object'
      ? Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withOddNames(value, name)]))
      : typeof answer === 'string' && answer !== 'northfield' && NAMES.test(key)
        ? answer + SIGN
        : answer;

/** Texts on screen in which the signs would stand before their name, since nothing keeps them apart from the Arabic around. */
function turned(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent?.replace(/[\u2066\u2068][^\u2066-\u2069]*\u2069/g, '') ?? '';
    if (text.includes(SIGN) && !texts.currentNode.parentElement?.closest('bdi, [dir="ltr"], .hidden')) found.push(text);
  }
  return found;
}
